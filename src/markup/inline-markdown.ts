import type { Delete, Emphasis, Html, Link, Nodes, Strong } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { elementOfTag } from "./element.js";
import { inlinesBetweenTags } from "./html.js";
import { type Inline, type InlineTag, literal } from "./inline.js";
import { inlineSyntax, literalNodes } from "./inline-syntax.js";
import { permittedHref } from "./link.js";
import type { MarkupOptions } from "./options.js";
import { piecesOf } from "./pieces.js";
import { tagAt } from "./tag.js";
import { normalizeText, trimCharacters } from "./text.js";

const escapeOrReference = /\\[!-/:-@[-`{-~]|&#?[A-Za-z0-9]+;/;
/** What opens has no blank behind it, and what closes none before it. */
const starOpens = /\*[^\s*]/;
const starCloses = /[^\s*]\*/;
const tildesOpen = /~~[^\s~]/;
const tildesClose = /[^\s~]~~/;
const markupStart = /<[A-Za-z!/?]/;
/** An address or a mail address in angle brackets has no blank before its `:` or `@`, as a tag with attributes has. */
const autolinkStart = /<[^\s<>]*[:@]/;

/** What the nodes of a tree belong to. */
interface Piece {
	readonly source: string;
	readonly options: MarkupOptions;
}

const strikethrough = gfmStrikethrough({ singleTilde: false });
const treeExtensions = [gfmStrikethroughFromMarkdown(), literalNodes];

/** The text of one block, without line endings, read as inline Markdown. Spec §2.5. */
export function inlinesOfMarkdown(text: string, options: MarkupOptions): Inline[] {
	if (!mayHoldMarkup(text)) return [plain(text)];
	const inlines: Inline[] = [];
	for (const piece of piecesOf(text)) {
		if (mayHoldMarkdown(piece)) pushPiece(inlines, piece, options);
		else for (const inline of inlinesBetweenTags(piece, options, plain)) inlines.push(inline);
	}
	return inlines;
}

/** Whether there could be anything but text: an escape, a reference, a tag, or two delimiters that may belong together. */
function mayHoldMarkup(text: string): boolean {
	return mayHoldMarkdown(text) || (isFollowed(text, "<", ">") && markupStart.test(text));
}

/** Whether there could be anything but text and tags. The parser takes long for tags, and finds no more than we do. */
function mayHoldMarkdown(text: string): boolean {
	return (
		isPaired(text, starOpens, starCloses) ||
		isPaired(text, tildesOpen, tildesClose) ||
		isFollowed(text, "`", "`") ||
		isFollowed(text, "](", ")") ||
		autolinkStart.test(text) ||
		escapeOrReference.test(text)
	);
}

/** Whether a delimiter that could open stands before one that could close. */
function isPaired(text: string, opens: RegExp, closes: RegExp): boolean {
	const at = text.search(opens);
	return at !== -1 && closes.test(text.slice(at + 1));
}

/** Whether one delimiter stands anywhere before another. */
function isFollowed(text: string, first: string, second: string): boolean {
	const at = text.indexOf(first);
	return at !== -1 && text.lastIndexOf(second) >= at + first.length;
}

function plain(value: string): Inline {
	return { type: "text", value, dates: true };
}

function pushPiece(inlines: Inline[], piece: string, options: MarkupOptions): void {
	// The parser would drop these at the ends of what it is given.
	const source = trimCharacters(piece, " \t\ufeff");
	const start = piece.indexOf(source);
	const tree = fromMarkdown(source, {
		extensions: [inlineSyntax(source), strikethrough],
		mdastExtensions: treeExtensions,
	});
	inlines.push(literal(piece.slice(0, start)));
	for (const node of tree.children) pushNode(inlines, node, { source, options });
	inlines.push(literal(piece.slice(start + source.length)));
}

/** Recursive, which is safe: a piece is too short to nest deeply. */
function pushNode(inlines: Inline[], node: Nodes, piece: Piece): void {
	switch (node.type) {
		case "text":
			inlines.push({ type: "text", value: node.value, dates: true });
			return;
		case "literal":
			inlines.push(literal(node.value));
			return;
		case "inlineCode":
			inlines.push(opening("code"), literal(node.value), closing("code"));
			return;
		case "html":
			inlines.push(inlineOfHtml(node, piece));
			return;
		case "strong":
			pushElement(inlines, "b", node, piece);
			return;
		case "emphasis":
			pushElement(inlines, "i", node, piece);
			return;
		case "delete":
			pushElement(inlines, "s", node, piece);
			return;
		case "link":
			pushLink(inlines, node, piece);
			return;
		case "paragraph":
			for (const child of node.children) pushNode(inlines, child, piece);
			return;
		default:
			inlines.push(literal(sourceOf(node, piece)));
	}
}

function pushElement(inlines: Inline[], tag: InlineTag, node: Strong | Emphasis | Delete, piece: Piece): void {
	inlines.push(opening(tag));
	for (const child of node.children) pushNode(inlines, child, piece);
	inlines.push(closing(tag));
}

/** A link with a forbidden target, or with nothing to show, stays as typed. A title follows its link as text. */
function pushLink(inlines: Inline[], link: Link, piece: Piece): void {
	const typed = sourceOf(link, piece);
	const href = permittedHref(normalizeText(link.url), piece.options.linkSchemes);
	const first = link.children[0];
	const last = link.children.at(-1);
	if (href === undefined || first === undefined || last === undefined) {
		inlines.push(literal(typed));
		return;
	}
	const start = startOf(link);
	const beforeLabel = typed.slice(0, startOf(first) - start);
	const afterLabel = typed.slice(endOf(last) - start);
	const suffix = link.title ? ` "${link.title}"` : "";
	inlines.push({ type: "open", tag: "a", attribute: href, source: beforeLabel, sealed: true });
	for (const child of link.children) pushNode(inlines, child, piece);
	inlines.push({ type: "close", tag: "a", source: afterLabel, sealed: true, suffix });
}

function inlineOfHtml(html: Html, piece: Piece): Inline {
	const tag = tagAt(piece.source, startOf(html));
	const source = sourceOf(html, piece);
	return tag === undefined ? literal(source) : elementOfTag(tag, source, piece.options);
}

function sourceOf(node: Nodes, { source }: Piece): string {
	return source.slice(startOf(node), endOf(node));
}

function startOf(node: Nodes): number {
	return node.position?.start.offset ?? 0;
}

function endOf(node: Nodes): number {
	return node.position?.end.offset ?? 0;
}

function opening(tag: InlineTag): Inline {
	return { type: "open", tag, source: "", sealed: true };
}

function closing(tag: InlineTag): Inline {
	return { type: "close", tag, source: "", sealed: true };
}

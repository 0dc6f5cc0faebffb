import type { Delete, Emphasis, Link, Nodes, Strong } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { elementOfTag } from "./element.js";
import { type Inline, type InlineTag, literal } from "./inline.js";
import { inlineSyntax, literalNodes } from "./inline-syntax.js";
import { permittedHref } from "./link.js";
import type { MarkupOptions } from "./options.js";
import { piecesOf } from "./pieces.js";
import { createTagReader } from "./tag.js";
import { normalizeText, trimCharacters } from "./text.js";

/** What the parser could find something in: a pair of delimiters, an escape, a reference or the beginning of a tag. */
const markup = /\*.*\*|`.*`|~~.*~~|\]\(|<[A-Za-z!/?]|\\[!-/:-@[-`{-~]|&#?[A-Za-z0-9]+;/;

const strikethrough = gfmStrikethrough({ singleTilde: false });
const treeExtensions = [gfmStrikethroughFromMarkdown(), literalNodes];

/** The text of one block, without line endings, read as inline Markdown. Spec §2.5. */
export function inlinesOfMarkdown(text: string, options: MarkupOptions): Inline[] {
	const inlines: Inline[] = [];
	for (const piece of piecesOf(text)) {
		if (markup.test(piece)) pushPiece(inlines, piece, options);
		else inlines.push({ type: "text", value: piece, dates: true });
	}
	return inlines;
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
	for (const node of tree.children) pushNode(inlines, node, source, options);
	inlines.push(literal(piece.slice(start + source.length)));
}

/** Recursive, which is safe: a piece is too short to nest deeply. */
function pushNode(inlines: Inline[], node: Nodes, source: string, options: MarkupOptions): void {
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
			inlines.push(inlineOfHtml(node.value, options));
			return;
		case "strong":
			pushElement(inlines, "b", node, source, options);
			return;
		case "emphasis":
			pushElement(inlines, "i", node, source, options);
			return;
		case "delete":
			pushElement(inlines, "s", node, source, options);
			return;
		case "link":
			pushLink(inlines, node, source, options);
			return;
		case "paragraph":
			for (const child of node.children) pushNode(inlines, child, source, options);
			return;
		default:
			inlines.push(literal(sourceOf(node, source)));
	}
}

function pushElement(
	inlines: Inline[],
	tag: InlineTag,
	node: Strong | Emphasis | Delete,
	source: string,
	options: MarkupOptions,
): void {
	inlines.push(opening(tag));
	for (const child of node.children) pushNode(inlines, child, source, options);
	inlines.push(closing(tag));
}

/** A link with a forbidden target, or with nothing to show, stays as typed. A title follows its link as text. */
function pushLink(inlines: Inline[], link: Link, source: string, options: MarkupOptions): void {
	const typed = sourceOf(link, source);
	const href = permittedHref(normalizeText(link.url), options.linkSchemes);
	const first = link.children[0];
	const last = link.children.at(-1);
	if (href === undefined || first === undefined || last === undefined) {
		inlines.push(literal(typed));
		return;
	}
	const start = link.position?.start.offset ?? 0;
	const labelStart = (first.position?.start.offset ?? 0) - start;
	const labelEnd = (last.position?.end.offset ?? 0) - start;
	inlines.push({ type: "open", tag: "a", attribute: href, source: typed.slice(0, labelStart), sealed: true });
	for (const child of link.children) pushNode(inlines, child, source, options);
	const suffix = link.title ? ` "${link.title}"` : "";
	inlines.push({ type: "close", tag: "a", source: typed.slice(labelEnd), sealed: true, suffix });
}

function inlineOfHtml(html: string, options: MarkupOptions): Inline {
	const tag = createTagReader(html).tag(0);
	return tag === undefined ? literal(html) : elementOfTag(tag, html, options);
}

function sourceOf(node: Nodes, source: string): string {
	return source.slice(node.position?.start.offset, node.position?.end.offset);
}

function opening(tag: InlineTag): Inline {
	return { type: "open", tag, source: "", sealed: true };
}

function closing(tag: InlineTag): Inline {
	return { type: "close", tag, source: "", sealed: true };
}

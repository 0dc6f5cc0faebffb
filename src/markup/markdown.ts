import type { LayoutMode } from "../layout-mode.js";
import { finished, type Steps } from "../pace.js";
import { serialization } from "./html/serialize.js";
import { changed, joined } from "./long-text.js";
import type { MarkupOptions } from "./options.js";
import { plainBlock } from "./plain.js";
import { blocksOf, type TextBlock } from "./read/blocks.js";
import { literal } from "./read/inline.js";
import { inlinesOfMarkdown, mayHoldMore } from "./read/inline-markdown.js";
import { assertLength, escapeText } from "./text.js";

/** What becomes one node. */
export interface Block {
	/** A canonical fragment. */
	readonly name: string;
	/** What its prefix says; `bullets` without one. */
	readonly layoutMode: LayoutMode;
	/** Whether it is a task that is done. */
	readonly completed: boolean;
	/** 0 for the first block, 1 or more for all others; at most one more than that of the block before. */
	readonly depth: number;
}

/** How a Markdown text is read. */
export interface MarkdownOptions extends MarkupOptions {
	/** The layout mode of the first block, whatever its prefix says. */
	readonly layoutMode?: LayoutMode | undefined;
}

/** The longest text that is looked at whole, to find that it has no markup. */
const longestPlain = 65_536;

const headings: readonly LayoutMode[] = ["h1", "h2", "h3"];
/** What decodes to NUL, and so to no text: it makes a blank node of a prefix that would be the text itself. */
const nothing = /&#(?:0{1,7}|[xX]0{1,6});/;
const task = /^\[([ \txX])\](?:[ \t]+|$)/;

/** What a Markdown text says. */
export interface MarkdownText {
	/** In reading order. There is always one; the parent of any other is the nearest block before it with a smaller depth. */
	readonly blocks: Block[];
	/** The layout mode that the first block has by its prefix; undefined if it has none, as `text` or `#### text`. Spec §2.5. */
	readonly prefix: LayoutMode | undefined;
}

/**
 * The blocks of a Markdown text in reading order, as a create takes it. Spec §2.5. There is always one; the parent of any
 * other is the nearest block before it with a smaller depth. A text of nothing but markers is the text itself. Linear in
 * time, and no character is lost but the markers that were understood and the language of a fence.
 *
 * @param text A text that is as `normalizeText` returns it.
 */
export function parseMarkdown(text: string, options: MarkdownOptions): Block[] {
	const plain = plainBlock(text, options.layoutMode);
	return plain === undefined ? finished(readMarkdown(text, options)).blocks : [plain];
}

/**
 * What {@link parseMarkdown} does with a text that isn't plain, or too long to be looked at for that.
 *
 * @param check - is given each block before the next one is read; what it throws ends the reading
 */
export function* readMarkdown(
	text: string,
	options: MarkdownOptions,
	check?: (block: Block) => void,
): Steps<MarkdownText> {
	if (options.layoutMode === "code-block") return { blocks: [yield* codeBlock(text, options)], prefix: undefined };
	const blocks: Block[] = [];
	let first: TextBlock | undefined;
	let isBelowFirst = true;
	let isBlank = true;
	for (const found of blocksOf(text)) {
		if (found === undefined) {
			yield;
			continue;
		}
		if (first !== undefined && found.depth === 0) isBelowFirst = false;
		first ??= found;
		const block = yield* blockOf(found, found.depth + (isBelowFirst ? 0 : 1), options);
		check?.(block);
		isBlank &&= block.name === "";
		blocks.push(block);
	}
	const [own] = blocks;
	const { layoutMode = own?.layoutMode ?? "bullets" } = options;
	if (first === undefined || own === undefined || (isBlank && !nothing.test(text))) {
		const name = yield* literalName(text.trim(), options);
		return {
			blocks: [{ name, layoutMode: options.layoutMode ?? "bullets", completed: false, depth: 0 }],
			prefix: undefined,
		};
	}
	const isBullet = first.isItemNode && first.marker === "";
	const prefix = own.layoutMode !== "bullets" || isBullet ? own.layoutMode : undefined;
	blocks[0] = { ...own, layoutMode, completed: own.completed && layoutMode === "todo" };
	return { blocks, prefix };
}

/** A text as code: to the letter, unless it is one fence. */
function* codeBlock(text: string, options: MarkdownOptions): Steps<Block> {
	let code = text;
	let count = 0;
	for (const block of blocksOf(text)) {
		if (block === undefined) yield;
		else if (++count > 1) {
			code = text;
			break;
		} else if (block.type === "fence" && block.container === undefined) code = yield* joined(block.lines, "\n");
	}
	return {
		name: yield* literalName(isBlank(code) ? text : code, options),
		layoutMode: "code-block",
		completed: false,
		depth: 0,
	};
}

/** What becomes of one block of a text. */
export function* blockOf(block: TextBlock, depth: number, options: MarkdownOptions): Steps<Block> {
	if (block.type === "fence") {
		const code = yield* joined(block.lines, "\n");
		const name = isBlank(code) ? "" : yield* literalName(code, options);
		return { name, layoutMode: "code-block", completed: false, depth };
	}
	const text = yield* joined(block.lines, " ");
	const isBullet = block.type === "paragraph" && block.isItemNode && block.container === "item" && block.marker === "";
	const [prefix = "", check] = (isBullet && task.exec(text)) || [];
	const inner = text.slice(prefix.length);
	return {
		name: plainNameOf(block, inner, options) ?? (yield* nameOf(block, inner, options)),
		layoutMode: check === undefined ? layoutModeOf(block) : "todo",
		completed: check === "x" || check === "X",
		depth,
	};
}

/** The name of a short text in which there is nothing but text; undefined for any other. */
function plainNameOf(
	{ level, marker }: TextBlock,
	text: string,
	{ longest = longestPlain }: MarkdownOptions,
): string | undefined {
	if (text === "") return marker;
	if (text.length + marker.length >= Math.min(longest, longestPlain) || mayHoldMore(text)) return undefined;
	const name = level > headings.length ? `<b>${escapeText(text)}</b>` : escapeText(text);
	return marker === "" ? name : `${marker} ${name}`;
}

function* nameOf({ level, marker }: TextBlock, text: string, options: MarkdownOptions): Steps<string> {
	const inlines = yield* inlinesOfMarkdown(text, options);
	if (level > headings.length) {
		inlines.unshift({ type: "open", tag: "b", source: "", sealed: true });
		inlines.push({ type: "close", tag: "b", source: "", sealed: true });
	}
	if (marker !== "") inlines.unshift(literal(`${marker} `));
	return yield* serialization(inlines, options);
}

/** A text that has no markup, as a name. @throws `invalid_argument` for one that is too long */
function* literalName(text: string, { longest = Number.POSITIVE_INFINITY }: MarkdownOptions): Steps<string> {
	assertLength("name", text.length, longest);
	return yield* changed(text, escapeText);
}

function isBlank(text: string): boolean {
	return !/\S/.test(text);
}

function layoutModeOf({ type, level, container }: TextBlock): LayoutMode {
	const heading = headings[level - 1];
	if (heading !== undefined) return heading;
	return container === "quote" && type !== "item" ? "quote-block" : "bullets";
}

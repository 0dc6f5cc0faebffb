import type { LayoutMode } from "../layout-mode.js";
import { finished, type Steps } from "../pace.js";
import { type Block, blockOfName } from "./block.js";
import { serialization } from "./html/serialize.js";
import { literal } from "./inline.js";
import { changed, joined } from "./long-text.js";
import type { MarkupOptions } from "./options.js";
import { isPlain, longestPlain } from "./plain.js";
import { blocksOf, type TextBlock } from "./read/blocks.js";
import { inlinesOfMarkdown, mayHoldMore } from "./read/inline-markdown.js";
import { assertLength, escapeText } from "./text.js";

/** The options for reading a Markdown text. */
export interface MarkdownOptions extends MarkupOptions {
	/** The layout mode of the first block, instead of the one by its prefix. */
	readonly layoutMode?: LayoutMode | undefined;
}

const headings: readonly LayoutMode[] = ["h1", "h2", "h3"];
/** A reference to NUL, which decodes to no text. A prefix with it makes a blank node. */
const nothing = /&#(?:0{1,7}|[xX]0{1,6});/;
const task = /^\[([ \txX])\](?:[ \t]+|$)/;

/** The result of reading a Markdown text. */
export interface MarkdownText {
	/** The blocks in reading order, at least one; see {@link parseMarkdown}. */
	readonly blocks: Block[];
	/** The layout mode of the first block's prefix; undefined without one, as for `#### text`. Spec §2.5. */
	readonly prefix: LayoutMode | undefined;
}

/**
 * Returns the blocks of a Markdown text in reading order, for a create. Spec §2.5. There is always one. The
 * parent of a block is the nearest block before it with a smaller depth. If the text consists only of
 * markers, it is kept as text. Linear in time. The only characters lost are markers with a meaning, and the
 * language of a fence.
 *
 * @param text - a text as `normalizeText` returns it
 */
export function parseMarkdown(text: string, options: MarkdownOptions): Block[] {
	if (isPlain(text)) return [blockOfName(text, options.layoutMode)];
	return finished(readMarkdown(text, options.layoutMode, options)).blocks;
}

/**
 * Does the work of {@link parseMarkdown}, if the text isn't plain, or is too long to be examined for that in
 * one step.
 *
 * @param check - called with each block before the next one is read; if it throws, the reading ends
 */
export function* readMarkdown(
	text: string,
	mode: LayoutMode | undefined,
	options: MarkupOptions,
	check?: (block: Block) => void,
): Steps<MarkdownText> {
	if (mode === "code-block") return { blocks: [yield* codeBlock(text, options)], prefix: undefined };
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
	const layoutMode = mode ?? own?.layoutMode ?? "bullets";
	if (first === undefined || own === undefined || (isBlank && !nothing.test(text))) {
		const name = yield* literalName(text.trim(), options);
		return {
			blocks: [{ name, layoutMode: mode ?? "bullets", completed: false, depth: 0 }],
			prefix: undefined,
		};
	}
	const isBullet = first.isItemNode && first.marker === "";
	const prefix = own.layoutMode !== "bullets" || isBullet ? own.layoutMode : undefined;
	blocks[0] = { ...own, layoutMode, completed: own.completed && layoutMode === "todo" };
	return { blocks, prefix };
}

/** Returns a text as a code block. The text is kept unchanged, unless it is one fence. */
function* codeBlock(text: string, options: MarkupOptions): Steps<Block> {
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

/** Returns the node of one block of a text. */
export function* blockOf(block: TextBlock, depth: number, options: MarkupOptions): Steps<Block> {
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

/** Returns the name of a short text without markup; undefined for any other text. */
function plainNameOf(
	{ level, marker }: TextBlock,
	text: string,
	{ longest = longestPlain }: MarkupOptions,
): string | undefined {
	if (text === "") return marker;
	if (text.length + marker.length >= Math.min(longest, longestPlain) || mayHoldMore(text)) return undefined;
	const name = level > headings.length ? `<b>${escapeText(text)}</b>` : escapeText(text);
	return marker === "" ? name : `${marker} ${name}`;
}

function* nameOf({ level, marker }: TextBlock, text: string, options: MarkupOptions): Steps<string> {
	const inlines = yield* inlinesOfMarkdown(text, options);
	if (level > headings.length) {
		inlines.unshift({ type: "open", tag: "b", source: "", sealed: true });
		inlines.push({ type: "close", tag: "b", source: "", sealed: true });
	}
	if (marker !== "") inlines.unshift(literal(`${marker} `));
	return yield* serialization(inlines, options);
}

/**
 * Returns a text without markup as a name.
 *
 * @throws `invalid_argument` if it is too long
 */
function* literalName(text: string, { longest = Number.POSITIVE_INFINITY }: MarkupOptions): Steps<string> {
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

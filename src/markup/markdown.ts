import type { LayoutMode } from "../layout-mode.js";
import { blocksOf, type TextBlock } from "./blocks.js";
import { type Inline, literal } from "./inline.js";
import { inlinesOfMarkdown } from "./inline-markdown.js";
import type { MarkupOptions } from "./options.js";
import { plainBlock } from "./plain.js";
import { serialize } from "./serialize.js";
import { escapeText } from "./text.js";

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

const headings: readonly LayoutMode[] = ["h1", "h2", "h3"];
/** What decodes to NUL, and so to no text: it makes a blank node of a prefix that would be the text itself. */
const nothing = /&#(?:0{1,7}|[xX]0{1,6});/;
const task = /^\[([ \txX])\](?:[ \t]+|$)/;

/**
 * The blocks of a Markdown text in reading order, as a create takes it. Spec §2.5. There is always one; the parent of any
 * other is the nearest block before it with a smaller depth. A text of nothing but markers is the text itself. Linear in
 * time, and no character is lost but the markers that were understood and the language of a fence.
 *
 * @param text A text that is as `normalizeText` returns it.
 */
export function parseMarkdown(text: string, options: MarkdownOptions): Block[] {
	const plain = plainBlock(text, options.layoutMode);
	if (plain !== undefined) return [plain];
	return options.layoutMode === "code-block" ? [codeBlock(text)] : parseBlocks(text, options);
}

/** What {@link parseMarkdown} does with a text that isn't plain. */
export function parseBlocks(text: string, options: MarkdownOptions): Block[] {
	const blocks: Block[] = [];
	let isBelowFirst = true;
	for (const textBlock of blocksOf(text)) {
		if (blocks.length > 0 && textBlock.depth === 0) isBelowFirst = false;
		blocks.push(blockOf(textBlock, textBlock.depth + (isBelowFirst ? 0 : 1), options));
	}
	const [first, ...others] = blocks;
	if (first === undefined || (blocks.every(({ name }) => name === "") && !nothing.test(text))) {
		const { layoutMode = "bullets" } = options;
		return [{ name: escapeText(text.trim()), layoutMode, completed: false, depth: 0 }];
	}
	const layoutMode = options.layoutMode ?? first.layoutMode;
	return [{ ...first, layoutMode, completed: first.completed && layoutMode === "todo" }, ...others];
}

/**
 * The layout mode that a Markdown text of one block gives by its prefix; undefined if it gives none, as `text` or
 * `#### text`. Spec §2.5.
 *
 * @param block What {@link parseMarkdown} makes of the text without a layout mode.
 */
export function layoutModeOfPrefix(text: string, { name, layoutMode }: Block): LayoutMode | undefined {
	if (layoutMode !== "bullets") return layoutMode;
	const [block] = blocksOf(text);
	const isBullet = block?.isItemNode === true && block.marker === "";
	// A bullet without text is no prefix: it shows as typed.
	return isBullet && name !== escapeText(text.trim()) ? "bullets" : undefined;
}

/** A text as code: to the letter, unless it is one fence. */
function codeBlock(text: string): Block {
	const [block, other] = blocksOf(text);
	const isFence = block?.type === "fence" && block.container === undefined && other === undefined;
	const code = isFence ? block.lines.join("\n") : text;
	return { name: escapeText(code.trim() === "" ? text : code), layoutMode: "code-block", completed: false, depth: 0 };
}

/** What becomes of one block of a text. */
export function blockOf(block: TextBlock, depth: number, options: MarkdownOptions): Block {
	if (block.type === "fence") {
		const code = block.lines.join("\n");
		return { name: escapeText(code.trim() === "" ? "" : code), layoutMode: "code-block", completed: false, depth };
	}
	const text = block.lines.join(" ");
	const isBullet = block.type === "paragraph" && block.isItemNode && block.container === "item" && block.marker === "";
	const [prefix = "", check] = (isBullet && task.exec(text)) || [];
	return {
		name: nameOf(block, text.slice(prefix.length), options),
		layoutMode: check === undefined ? layoutModeOf(block) : "todo",
		completed: check === "x" || check === "X",
		depth,
	};
}

function nameOf({ level, marker }: TextBlock, text: string, options: MarkdownOptions): string {
	if (text === "") return marker;
	const inlines: Inline[] = inlinesOfMarkdown(text, options);
	if (level > headings.length) {
		inlines.unshift({ type: "open", tag: "b", source: "", sealed: true });
		inlines.push({ type: "close", tag: "b", source: "", sealed: true });
	}
	if (marker !== "") inlines.unshift(literal(`${marker} `));
	return serialize(inlines, options.timeZone);
}

function layoutModeOf({ type, level, container }: TextBlock): LayoutMode {
	const heading = headings[level - 1];
	if (heading !== undefined) return heading;
	return container === "quote" && type !== "item" ? "quote-block" : "bullets";
}

import { trimCharacters } from "../text.js";
import { type Container, continues, Item, opens } from "./container.js";
import { Line } from "./line.js";

/** A block of a Markdown text that becomes a node. */
export interface TextBlock {
	/** The kind of block. `item` is the node of a list item without text of its own. */
	readonly type: "paragraph" | "heading" | "fence" | "item";
	/** The lines without the markers of the block and its containers. A fence's keep their white space. */
	readonly lines: readonly string[];
	/** The level of a heading, 1 to 6; otherwise 0. */
	readonly level: number;
	/** The number of list items above its node. */
	readonly depth: number;
	/** The innermost container around it. */
	readonly container: "quote" | "item" | undefined;
	/** Whether it is the node of a list item. */
	readonly isItemNode: boolean;
	/** The number and delimiter of the ordered item whose node it is, as typed; otherwise empty. */
	readonly marker: string;
	/** Whether it is a fence with a language, or another text, after its opening marker. `&#0;` is no text. */
	readonly hasLanguage: boolean;
	/** The line in which the scanner found it, from 1. */
	readonly line: number;
}

/** A block whose lines are still being read. */
interface OpenBlock extends TextBlock {
	readonly lines: string[];
}

interface Fence {
	readonly block: OpenBlock;
	/** The characters that opened it: three or more of `` ` `` or `~`. */
	readonly marker: string;
	readonly indentation: number;
}

/** The maximum number of quotes and items that are open at once. Markers beyond it are text. */
const deepest = 100;

const headingStart = /^(#{1,6})(?:[ \t]|$)/;
const fenceStart = /^(?:`{3,}|~{3,})/;
/** White space, and references to NUL, which decode to no text. */
const nothing = /[ \t]+|&#(?:0{1,7}|[xX]0{1,6});/g;

/** The number of lines read in a step, and the minimum number of characters. */
const linesInStep = 256;
const charactersInStep = 16_384;

/** Yields the blocks of a text, and undefined where other work may run. See {@link BlockScanner}. */
export function* blocksOf(text: string): Generator<TextBlock | undefined, void, unknown> {
	const scanner = new BlockScanner();
	let lines = 0;
	let characters = 0;
	for (let start = 0; start < text.length; ) {
		const lineEnd = text.indexOf("\n", start);
		const end = lineEnd === -1 ? text.length : lineEnd;
		scanner.read(text.slice(start, end));
		for (let block = scanner.take(); block !== undefined; block = scanner.take()) yield block;
		lines += 1;
		characters += end - start;
		if (lines >= linesInStep || characters >= charactersInStep) {
			lines = 0;
			characters = 0;
			yield;
		}
		start = end + 1;
	}
	scanner.end();
	for (let block = scanner.take(); block !== undefined; block = scanner.take()) yield block;
}

/**
 * Finds the blocks of a text line by line, as CommonMark does. It omits the kinds that an outline doesn't
 * have: indented code, a setext underline, a reference definition and an HTML block are text of a paragraph.
 * A thematic break is a paragraph of its own.
 *
 * It replaces micromark, which takes quadratic time for deep nesting, and for lines that continue a quote or
 * item without a marker. This scanner takes linear time. The tests compare its results with micromark's.
 */
export class BlockScanner {
	/** The blocks that haven't been taken yet. */
	readonly #blocks: TextBlock[] = [];
	readonly #containers: Container[] = [];
	#paragraph: OpenBlock | undefined;
	#fence: Fence | undefined;
	#line = 0;
	/** The length of the last paragraph or fence. */
	#length = 0;

	/** The number of characters in the block that is being read; 0 without one. */
	get openLength(): number {
		return this.#paragraph === undefined && this.#fence === undefined ? 0 : this.#length;
	}

	/** Reads the next line, without its line ending. */
	read(text: string): void {
		this.#line += 1;
		const line = new Line(text);
		const matched = this.#match(line);
		if (this.#fence && matched === this.#containers.length) {
			this.#readFence(line, this.#fence);
			return;
		}
		const kept = this.#open(line, matched);
		if (line.isBlank()) {
			if (kept < this.#containers.length) this.#close(kept);
			this.#paragraph = undefined;
		} else this.#readBlock(line, kept);
	}

	/** Ends the text. */
	end(): void {
		this.#close(0);
	}

	/** Returns the next complete block in reading order, and removes it. */
	take(): TextBlock | undefined {
		const block = this.#blocks[0];
		return block === this.#paragraph || block === this.#fence?.block ? undefined : this.#blocks.shift();
	}

	/** Skips the markers of the open containers. Returns the number of containers that continue. */
	#match(line: Line): number {
		const stops = this.#containers.findIndex((container) => !continues(container, line));
		return stops === -1 ? this.#containers.length : stops;
	}

	/** Opens the containers that begin in the line. Returns the number of containers around its rest. */
	#open(line: Line, matched: number): number {
		const isInterrupting = this.#paragraph !== undefined && matched === this.#containers.length;
		let kept = matched;
		while (kept < deepest) {
			const opening = opens(line, isInterrupting);
			if (opening === undefined) break;
			this.#close(kept);
			const outer = this.#containers.at(-1)?.item;
			if (opening.type === "quote") this.#containers.push({ type: "quote", item: outer });
			else {
				if (outer && !outer.hasNode) this.#add("item");
				this.#containers.push(new Item(opening, outer ? outer.depth + 1 : 0));
			}
			kept = this.#containers.length;
		}
		return kept;
	}

	#readBlock(line: Line, kept: number): void {
		const isIndented = line.indentation() > 3;
		const content = line.content();
		const level = isIndented ? undefined : headingStart.exec(content)?.[1]?.length;
		const marker = isIndented ? undefined : fenceMarker(content);
		if (level !== undefined) {
			this.#close(kept);
			this.#add("heading", level).lines.push(headingText(content.slice(level)));
		} else if (marker !== undefined) {
			this.#close(kept);
			const block = this.#add("fence", 0, content.slice(marker.length).replace(nothing, "") !== "");
			this.#fence = { block, marker, indentation: line.indentation() };
		} else if (!isIndented && line.isRule()) {
			this.#close(kept);
			this.#add("paragraph").lines.push(content);
		} else {
			if (this.#paragraph === undefined) {
				this.#close(kept);
				this.#paragraph = this.#add("paragraph");
			}
			this.#paragraph.lines.push(content);
			this.#length += content.length + 1;
		}
	}

	#readFence(line: Line, { block, marker, indentation }: Fence): void {
		const content = line.content();
		const closes = content.startsWith(marker) && content === marker.charAt(0).repeat(content.length);
		if (closes && line.indentation() <= 3) {
			this.#fence = undefined;
			return;
		}
		line.skip(indentation);
		const code = line.rest();
		block.lines.push(code);
		this.#length += code.length + 1;
	}

	#add(type: TextBlock["type"], level = 0, hasLanguage = false): OpenBlock {
		const container = this.#containers.at(-1);
		const item = container?.item;
		// The text of a fence can't contain a number, so the number gets a node of its own.
		if (type === "fence" && item && !item.hasNode && item.marker !== "") this.#add("item");
		const isItemNode = item !== undefined && !item.hasNode;
		const block: OpenBlock = {
			type,
			lines: [],
			level,
			depth: item ? item.depth + (isItemNode ? 0 : 1) : 0,
			container: container?.type,
			isItemNode,
			marker: isItemNode ? item.marker : "",
			hasLanguage,
			line: this.#line,
		};
		if (item) item.hasNode = true;
		this.#length = 0;
		this.#blocks.push(block);
		return block;
	}

	/** Closes the open block, and all containers except the first `kept`. */
	#close(kept: number): void {
		const item = this.#containers.at(-1)?.item;
		if (item && !item.hasNode && this.#containers.includes(item, kept)) this.#add("item");
		if (this.#fence) dropBlankEnd(this.#fence.block.lines);
		this.#containers.length = kept;
		this.#paragraph = undefined;
		this.#fence = undefined;
	}
}

/** Returns the text of a heading, from the characters after its opening marker. */
function headingText(content: string): string {
	const text = trimCharacters(content, " \t");
	let end = text.length;
	while (end > 0 && text[end - 1] === "#") end--;
	const isClosed = end === 0 || text[end - 1] === " " || text[end - 1] === "\t";
	return isClosed ? trimCharacters(text.slice(0, end), " \t") : text;
}

/** Returns the marker that opens a fence; undefined if the line opens none. */
function fenceMarker(content: string): string | undefined {
	const marker = fenceStart.exec(content)?.[0];
	return marker?.startsWith("`") && content.includes("`", marker.length) ? undefined : marker;
}

/** Removes the blank lines at the end of a fence that has no closing marker. */
function dropBlankEnd(lines: string[]): void {
	while (lines.length > 0 && trimCharacters(lines.at(-1) ?? "", " \t") === "") lines.pop();
}

import { blocksOf, type TextBlock } from "../markup/blocks.js";
import { blockOf } from "../markup/markdown.js";
import type { MarkupOptions } from "../markup/options.js";
import { escapeText, normalizeText } from "../markup/text.js";
import type { Settings } from "../settings.js";
import { fragmentArgument, noteArgument } from "../text.js";
import type { DraftNode } from "../tree.js";
import { arrivalOf } from "./drafts.js";
import type { Arrival, FormatReader } from "./format-module.js";
import { atLine } from "./line-error.js";
import { LineSplitter } from "./lines.js";
import { noteOfMarkdown, withoutMarker } from "./markdown-note.js";

/** How many characters are read at once, at least. */
const pieceSize = 65_536;
/** An item that begins wherever it stands, unless a fence is open. */
const plainItem = /^[-+*][ \t]+[^\s*_-]/;
/** An item that tells whether a fence is open: if none is, it is the last block. */
const probe = "- x";
/** The most lines that front matter may have. */
const longestFrontMatter = 1000;

type OpenNode = { -readonly [F in keyof DraftNode]: DraftNode[F] };

/** Lines that are read at once. */
interface Piece {
	readonly lines: readonly string[];
	/** The number of the first. */
	readonly first: number;
}

/**
 * Reads Markdown. Items nest, and what follows a heading is below it, deeper headings too. A paragraph of an item behind its
 * first belongs to its note; every other block is a node.
 *
 * The scanner of blocks takes texts as a whole, so it is given pieces that end where nothing is open.
 */
export class MarkdownReader implements FormatReader {
	readonly #settings: Settings;
	readonly #options: MarkupOptions;
	readonly #splitter = new LineSplitter((line, number) => this.#read(normalizeText(line), number));
	readonly #drafts: OpenNode[] = [];
	/** The nodes above the next one, and behind them older ones. */
	readonly #path: OpenNode[] = [];
	/** The levels of the headings that the next block is below. */
	readonly #headings: number[] = [];
	#lines: string[] = [];
	#number = 0;
	#length = 0;
	/** How long a piece has to be before it is cut. */
	#wanted = pieceSize;
	#isFrontMatter = false;

	constructor(settings: Settings) {
		this.#settings = settings;
		this.#options = { timeZone: settings.timeZone, linkSchemes: settings.linkSchemes };
	}

	get nodes(): number {
		return this.#drafts.length;
	}

	write(piece: string): void {
		this.#splitter.write(piece);
	}

	end(): Arrival {
		this.#splitter.end();
		this.#take(blocksOf(this.#lines.join("\n")));
		return arrivalOf(this.#drafts);
	}

	#read(line: string, number: number): void {
		if (!this.#isFrontMatter && this.#length >= this.#wanted && this.#canCutBefore(line)) this.#cut();
		this.#number = number;
		this.#lines.push(line);
		this.#length += line.length + 1;
		if (number === 1) this.#isFrontMatter = line === "---";
		else if (this.#isFrontMatter) this.#readFrontMatter(line);
	}

	/** Lines between two rules at the beginning say something about the file: they are kept as they are, as code. */
	#readFrontMatter(line: string): void {
		if (line === "---" || line === "...") {
			const name = escapeText(this.#lines.slice(1, -1).join("\n"));
			atLine(1, () => this.#add({ name, layoutMode: "code-block", depth: 0, completed: false }));
			this.#clear();
		}
		this.#isFrontMatter = line !== "---" && line !== "..." && this.#lines.length < longestFrontMatter;
	}

	/** Whether all that is open ends before a line, but for a fence. */
	#canCutBefore(line: string): boolean {
		if (plainItem.test(line)) return true;
		return line !== "" && !/^[ \t]/.test(line) && (this.#lines.at(-1) ?? "").trim() === "";
	}

	#cut(): void {
		const blocks = blocksOf([...this.#lines, probe].join("\n"));
		const last = blocks.pop();
		if (last?.type === "fence") {
			// Looking again and again would take quadratic time.
			this.#wanted = 2 * this.#length;
			return;
		}
		this.#take(blocks);
		this.#clear();
	}

	#clear(): void {
		this.#lines = [];
		this.#length = 0;
		this.#wanted = pieceSize;
	}

	#take(blocks: readonly TextBlock[]): void {
		const piece: Piece = { lines: this.#lines, first: this.#number - this.#lines.length + 1 };
		for (const [index, block] of blocks.entries()) {
			atLine(
				() => lineOf(piece, index),
				() => this.#takeBlock(block),
			);
		}
	}

	#takeBlock(block: TextBlock): void {
		const { type, container, isItemNode, level } = block;
		const marked = type === "fence" ? { lines: block.lines, completed: false } : withoutMarker(block.lines);
		if (type === "paragraph" && container === "item" && !isItemNode) {
			this.#addToNote(this.#path[this.#headings.length + block.depth - 1]!, marked);
			return;
		}
		if (type === "heading" && container === undefined) {
			while ((this.#headings.at(-1) ?? 0) >= level) this.#headings.pop();
		}
		const depth = this.#headings.length + block.depth;
		const { name, layoutMode, completed } = blockOf({ ...block, lines: [...marked.lines] }, depth, this.#options);
		this.#add({ name, layoutMode, depth, completed: completed || marked.completed });
		if (type === "heading" && container === undefined) this.#headings.push(level);
	}

	#addToNote(node: OpenNode, { lines, completed }: { lines: readonly string[]; completed: boolean }): void {
		if (completed) node.completed = true;
		if (lines.length === 0) return;
		const text = noteOfMarkdown(lines);
		node.note = noteArgument(node.note === null ? text : `${node.note}\n\n${text}`, this.#settings);
	}

	#add({ name, ...said }: Omit<DraftNode, "note">): void {
		const node = { ...said, name: fragmentArgument(name, this.#settings), note: null };
		this.#path.length = said.depth;
		this.#path.push(node);
		this.#drafts.push(node);
	}
}

/** The line in which a block begins: the last of the fewest lines that have so many blocks. Takes time, for errors alone. */
function lineOf({ lines, first }: Piece, index: number): number {
	let low = 1;
	let high = lines.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (blocksOf(lines.slice(0, middle).join("\n")).length > index) high = middle;
		else low = middle + 1;
	}
	return first + low - 1;
}

import type { Settings } from "../../engine/settings.js";
import type { LayoutMode } from "../../layout-mode.js";
import { changed, joined, normalized } from "../../markup/long-text.js";
import { blockOf } from "../../markup/markdown.js";
import { BlockScanner, type TextBlock } from "../../markup/read/blocks.js";
import { assertLength, escapeText } from "../../markup/text.js";
import type { DraftNode } from "../../operations/draft.js";
import { longestText, readNote } from "../../operations/name.js";
import type { Steps } from "../../pace.js";
import { Drafts } from "../drafts.js";
import type { FormatReader, ImportDialect, ParsedFile } from "../format-module.js";
import { inLine, LineSplitter, malformed } from "../lines.js";
import type { LossCount } from "../loss.js";
import { areProperties, GatheredProperties, type LogseqProperty, logseqMarks } from "./logseq.js";
import { noteOfMarkdown, withoutMarker } from "./markdown-note.js";
import { blockOfTable, isTable } from "./table.js";

/** The number of lines read in a step. */
const linesInStep = 256;
/** The maximum number of lines of front matter. */
const longestFrontMatter = 1000;

/** A node that later lines may still change. */
interface OpenNode extends DraftNode {
	note: string | null;
	completed: boolean;
	properties: string | null;
}

/** The paragraphs of a note, and their total length. */
interface Paragraphs {
	readonly node: OpenNode;
	/** The line of the first paragraph. */
	readonly line: number;
	readonly texts: string[];
	length: number;
}

/**
 * Reads Markdown. List items nest. Blocks after a heading are below it, including deeper headings. A
 * paragraph of an item after its first belongs to the item's note; every other block is a node. A table is a
 * paragraph that keeps its lines.
 *
 * In Logseq, a first paragraph of properties makes the page a node, and everything else is below it.
 */
export class MarkdownReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lost: LossCount;
	readonly #dialect: ImportDialect | undefined;
	readonly #longest: number;
	readonly #lines: LineSplitter;
	readonly #scanner = new BlockScanner();
	readonly #drafts: Drafts;
	/** The ancestors of the next node by depth. After them, the list may hold older nodes. */
	readonly #path: OpenNode[] = [];
	/** The levels of the headings above the next block. The node of a page counts as a heading of level 0. */
	readonly #headings: number[] = [];
	readonly #notes = new Map<OpenNode, Paragraphs>();
	readonly #properties = new Map<OpenNode, GatheredProperties>();
	/** The lines that may be front matter; undefined once that is decided. */
	#frontMatter: string[] | undefined;
	/** The number of lines before the scanner's first line. */
	#linesBefore = 0;

	constructor(settings: Settings, lost: LossCount, dialect: ImportDialect | undefined) {
		this.#settings = settings;
		this.#lost = lost;
		this.#dialect = dialect;
		this.#longest = longestText(settings);
		this.#lines = new LineSplitter(this.#longest);
		this.#drafts = new Drafts(settings);
	}

	get nodes(): number {
		return this.#drafts.count;
	}

	write(piece: string): Steps<void> {
		return this.#read(this.#lines.write(piece));
	}

	*end(): Steps<ParsedFile> {
		yield* this.#read(this.#lines.end());
		for (const line of this.#frontMatter ?? []) yield* this.#scan(line);
		this.#scanner.end();
		yield* this.#takeBlocks();
		for (const { node, line, texts } of this.#notes.values()) {
			node.note = yield* inLine(line, readNote(yield* joined(texts, "\n\n"), this.#settings));
			yield;
		}
		for (const [node, properties] of this.#properties) {
			node.properties = properties.text();
			yield;
		}
		return this.#drafts.parsedFile();
	}

	*#read(lines: Iterable<string>): Steps<void> {
		for (const line of lines) {
			const text = yield* normalized(line);
			const { number } = this.#lines;
			if (number === 1 && text === "---") this.#frontMatter = [];
			if (this.#frontMatter === undefined) yield* this.#scan(text);
			else yield* this.#readFrontMatter(this.#frontMatter, text);
			if (number % linesInStep === 0) yield;
		}
	}

	/** Reads a line between two rules at the start of the file. These lines become a code block. */
	*#readFrontMatter(lines: string[], line: string): Steps<void> {
		lines.push(line);
		const isEnd = lines.length > 1 && (line === "---" || line === "...");
		if (!isEnd && lines.length < longestFrontMatter) return;
		this.#frontMatter = undefined;
		if (isEnd) {
			this.#linesBefore = lines.length;
			yield* inLine(1, this.#addText(lines.slice(1, -1).join("\n"), "code-block"));
		} else for (const each of lines) yield* this.#scan(each);
	}

	*#scan(line: string): Steps<void> {
		this.#scanner.read(line);
		yield* this.#takeBlocks();
		if (this.#scanner.openLength <= this.#longest) return;
		throw malformed(
			this.#lines.number,
			`The text up to here has more than ${this.#longest} characters, which no text may have. Put blank lines into it.`,
		);
	}

	*#takeBlocks(): Steps<void> {
		for (let block = this.#scanner.take(); block !== undefined; block = this.#scanner.take()) {
			yield* inLine(this.#linesBefore + block.line, this.#takeBlock(block));
		}
	}

	*#takeBlock(block: TextBlock): Steps<void> {
		const { type, container, isItemNode, level } = block;
		if (block.hasLanguage) this.#lost.add("codeLanguage");
		const isFirst = this.#dialect === "logseq" && this.nodes === 0;
		if (isFirst && type === "paragraph" && container === undefined && (yield* areProperties(block.lines))) {
			yield* this.#addPage((yield* logseqMarks(block.lines, false, this.#lost)).properties);
			return;
		}
		const marked = type === "fence" ? { lines: block.lines, completed: false } : withoutMarker(block.lines);
		const marks =
			this.#dialect === "logseq" && type === "paragraph" && container === "item"
				? yield* logseqMarks(marked.lines, isItemNode, this.#lost)
				: undefined;
		const lines = marks?.lines ?? marked.lines;
		if (type === "paragraph" && container === "item" && !isItemNode) {
			const node = this.#path[this.#headings.length + block.depth - 1]!;
			if (marked.completed) node.completed = true;
			if (marks !== undefined) yield* this.#addProperties(node, marks.properties);
			if (lines.length > 0) yield* this.#addToNote(node, yield* noteOfMarkdown(lines), block.line);
			return;
		}
		if (type === "heading" && container === undefined) {
			while ((this.#headings.at(-1) ?? 0) >= level) this.#headings.pop();
		}
		const depth = this.#headings.length + block.depth;
		// In Logseq, a line break in a block is one, and the lines behind it are the note.
		const own = marks === undefined ? lines : lines.slice(0, 1);
		const read = yield* (type === "paragraph" && isTable(own) ? blockOfTable : blockOf)(
			{ ...block, lines: own },
			depth,
			this.#settings,
		);
		const node = this.#add({ ...read, completed: read.completed || marked.completed }, marks?.isDone);
		if (marks !== undefined) {
			yield* this.#addProperties(node, marks.properties);
			if (lines.length > 1) yield* this.#addToNote(node, yield* noteOfMarkdown(lines.slice(1)), block.line);
		}
		if (type === "heading" && container === undefined) this.#headings.push(level);
	}

	/** Adds the node of a page of Logseq. Its name is the property `title`; blank without one. */
	*#addPage(properties: readonly LogseqProperty[]): Steps<void> {
		const titles = properties.filter(([key]) => key === "title").map(([, value]) => String(value));
		const title = titles.at(-1) ?? "";
		this.#lost.add("property", titles.filter((each) => each !== title).length);
		const node = yield* this.#addText(title, "bullets");
		yield* this.#addProperties(
			node,
			properties.filter(([key]) => key !== "title"),
		);
		this.#headings.push(0);
	}

	/** Adds a node at the top whose name is a text without markup. */
	*#addText(text: string, layoutMode: LayoutMode): Steps<OpenNode> {
		assertLength("name", text.length, this.#settings.limits.name);
		return this.#add({ name: yield* changed(text, escapeText), layoutMode, depth: 0, completed: false });
	}

	*#addProperties(node: OpenNode, properties: readonly LogseqProperty[]): Steps<void> {
		if (properties.length === 0) return;
		let gathered = this.#properties.get(node);
		if (gathered === undefined) {
			gathered = new GatheredProperties(this.#settings.limits.properties, this.#lost);
			this.#properties.set(node, gathered);
		}
		const { length } = gathered;
		yield* gathered.add(properties);
		this.#drafts.grow(gathered.length - length);
	}

	*#addToNote(node: OpenNode, text: string, line: number): Steps<void> {
		let note = this.#notes.get(node);
		if (note === undefined) {
			note = { node, line: this.#linesBefore + line, texts: [], length: 0 };
			this.#notes.set(node, note);
		}
		note.texts.push(text);
		note.length += text.length + 2;
		this.#drafts.grow(text.length + 2);
		// A note that is too long is refused now, before the whole file is read.
		if (note.length - 2 > this.#settings.limits.note) yield* readNote(note.texts.join("\n\n"), this.#settings);
	}

	/** @param isDone - for a task: whether the user has finished it */
	#add(said: Omit<DraftNode, "note" | "properties">, isDone?: boolean): OpenNode {
		const node: OpenNode = { ...said, note: null, properties: null };
		if (isDone !== undefined) Object.assign(node, { layoutMode: "todo", completed: isDone });
		this.#path.length = said.depth;
		this.#path.push(node);
		this.#drafts.add(node);
		return node;
	}
}

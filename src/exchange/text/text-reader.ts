import type { Settings } from "../../engine/settings.js";
import { joined, normalized, sliceLength } from "../../markup/long-text.js";
import { Line } from "../../markup/read/line.js";
import { normalizeText } from "../../markup/text.js";
import { longestText, plainName, readNote, readPlain } from "../../operations/name.js";
import type { Steps } from "../../pace.js";
import { Drafts } from "../drafts.js";
import { dynalistName } from "../dynalist.js";
import type { FormatReader, ImportDialect, ParsedFile } from "../format-module.js";
import { atLine, inLine, LineSplitter } from "../lines.js";
import type { LossCount } from "../loss.js";

/** The number of lines read in a step. */
const linesInStep = 256;
/** Begins a further line of a note or of a name. */
const continuation = /^\\([>+])(?: |$)/;
/** A backslash that makes the rest of the line the name, unchanged. */
const literalStart = /^\\(?=$|[ \t\ufeff\\])/;

/** The lines of a node that is being read. */
interface Lines {
	readonly line: number;
	readonly depth: number;
	readonly name: string[];
	readonly note: string[];
}

/** Reads indented text, without blank lines. A node's parent is the last node with less indentation. */
export class TextReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lost: LossCount;
	readonly #isDynalist: boolean;
	readonly #lines: LineSplitter;
	readonly #drafts: Drafts;
	/** The indentation of the ancestors, in columns. */
	readonly #indentations: number[] = [];
	#open: Lines | undefined;

	constructor(settings: Settings, lost: LossCount, dialect: ImportDialect | undefined) {
		this.#settings = settings;
		this.#lost = lost;
		this.#isDynalist = dialect === "dynalist";
		this.#lines = new LineSplitter(longestText(settings));
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
		yield* this.#close() ?? [];
		return this.#drafts.parsedFile();
	}

	*#read(lines: Iterable<string>): Steps<void> {
		for (const typed of lines) {
			const { number } = this.#lines;
			if (number % linesInStep === 0) yield;
			const text = typed.length > sliceLength ? yield* normalized(typed) : normalizeText(typed);
			const line = new Line(text);
			if (line.isBlank() || this.#continues(text, line)) continue;
			// Almost all lines of a file are read without further steps.
			const rest = this.#close();
			if (rest !== undefined) yield* rest;
			this.#begin(text, line, number);
		}
	}

	/** Adds a line to the current node if it continues that node. Returns whether it does. */
	#continues(text: string, line: Line): boolean {
		const start = line.contentStart();
		if (this.#open === undefined || text[start] !== "\\") return false;
		const content = text.slice(start);
		const [prefix, marker] = continuation.exec(content) ?? [];
		if (prefix === undefined) return false;
		this.#open[marker === ">" ? "note" : "name"].push(content.slice(prefix.length));
		return true;
	}

	#begin(text: string, line: Line, number: number): void {
		const indentation = line.indentation();
		const content = text.slice(line.contentStart());
		while ((this.#indentations.at(-1) ?? -1) >= indentation) this.#indentations.pop();
		this.#open = {
			line: number,
			depth: this.#indentations.length,
			name: [content.replace(literalStart, "")],
			note: [],
		};
		this.#indentations.push(indentation);
	}

	/** Creates a node from the lines read so far. Returns the remaining steps, if any. */
	#close(): Steps<void> | undefined {
		const open = this.#open;
		if (open === undefined) return undefined;
		this.#open = undefined;
		const { depth, name, note, line } = open;
		const isShort = name.length === 1 && note.length === 0 && !this.#isDynalist;
		const plain = isShort ? plainName(name[0], this.#settings, "text") : undefined;
		if (plain === undefined) return inLine(line, this.#add(open));
		atLine(line, () => this.#drafts.add({ depth, name: plain, note: null, layoutMode: "bullets", completed: false }));
		return undefined;
	}

	*#add({ depth, name, note }: Lines): Steps<void> {
		const typed = yield* joined(name, "\n");
		this.#drafts.add({
			depth,
			name: this.#isDynalist
				? yield* dynalistName(typed, this.#settings, this.#lost)
				: yield* readPlain(typed, this.#settings),
			note: note.length === 0 ? null : yield* readNote(yield* joined(note, "\n"), this.#settings),
			layoutMode: "bullets",
			completed: false,
		});
	}
}

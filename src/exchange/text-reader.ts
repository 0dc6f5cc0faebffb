import { Line } from "../markup/line.js";
import { escapeText, normalizeText } from "../markup/text.js";
import type { Settings } from "../settings.js";
import { fragmentArgument, noteArgument } from "../text.js";
import type { DraftNode } from "../tree.js";
import { arrivalOf } from "./drafts.js";
import type { Arrival, FormatReader } from "./format-module.js";
import { atLine } from "./line-error.js";
import { LineSplitter } from "./lines.js";

/** A further line of a note or of a name. */
const continuation = /^\\([>+])(?: |$)/;
/** A backslash that makes the rest of the line the name, to the letter. */
const literalStart = /^\\(?=$|[ \t\ufeff\\])/;

/** A node that is being read. */
interface Lines {
	readonly line: number;
	readonly depth: number;
	readonly name: string[];
	readonly note: string[];
}

/** Reads indented plain text. A node is below the nearest one before it that is indented less; blank lines count for nothing. */
export class TextReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lines = new LineSplitter((line, number) => this.#read(normalizeText(line), number));
	readonly #drafts: DraftNode[] = [];
	/** How far the nodes above are indented, in columns. */
	readonly #indentations: number[] = [];
	#open: Lines | undefined;

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	get nodes(): number {
		return this.#drafts.length;
	}

	write(piece: string): void {
		this.#lines.write(piece);
	}

	end(): Arrival {
		this.#lines.end();
		this.#close();
		return arrivalOf(this.#drafts);
	}

	#read(text: string, number: number): void {
		const line = new Line(text);
		if (line.isBlank()) return;
		const indentation = line.indentation();
		const content = text.slice(line.contentStart());
		const [prefix = "", marker] = continuation.exec(content) ?? [];
		if (this.#open !== undefined && marker !== undefined) {
			this.#open[marker === ">" ? "note" : "name"].push(content.slice(prefix.length));
			return;
		}
		this.#close();
		while ((this.#indentations.at(-1) ?? -1) >= indentation) this.#indentations.pop();
		this.#open = {
			line: number,
			depth: this.#indentations.length,
			name: [content.replace(literalStart, "")],
			note: [],
		};
		this.#indentations.push(indentation);
	}

	#close(): void {
		if (this.#open === undefined) return;
		const { line, depth, name, note } = this.#open;
		this.#open = undefined;
		const text = note.length === 0 ? null : note.join("\n");
		this.#drafts.push({
			depth,
			name: atLine(line, () => fragmentArgument(escapeText(name.join("\n")), this.#settings)),
			note: atLine(line, () => noteArgument(text, this.#settings)),
			layoutMode: "bullets",
			completed: false,
		});
	}
}

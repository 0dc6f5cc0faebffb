import { CommitSize } from "../../engine/commit-size.js";
import type { Settings } from "../../engine/settings.js";
import { sizeOfRecord } from "../../node.js";
import { longestText } from "../../operations/name.js";
import type { Steps } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import type { FormatReader, ParsedFile } from "../format-module.js";
import { inLine, LineSplitter, malformed } from "../lines.js";
import type { LossCount } from "../loss.js";
import { parsedRecords } from "./json-insertion.js";
import { fieldsOfLine, headerOf, type JsonHeader, keyOfLine, recordOfLine } from "./json-lines.js";
import { type Numbered, outlineOf } from "./json-structure.js";

/** The number of lines read in a step. */
const linesInStep = 256;
/**
 * The maximum length of a line, as a multiple of the longest text. A line has a name and a note, and an
 * escape takes six characters.
 */
const lengthening = 12;

/** Reads an outline as JSON Lines. Nodes and keys may come in any order. */
export class JsonReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lost: LossCount;
	readonly #lines: LineSplitter;
	readonly #size: CommitSize;
	readonly #nodes: Numbered<NodeRecord>[] = [];
	readonly #keys: Numbered<Key>[] = [];
	#header: JsonHeader | undefined;

	constructor(settings: Settings, lost: LossCount) {
		this.#settings = settings;
		this.#lost = lost;
		this.#lines = new LineSplitter(lengthening * longestText(settings));
		this.#size = new CommitSize(settings, "Import the file in parts");
	}

	get nodes(): number {
		return this.#nodes.length;
	}

	write(piece: string): Steps<void> {
		return this.#read(this.#lines.write(piece));
	}

	*end(): Steps<ParsedFile> {
		yield* this.#read(this.#lines.end());
		if (this.#header === undefined)
			throw malformed(1, "The file is empty. Its first line must be the header of an export.");
		const { nodes, keys } = this.#header;
		if (this.#nodes.length !== nodes || this.#keys.length !== keys) {
			throw malformed(
				Math.max(1, this.#lines.number),
				`The file ends with ${this.#nodes.length} nodes and ${this.#keys.length} keys, and its header says ${nodes} and ${keys}. It may have been cut off.`,
			);
		}
		return parsedRecords(
			yield* outlineOf(this.#nodes, this.#keys),
			this.#keys.map(({ value }) => value),
		);
	}

	*#read(lines: Iterable<string>): Steps<void> {
		for (const line of lines) {
			const { number } = this.#lines;
			if (number % linesInStep === 0) yield;
			if (/\S/.test(line)) yield* inLine(number, this.#readLine(line, number));
		}
	}

	*#readLine(json: string, line: number): Steps<void> {
		const fields = yield* fieldsOfLine(json, this.#settings);
		if (this.#header === undefined) this.#header = headerOf(fields);
		else if ("key" in fields) this.#keys.push({ line, value: keyOfLine(fields, this.#lost) });
		else {
			const value = yield* recordOfLine(fields, this.#settings, this.#lost);
			this.#size.add(sizeOfRecord(value));
			this.#nodes.push({ line, value });
		}
	}
}

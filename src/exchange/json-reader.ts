import type { Settings } from "../settings.js";
import type { KeyRecord, NodeRecord } from "../storage.js";
import type { Arrival, FormatReader } from "./format-module.js";
import { arrivalOfRecords } from "./json-arrival.js";
import { fieldsOfLine, headerOf, type JsonHeader, keyOfLine, recordOfLine } from "./json-lines.js";
import { assertOutline, type Numbered } from "./json-structure.js";
import { atLine, malformed } from "./line-error.js";
import { LineSplitter } from "./lines.js";
import type { LossCount } from "./loss.js";

/** Reads an outline as JSON Lines. Nodes may stand in any order, and keys among them. */
export class JsonReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lost: LossCount;
	readonly #lines = new LineSplitter((line, number) => this.#read(line, number));
	readonly #nodes: Numbered<NodeRecord>[] = [];
	readonly #keys: Numbered<KeyRecord>[] = [];
	#header: JsonHeader | undefined;
	#last = 1;

	constructor(settings: Settings, lost: LossCount) {
		this.#settings = settings;
		this.#lost = lost;
	}

	get nodes(): number {
		return this.#nodes.length;
	}

	write(piece: string): void {
		this.#lines.write(piece);
	}

	end(): Arrival {
		this.#lines.end();
		if (this.#header === undefined)
			throw malformed(1, "The file is empty. Its first line must be the header of an export.");
		const { nodes, keys } = this.#header;
		if (this.#nodes.length !== nodes || this.#keys.length !== keys) {
			throw malformed(
				this.#last,
				`The file ends with ${this.#nodes.length} nodes and ${this.#keys.length} keys, and its header says ${nodes} and ${keys}. It may have been cut off.`,
			);
		}
		const ordered = assertOutline(this.#nodes, this.#keys);
		return arrivalOfRecords(
			ordered,
			this.#keys.map(({ value }) => value),
		);
	}

	#read(line: string, number: number): void {
		this.#last = number;
		if (line.trim() === "") return;
		atLine(number, () => {
			const fields = fieldsOfLine(line);
			if (this.#header === undefined) this.#header = headerOf(fields);
			else if ("key" in fields) this.#keys.push({ line: number, value: keyOfLine(fields, this.#lost) });
			else this.#nodes.push({ line: number, value: recordOfLine(fields, this.#settings, this.#lost) });
		});
	}
}

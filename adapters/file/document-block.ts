import type { Buffer } from "node:buffer";
import type { OutlineError } from "../../src/errors.js";
import type { Document } from "../../src/storage.js";
import type { PackedDocuments } from "../resident/index/document-index.js";
import { isPart } from "../resident/validity.js";
import { crcLength } from "./line.js";

const start = '"documents":[{"key":"';
const documentStart = '{"key":"';
const keyEnd = '","value":"';

/** The most bytes of a block that is parsed in one step. Only large documents make longer ones. */
const mostBytes = 2 ** 21;

/** Whether a line of a snapshot, with the right checksum, holds a block of documents that one step can parse. */
export function isDocumentBlock(line: Buffer): boolean {
	return line.length <= mostBytes && line.toString("latin1", crcLength, crcLength + start.length) === start;
}

/**
 * A block of documents as it is in a file: a line of JSON. Its documents always have the same form, so this class
 * finds their beginnings in the bytes: a quote within a text has a backslash before it. It parses the line only if
 * a document of the block is needed.
 */
export class DocumentBlock implements PackedDocuments {
	readonly first: string;
	readonly last: string;
	readonly #line: Buffer;
	readonly #damaged: () => OutlineError;
	/** Undefined until it is needed: a file has many blocks, and few are read. */
	#count: number | undefined;

	/**
	 * @param line - a whole line for which {@link isDocumentBlock} is true
	 * @throws the error of `damaged` if the line isn't in the form that this code writes; `documents` throws it too
	 */
	constructor(line: Buffer, damaged: () => OutlineError) {
		this.#line = line;
		this.#damaged = damaged;
		this.first = this.#keyAt(line.indexOf(documentStart));
		this.last = this.#keyAt(line.lastIndexOf(documentStart));
	}

	get count(): number {
		if (this.#count === undefined) {
			// A search in a text takes a third or less of one in a buffer, and there may be many documents.
			this.#count = this.#line.toString("latin1").split(documentStart).length - 1;
		}
		return this.#count;
	}

	documents(): readonly Document[] {
		try {
			const { crc32: _, ...content } = JSON.parse(this.#line.toString());
			const { documents } = content;
			if (Object.keys(content).length === 1 && isPart(content) && documents.length === this.count) return documents;
		} catch {
			// The line isn't even JSON.
		}
		throw this.#damaged();
	}

	#keyAt(at: number): string {
		const from = at + documentStart.length - 1;
		const end = this.#line.indexOf(keyEnd, from);
		try {
			return JSON.parse(this.#line.toString("utf8", from, end + 1));
		} catch {
			throw this.#damaged();
		}
	}
}

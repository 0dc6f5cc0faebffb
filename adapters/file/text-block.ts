import type { Buffer } from "node:buffer";
import type { OutlineError } from "../../src/errors.js";
import { finished } from "../../src/pace.js";
import type { NodeRecord } from "../../src/storage.js";
import { hashed, type PackedBlock } from "../resident/packed/packed-nodes.js";
import { missing } from "../resident/packed/parents.js";
import { type PackedColumns, recordsOfColumns } from "../resident/snapshot-block.js";
import { isNode } from "../resident/validity.js";
import { contentOf } from "./line.js";

const idLength = 36;
const shortLength = 12;

/** The length of `"…",`. */
const stride = idLength + 3;

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const closing = 0x5d;

const idStart = '"id":["';
const parentStart = '],"parent":[';
const originStart = ',"originId":{';

/** The last member, and the most characters that it has. */
const firstMember = /,"first":(\d{1,10})\}$/;
const firstLength = 22;

/** Whether a line holds a block of nodes. Its members begin at the offset `at`. */
export function isTextBlock(line: Buffer, at: number): boolean {
	return line.toString("latin1", at, at + idStart.length) === idStart;
}

/**
 * A block of nodes as it is in a file: a line of JSON. Its first members are the ids, the parents and the
 * origins of mirrors, always in the same form, so this class finds them in the bytes. It parses the line only
 * if a record of the block is needed.
 */
export class TextBlock implements PackedBlock {
	readonly parents: Int32Array;
	readonly origins: readonly (readonly [row: number, originId: string])[];
	readonly #line: Buffer;
	/** The offset of the first id. */
	readonly #ids: number;
	readonly #damaged: () => OutlineError;

	/**
	 * @param line - a whole line with the right checksum that holds a block of nodes
	 * @param at - the offset of its members
	 * @param first - the number of nodes in the blocks before it
	 * @param nodes - the number of nodes in the snapshot
	 * @throws the error of `damaged` if the line isn't in the form that this code writes; `records` throws it
	 * too
	 */
	constructor(line: Buffer, at: number, first: number, nodes: number, damaged: () => OutlineError) {
		this.#line = line;
		this.#ids = at + idStart.length;
		this.#damaged = damaged;
		const count = this.#countIds();
		const start = this.#ids + count * stride - 2;
		if (line.toString("latin1", start, start + parentStart.length) !== parentStart) throw damaged();
		this.parents = new Int32Array(count);
		const end = this.#readParents(start + parentStart.length, nodes);
		this.origins = this.#readOrigins(end);
		const told = firstMember.exec(line.toString("latin1", Math.max(end, line.length - firstLength)))?.[1];
		// Earlier releases didn't write this member.
		if (told !== undefined && Number(told) !== first) throw damaged();
	}

	get count(): number {
		return this.parents.length;
	}

	hashOf(row: number, seed: number): number {
		const end = this.#ids + row * stride + idLength;
		let hash = seed;
		for (let at = end - shortLength; at < end; at++) hash = hashed(hash, this.#line[at]!);
		return hash;
	}

	idAt(row: number): string {
		const start = this.#ids + row * stride;
		return this.#line.toString("latin1", start, start + idLength);
	}

	endsWith(row: number, id: string): boolean {
		if (id.length > idLength) return false;
		const start = this.#ids + row * stride + idLength - id.length;
		for (let index = 0; index < id.length; index++) {
			if (this.#line[start + index] !== id.charCodeAt(index)) return false;
		}
		return true;
	}

	records(parentIdOf: (row: number) => string): NodeRecord[] {
		try {
			const columns = finished(contentOf(this.#line)) as PackedColumns;
			const records = recordsOfColumns(columns, (row, parentId) =>
				this.parents[row]! >= 0 ? parentIdOf(row) : this.parents[row] === missing ? parentId : null,
			);
			if (records.length === this.count && records.every(isNode)) return records;
		} catch {
			// The block isn't even in columns.
		}
		throw this.#damaged();
	}

	#countIds(): number {
		const line = this.#line;
		for (let count = 1; ; count++) {
			const end = this.#ids + count * stride - 3;
			if (line[end + 1] === closing) return count;
			if (line[end + 1] !== comma || line[end + 2] !== quote) throw this.#damaged();
		}
	}

	/** Reads the list of the parents. Returns the offset of its end. */
	#readParents(start: number, nodes: number): number {
		const line = this.#line;
		let at = start;
		for (let row = 0; row < this.parents.length; row++) {
			const negative = line[at] === minus;
			if (negative) at += 1;
			let number = 0;
			for (let digit = line[at]! - zero; digit >= 0 && digit <= 9; digit = line[++at]! - zero)
				number = number * 10 + digit;
			this.parents[row] = negative ? -number : number;
			if (number >= nodes && !negative) throw this.#damaged();
			if (line[at++] !== (row + 1 < this.parents.length ? comma : closing)) throw this.#damaged();
		}
		return at;
	}

	#readOrigins(start: number): [row: number, originId: string][] {
		const line = this.#line;
		if (line.toString("latin1", start, start + originStart.length) !== originStart) return [];
		const end = line.indexOf("}", start) + 1;
		try {
			const origins: Record<string, string> = JSON.parse(line.toString("latin1", start + originStart.length - 1, end));
			return Object.entries(origins).map(([row, originId]) => [Number(row), originId]);
		} catch {
			throw this.#damaged();
		}
	}
}

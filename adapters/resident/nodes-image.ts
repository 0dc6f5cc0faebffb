import type { NodeRecord } from "../../src/storage.js";
import type { TableCopy } from "./node-table.js";
import { missing, topLevel } from "./packed-block.js";
import { type PackedNodes, recordsOf } from "./packed-nodes.js";

/** A node of an image: its record, and the place of its parent in the image, or what stands for one. */
export interface ImageNode {
	readonly record: NodeRecord;
	readonly parent: number;
}

/** The nodes of an index as they were at one revision, in any order. The packed ones are read when they are asked for. */
export class NodesImage {
	/** By number: null where there is none, undefined where it is packed. */
	readonly #records: (NodeRecord | null | undefined)[] = [];
	/** By number, the number of the parent, or what stands for one. */
	readonly #parents: Int32Array;
	readonly #packed: PackedNodes;
	#length = 0;

	constructor({ entries, packed }: TableCopy) {
		this.#parents = new Int32Array(entries.length);
		this.#packed = packed;
		for (let number = 0; number < entries.length; number++) {
			const entry = entries[number];
			this.#records.push(entry ? entry.record : entry);
			if (entry === null) continue;
			this.#length += 1;
			// Whoever hasn't been looked for since the snapshot hasn't moved either.
			if (entry === undefined || entry.parent === undefined) this.#parents[number] = packed.parentOf(number);
			else if (entry.parent !== null) this.#parents[number] = entry.parent.number;
			else this.#parents[number] = entry.record.parentId === null ? topLevel : missing;
		}
	}

	/** How many nodes there are. */
	get length(): number {
		return this.#length;
	}

	/** Every record. */
	*records(): Generator<NodeRecord, void, undefined> {
		for (let number = 0; number < this.#records.length; number++) {
			const record = this.#records[number];
			if (record) yield record;
			else if (record === undefined) {
				const block = this.#unpacked(number);
				yield* block;
				number += block.length - 1;
			}
		}
	}

	/** Every node, each with the place of its parent among them. */
	*nodes(): Generator<ImageNode, void, undefined> {
		const places = new Int32Array(this.#records.length);
		let place = 0;
		for (const [number, record] of this.#records.entries()) if (record !== null) places[number] = place++;
		let number = 0;
		for (const record of this.records()) {
			while (this.#records[number] === null) number += 1;
			const parent = this.#parents[number]!;
			yield { record, parent: parent < 0 ? parent : places[parent]! };
			number += 1;
		}
	}

	/** The records of the block that begins with a number. */
	#unpacked(number: number): NodeRecord[] {
		return recordsOf(this.#packed.block(this.#packed.placeOf(number)), (parent) => this.#idOf(parent));
	}

	#idOf(number: number): string {
		const record = this.#records[number];
		if (record) return record.id;
		const place = this.#packed.placeOf(number);
		return this.#packed.block(place).idAt(number - this.#packed.startOf(place));
	}
}

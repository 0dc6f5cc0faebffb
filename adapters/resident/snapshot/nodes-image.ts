import type { NodeRecord } from "../../../src/storage.js";
import type { TableCopy } from "../index/node-table.js";
import { missing, topLevel } from "./packed-block.js";
import { type PackedNodes, recordsOf } from "./packed-nodes.js";

/** How many blocks are kept while they are written anew: what was together mostly still is. */
const blocksAtHand = 8;

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

	/**
	 * Every node, each with the place of its parent among them: those of the top level first, and the children of each together,
	 * so that whoever goes down from the top finds what is listed in few blocks.
	 */
	*nodes(): Generator<ImageNode, void, undefined> {
		const order = this.#fromTop();
		const places = new Int32Array(this.#records.length);
		for (let place = 0; place < order.length; place++) places[order[place]!] = place;
		const blocks = new Map<number, readonly NodeRecord[]>();
		for (const number of order) {
			const parent = this.#parents[number]!;
			const record = this.#records[number] ?? this.#packedRecord(number, blocks);
			yield { record, parent: parent < 0 ? parent : places[parent]! };
		}
	}

	/** The numbers of all nodes, level by level. */
	#fromTop(): Int32Array {
		const starts = new Int32Array(this.#records.length + 2);
		const slot = (number: number) => Math.max(this.#parents[number]!, topLevel) - topLevel;
		for (let number = 0; number < this.#records.length; number++) {
			if (this.#records[number] !== null) starts[slot(number) + 1]! += 1;
		}
		for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
		const children = new Int32Array(this.#length);
		const next = starts.slice();
		for (let number = 0; number < this.#records.length; number++) {
			if (this.#records[number] !== null) children[next[slot(number)]!++] = number;
		}
		const order = new Int32Array(this.#length);
		const seen = new Uint8Array(this.#records.length);
		let count = 0;
		const add = (parent: number) => {
			for (let at = starts[parent - topLevel]!; at < starts[parent - topLevel + 1]!; at++) {
				seen[children[at]!] = 1;
				order[count++] = children[at]!;
			}
		};
		add(topLevel);
		for (let at = 0; at < count; at++) add(order[at]!);
		// In a damaged outline, some may stand below themselves.
		for (let number = 0; count < order.length; number++) {
			if (seen[number] === 0 && this.#records[number] !== null) order[count++] = number;
		}
		return order;
	}

	/** @param blocks - those that have been read last */
	#packedRecord(number: number, blocks: Map<number, readonly NodeRecord[]>): NodeRecord {
		const place = this.#packed.placeOf(number);
		let records = blocks.get(place);
		if (records === undefined) {
			const [oldest] = blocks.keys();
			if (blocks.size === blocksAtHand) blocks.delete(oldest!);
			records = this.#unpacked(number);
			blocks.set(place, records);
		}
		return records[number - this.#packed.startOf(place)]!;
	}

	/** The records of the block that has a number. */
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

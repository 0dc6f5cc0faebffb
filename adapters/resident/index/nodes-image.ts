import type { NodeRecord } from "../../../src/storage.js";
import { type PackedNodes, recordsOf } from "../packed/packed-nodes.js";
import { childNumbers, missing, topLevel } from "../packed/parents.js";
import type { TableCopy } from "./node-table.js";

/**
 * The number of unpacked blocks to keep while they are written again. Most neighbours are still in one block.
 */
const blocksAtHand = 8;

/**
 * A node of an image: its record, and the index of its parent in the image, or {@link topLevel} or
 * {@link missing}.
 */
export interface ImageNode {
	readonly record: NodeRecord;
	readonly parent: number;
}

/** The nodes of an index at one revision, in any order. Packed nodes are unpacked only when they are read. */
export class NodesImage {
	/** By number: null for a deleted node, undefined for a packed one. */
	readonly #records: (NodeRecord | null | undefined)[] = [];
	/** By number: the number of the parent, {@link topLevel} or {@link missing}. */
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
			// A node whose parent wasn't looked up after the snapshot was read hasn't moved either.
			if (entry === undefined || entry.parent === undefined) this.#parents[number] = packed.parentOf(number);
			else if (entry.parent !== null) this.#parents[number] = entry.parent.number;
			else this.#parents[number] = entry.record.parentId === null ? topLevel : missing;
		}
	}

	/** The number of nodes. */
	get length(): number {
		return this.#length;
	}

	/** Yields every record. */
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
	 * Yields every node with the index of its parent among them. The nodes of the top level come first, and the
	 * children of each node come together. So a reader that descends from the top finds a list in few blocks.
	 */
	*nodes(): Generator<ImageNode, void, undefined> {
		const order = this.#fromTop();
		const indexes = new Int32Array(this.#records.length);
		for (let index = 0; index < order.length; index++) indexes[order[index]!] = index;
		const blocks = new Map<number, readonly NodeRecord[]>();
		for (const number of order) {
			const parent = this.#parents[number]!;
			const record = this.#records[number] ?? this.#packedRecord(number, blocks);
			yield { record, parent: parent < 0 ? parent : indexes[parent]! };
		}
	}

	/** Returns the numbers of all nodes, level by level. */
	#fromTop(): Int32Array {
		// Nodes without a parent come with those of the top level.
		const parents = this.#parents.map((parent, number) =>
			this.#records[number] === null ? missing : Math.max(parent, topLevel),
		);
		const { starts, numbers } = childNumbers([parents], parents.length);
		const order = new Int32Array(this.#length);
		const seen = new Uint8Array(this.#records.length);
		let count = 0;
		const add = (parent: number) => {
			for (let at = starts[parent - topLevel]!; at < starts[parent - topLevel + 1]!; at++) {
				seen[numbers[at]!] = 1;
				order[count++] = numbers[at]!;
			}
		};
		add(topLevel);
		for (let at = 0; at < count; at++) add(order[at]!);
		// In a damaged outline, a node may be its own ancestor.
		for (let number = 0; count < order.length; number++) {
			if (seen[number] === 0 && this.#records[number] !== null) order[count++] = number;
		}
		return order;
	}

	/** @param blocks - the blocks that were read last */
	#packedRecord(number: number, blocks: Map<number, readonly NodeRecord[]>): NodeRecord {
		const index = this.#packed.blockIndexOf(number);
		let records = blocks.get(index);
		if (records === undefined) {
			const [oldest] = blocks.keys();
			if (blocks.size === blocksAtHand) blocks.delete(oldest!);
			records = this.#unpacked(number);
			blocks.set(index, records);
		}
		return records[number - this.#packed.startOf(index)]!;
	}

	/** Returns the records of the block that has a number. */
	#unpacked(number: number): NodeRecord[] {
		return recordsOf(this.#packed.block(this.#packed.blockIndexOf(number)), (parent) => this.#idOf(parent));
	}

	#idOf(number: number): string {
		return this.#records[number]?.id ?? this.#packed.idAt(number);
	}
}

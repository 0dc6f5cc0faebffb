import type { NodeRecord } from "../../../src/storage.js";
import { type ChildNumbers, childNumbers, topLevel } from "./parents.js";

/** Some nodes of a snapshot as they were read. Each becomes a record only when it is needed. */
export interface PackedBlock {
	/** The number of nodes. A row is the index of a node within the block. */
	readonly count: number;
	/** For each row the number of the parent within the whole snapshot, {@link topLevel} or {@link missing}. */
	readonly parents: Int32Array;
	/** The rows of mirrors, with the ids of their origins. */
	readonly origins: readonly (readonly [row: number, originId: string])[];
	/** Returns the hash of the last twelve characters of an id, by {@link hashed}. */
	hashOf(row: number, seed: number): number;
	/** Returns the id of a row. */
	idAt(row: number): string;
	/** Whether the id of a row is this one, or ends with it. */
	endsWith(row: number, id: string): boolean;
	/**
	 * Returns all records.
	 *
	 * @param parentIdOf - returns the id of the parent of a row, if the parent has a number
	 * @throws `storage_corrupt` if the block isn't valid
	 */
	records(parentIdOf: (row: number) => string): NodeRecord[];
}

/**
 * The nodes of a snapshot, in blocks, by their numbers. The number 0 is the first node of the first block.
 * The nodes stay as they were read; later changes aren't recorded here.
 */
export class PackedNodes {
	/** Null for a block that isn't needed any more. */
	readonly #blocks: (PackedBlock | null)[] = [];
	/** The number of the first node of each block. */
	readonly #starts: number[] = [];
	readonly #parents: Int32Array[] = [];
	/** The numbers of all nodes with a parent, ordered by their parents. Null until first needed. */
	#children: ChildNumbers | null = null;
	#count = 0;

	/** The number of nodes. */
	get count(): number {
		return this.#count;
	}

	/** Adds a block. Returns the number of its first node. */
	add(block: PackedBlock): number {
		const start = this.#count;
		this.#blocks.push(block);
		this.#starts.push(start);
		this.#parents.push(block.parents);
		this.#count += block.count;
		return start;
	}

	/** Returns the id of a node. */
	idAt(number: number): string {
		const index = this.blockIndexOf(number);
		return this.block(index).idAt(number - this.#starts[index]!);
	}

	/** Whether the id of a node ends with a text. */
	endsWith(number: number, text: string): boolean {
		const index = this.blockIndexOf(number);
		return this.block(index).endsWith(number - this.#starts[index]!, text);
	}

	/** Returns the index of the block that has a number. */
	blockIndexOf(number: number): number {
		let low = 0;
		for (let high = this.#starts.length; high - low > 1; ) {
			const middle = (low + high) >> 1;
			if (this.#starts[middle]! <= number) low = middle;
			else high = middle;
		}
		return low;
	}

	/** Returns the number of the first node of a block. */
	startOf(index: number): number {
		return this.#starts[index]!;
	}

	/** Returns a block. */
	block(index: number): PackedBlock {
		return this.#blocks[index]!;
	}

	/**
	 * Forgets a block after all of its nodes have been unpacked. A caller that already has the block can still
	 * use it.
	 */
	drop(index: number): void {
		this.#blocks[index] = null;
	}

	/** Returns the number of a node's parent, {@link topLevel} or {@link missing}. */
	parentOf(number: number): number {
		const index = this.blockIndexOf(number);
		return this.#parents[index]![number - this.#starts[index]!]!;
	}

	/** Returns the numbers of the children of a node, or of the top level. */
	childrenOf(parent: number): Int32Array {
		this.#children ??= childNumbers(this.#parents, this.#count);
		const { starts, numbers } = this.#children;
		return numbers.subarray(starts[parent - topLevel], starts[parent - topLevel + 1]);
	}

	/** Returns a copy that keeps its blocks even if this object drops some. */
	copy(): PackedNodes {
		const copy = new PackedNodes();
		copy.#blocks.push(...this.#blocks);
		copy.#starts.push(...this.#starts);
		copy.#parents.push(...this.#parents);
		copy.#count = this.#count;
		return copy;
	}
}

/** Returns the records of a block. `idOf` returns the id of a parent by its number. */
export function recordsOf(block: PackedBlock, idOf: (number: number) => string): NodeRecord[] {
	// Siblings are usually next to each other, and share the string.
	let last = topLevel;
	let id = "";
	return block.records((row) => {
		const parent = block.parents[row]!;
		if (parent !== last) {
			last = parent;
			id = idOf(parent);
		}
		return id;
	});
}

/** Adds a character to a hash. */
export function hashed(hash: number, code: number): number {
	return Math.imul(hash ^ code, 0x01000193);
}

import type { NodeRecord } from "../../../src/storage.js";
import { type PackedBlock, topLevel } from "./packed-block.js";

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
	#children: { readonly starts: Int32Array; readonly numbers: Int32Array } | null = null;
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

	/** Returns the index of the block that has a number. */
	placeOf(number: number): number {
		let low = 0;
		for (let high = this.#starts.length; high - low > 1; ) {
			const middle = (low + high) >> 1;
			if (this.#starts[middle]! <= number) low = middle;
			else high = middle;
		}
		return low;
	}

	/** Returns the number of the first node of a block. */
	startOf(place: number): number {
		return this.#starts[place]!;
	}

	/** Returns a block. */
	block(place: number): PackedBlock {
		return this.#blocks[place]!;
	}

	/**
	 * Forgets a block after all of its nodes have been unpacked. A caller that already has the block can still
	 * use it.
	 */
	drop(place: number): void {
		this.#blocks[place] = null;
	}

	/** Returns the number of a node's parent, {@link topLevel} or {@link missing}. */
	parentOf(number: number): number {
		const place = this.placeOf(number);
		return this.#parents[place]![number - this.#starts[place]!]!;
	}

	/** Returns the numbers of the children of a node, or of the top level. */
	childrenOf(parent: number): Int32Array {
		this.#children ??= this.#byParent();
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

	/** Returns the children ordered by their parents, by a counting sort. */
	#byParent(): { starts: Int32Array; numbers: Int32Array } {
		const starts = new Int32Array(this.#count + 2);
		for (const parents of this.#parents) {
			for (const parent of parents) if (parent >= topLevel) starts[parent - topLevel + 1]! += 1;
		}
		for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
		const numbers = new Int32Array(starts.at(-1)!);
		const next = starts.slice();
		let number = 0;
		for (const parents of this.#parents) {
			for (const parent of parents) {
				if (parent >= topLevel) numbers[next[parent - topLevel]!++] = number;
				number += 1;
			}
		}
		return { starts, numbers };
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

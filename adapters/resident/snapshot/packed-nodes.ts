import type { NodeRecord } from "../../../src/storage.js";
import { type PackedBlock, topLevel } from "./packed-block.js";

/**
 * The nodes of a snapshot, in blocks, by their numbers: they count from the first of the first block. They stay as they were
 * read; whatever has become of one since is none of theirs.
 */
export class PackedNodes {
	/** Null for a block that nobody needs any more. */
	readonly #blocks: (PackedBlock | null)[] = [];
	/** The number of the first node of each block. */
	readonly #starts: number[] = [];
	readonly #parents: Int32Array[] = [];
	/** The numbers of all nodes with a parent, ordered by their parents. Null until somebody asks. */
	#children: { readonly starts: Int32Array; readonly numbers: Int32Array } | null = null;
	#count = 0;

	/** How many nodes there are. */
	get count(): number {
		return this.#count;
	}

	/** Adds a block. Gives the number of its first node. */
	add(block: PackedBlock): number {
		const start = this.#count;
		this.#blocks.push(block);
		this.#starts.push(start);
		this.#parents.push(block.parents);
		this.#count += block.count;
		return start;
	}

	/** The place of the block that has a number. */
	placeOf(number: number): number {
		let low = 0;
		for (let high = this.#starts.length; high - low > 1; ) {
			const middle = (low + high) >> 1;
			if (this.#starts[middle]! <= number) low = middle;
			else high = middle;
		}
		return low;
	}

	/** The number of the first node of a block. */
	startOf(place: number): number {
		return this.#starts[place]!;
	}

	/** A block. */
	block(place: number): PackedBlock {
		return this.#blocks[place]!;
	}

	/** Lets go of a block, all of whose nodes are known now. Who has it already may go on with it. */
	drop(place: number): void {
		this.#blocks[place] = null;
	}

	/** The number of a node's parent, or what stands for one. */
	parentOf(number: number): number {
		const place = this.placeOf(number);
		return this.#parents[place]![number - this.#starts[place]!]!;
	}

	/** The numbers of the children of a node, or of the top level. */
	childrenOf(parent: number): Int32Array {
		this.#children ??= this.#byParent();
		const { starts, numbers } = this.#children;
		return numbers.subarray(starts[parent - topLevel], starts[parent - topLevel + 1]);
	}

	/** The same nodes, that stay together although some may be let go of here. */
	copy(): PackedNodes {
		const copy = new PackedNodes();
		copy.#blocks.push(...this.#blocks);
		copy.#starts.push(...this.#starts);
		copy.#parents.push(...this.#parents);
		copy.#count = this.#count;
		return copy;
	}

	/** Counts the children of each, and puts each behind those that belong before it. */
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

/** The records of a block whose parents' ids are asked of `idOf`, by their numbers. */
export function recordsOf(block: PackedBlock, idOf: (number: number) => string): NodeRecord[] {
	// Siblings mostly stand together, and share the text.
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

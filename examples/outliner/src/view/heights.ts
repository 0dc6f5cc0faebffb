/** The most rows of a block, and the rows of each block that a larger one is divided into. */
const [mostInBlock, usualInBlock] = [1024, 512];

/** The heights of rows that follow each other. */
class Block {
	readonly heights: number[];
	total: number;

	constructor(heights: number[]) {
		this.heights = heights;
		this.total = sum(heights);
	}
}

/**
 * The heights of a long list of rows, in pixels, and the places that follow from them. The rows are in blocks, so
 * a change or a question looks at a few hundred numbers, however long the list is.
 */
export class Heights {
	#blocks: Block[] = [];
	#total = 0;

	/** The height of all rows together. */
	get total(): number {
		return this.#total;
	}

	/** The height of a row; 0 if there is no such row. */
	of(index: number): number {
		const [block, offset] = this.#find(index);
		return this.#blocks[block]?.heights[offset] ?? 0;
	}

	/** The distance of a row from the top of the list; for the number of rows, the end of the last one. */
	topOf(index: number): number {
		const [block, offset] = this.#find(index);
		let top = 0;
		for (let at = 0; at < block; at++) top += this.#blocks[at]!.total;
		for (let at = 0; at < offset; at++) top += this.#blocks[block]!.heights[at]!;
		return top;
	}

	/** The index of the row at a distance from the top of the list, or of the nearest row; 0 without rows. */
	at(distance: number): number {
		let [index, left] = [0, distance];
		for (const { heights, total } of this.#blocks) {
			if (left < total) {
				for (let at = 0; left >= heights[at]!; at++) {
					left -= heights[at]!;
					index++;
				}
				return index;
			}
			left -= total;
			index += heights.length;
		}
		return Math.max(index - 1, 0);
	}

	/** Sets the height of a row. */
	set(index: number, height: number): void {
		const [at, offset] = this.#find(index);
		const block = this.#blocks[at]!;
		const delta = height - block.heights[offset]!;
		block.heights[offset] = height;
		block.total += delta;
		this.#total += delta;
	}

	/** Replaces some rows by others. */
	replace(start: number, count: number, heights: readonly number[]): void {
		const [first, from] = this.#find(start);
		const [last, to] = this.#find(start + count);
		const before = this.#blocks[first]?.heights.slice(0, from) ?? [];
		const after = this.#blocks[last]?.heights.slice(to) ?? [];
		const all = before.concat(heights, after);
		const size = all.length > mostInBlock ? usualInBlock : mostInBlock;
		const blocks: Block[] = [];
		for (let at = 0; at < all.length; at += size) blocks.push(new Block(all.slice(at, at + size)));
		this.#blocks = [...this.#blocks.slice(0, first), ...blocks, ...this.#blocks.slice(last + 1)];
		this.#total = sum(this.#blocks.map(({ total }) => total));
	}

	/** The block of a row, and its index there; the end of the last block for the number of rows. */
	#find(index: number): [block: number, offset: number] {
		const last = this.#blocks.length - 1;
		let [block, offset] = [0, index];
		while (block < last && offset >= this.#blocks[block]!.heights.length) {
			offset -= this.#blocks[block]!.heights.length;
			block++;
		}
		return [block, offset];
	}
}

function sum(numbers: readonly number[]): number {
	let total = 0;
	for (const number of numbers) total += number;
	return total;
}

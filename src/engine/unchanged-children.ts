import { type Range, Siblings } from "../siblings.js";
import type { NodeRecord, StoredNode } from "../storage.js";
import { firstFrom } from "./ascending.js";

const { NEGATIVE_INFINITY: lowest, POSITIVE_INFINITY: highest } = Number;

/** The fewest children that a query asks for. Most parents have no more: then it serves for all queries. */
const fewChildren = 8;

/**
 * The children of one parent that an operation has read from the storage, without the changed ones. It has all of them
 * within some intervals of priorities, and answers queries that lie within one of these.
 */
export class UnchangedChildren {
	readonly #children = new Siblings<StoredNode>();
	/** The bounds of the intervals in ascending order. No interval contains its bounds, and no two overlap. */
	readonly #starts: number[] = [];
	readonly #ends: number[] = [];
	#reads = 0;

	/** Returns the children in a range, or undefined if some of them may not be known. */
	in({ after = lowest, before = highest, limit = highest, fromLast = false }: Range): StoredNode[] | undefined {
		if (after >= before) return [];
		const at = fromLast ? firstFrom(this.#starts, before) - 1 : this.#intervalAfter(after);
		const [start, end] = [this.#starts[at], this.#ends[at]];
		if (start === undefined || end === undefined || (fromLast ? end < before : after < start)) return undefined;
		const within = { after: Math.max(after, start), before: Math.min(before, end), limit, fromLast };
		const found = this.#children.range(within);
		return (start <= after && before <= end) || found.length === limit ? found : undefined;
	}

	/**
	 * Returns the limit of a query for a range with a limit. The more queries there were, the more children it asks for:
	 * so the queries are few, and read few children twice.
	 */
	limitFor(limit: number): number {
		this.#reads += 1;
		return 2 ** Math.ceil(Math.log2(Math.max(fewChildren * this.#reads, limit + 1)));
	}

	/** Adds children. @param children - all without changes between two priorities. Others are left out */
	add(children: readonly StoredNode[], from: number, to: number): void {
		for (const child of children) {
			const { priority } = child.record;
			if (from < priority && priority < to && !this.#contains(priority)) this.#children.add(child);
		}
		const first = this.#intervalAfter(from);
		const count = firstFrom(this.#starts, to) - first;
		const [start, end] = [this.#starts[first], this.#ends[first + count - 1]];
		this.#starts.splice(first, count, count === 0 ? from : Math.min(from, start!));
		this.#ends.splice(first, count, count === 0 ? to : Math.max(to, end!));
	}

	/** Removes a child that changes, if it is there. */
	remove(child: NodeRecord): void {
		if (this.#contains(child.priority)) this.#children.remove(child);
	}

	#contains(priority: number): boolean {
		const start = this.#starts[this.#intervalAfter(priority)];
		return start !== undefined && start < priority;
	}

	/** The index of the first interval that ends after a priority. */
	#intervalAfter(priority: number): number {
		const at = firstFrom(this.#ends, priority);
		return this.#ends[at] === priority ? at + 1 : at;
	}
}

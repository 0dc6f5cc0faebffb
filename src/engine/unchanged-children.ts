import { type Range, Siblings } from "../siblings.js";
import type { NodeRecord, StoredNode } from "../storage.js";
import { firstFrom } from "./ascending.js";

const lowest = -Infinity;
const highest = Infinity;

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
		const at = this.#intervalAt(fromLast, after, before);
		if (at === undefined) return undefined;
		const [start, end] = [this.#starts[at]!, this.#ends[at]!];
		const within = { after: Math.max(after, start), before: Math.min(before, end), limit, fromLast };
		const found = this.#children.range(within);
		return (start <= after && before <= end) || found.length === limit ? found : undefined;
	}

	/** Returns the range to read next if {@link in} doesn't know the children in a range. */
	unknown({ after = lowest, before = highest, limit, fromLast = false }: Range): Range {
		const at = this.#intervalAt(fromLast, after, before);
		// The bounds of an interval aren't in it, and priorities are integers.
		const from = at === undefined || fromLast ? after : this.#ends[at]! - 1;
		const to = at === undefined || !fromLast ? before : this.#starts[at]! + 1;
		const bounds = { ...(from > lowest && { after: from }), ...(to < highest && { before: to }) };
		if (limit === undefined) return bounds;
		this.#reads += 1;
		// The more places there are among these siblings, the more of them are worth reading at once.
		const least = Math.max(fewChildren * Math.sqrt(this.#reads), limit + 1);
		return { ...bounds, limit: 2 ** Math.ceil(Math.log2(least)), fromLast };
	}

	/**
	 * Adds the answer of the storage to a query for children.
	 *
	 * @param isUnchanged - whether a child has no changes
	 */
	add(
		{ after = lowest, before = highest, limit = highest, fromLast = false }: Range,
		stored: readonly StoredNode[],
		isUnchanged: (id: string) => boolean,
	): void {
		// The answer may have only some of the children with the priority of its innermost one.
		const innermost = stored.length < limit ? undefined : stored.at(fromLast ? 0 : -1)!.record.priority;
		const from = fromLast ? (innermost ?? after) : after;
		const to = fromLast ? before : (innermost ?? before);
		for (const child of stored) {
			const { id, priority } = child.record;
			if (from < priority && priority < to && !this.#contains(priority) && isUnchanged(id)) this.#children.add(child);
		}
		// The intervals from `at` up to `next` overlap the new one. There may be none.
		const at = this.#intervalAfter(from);
		const next = firstFrom(this.#starts, to);
		this.#starts.splice(at, next - at, Math.min(from, this.#starts[at] ?? from));
		this.#ends.splice(at, next - at, Math.max(to, this.#ends[next - 1] ?? to));
	}

	/** Removes a child that changes, if it is there. */
	remove(child: NodeRecord): void {
		if (this.#contains(child.priority)) this.#children.remove(child);
	}

	/** The index of the interval at the end of a range from which a query counts. */
	#intervalAt(fromLast: boolean, after: number, before: number): number | undefined {
		const at = fromLast ? firstFrom(this.#starts, before) - 1 : this.#intervalAfter(after);
		const isThere = fromLast ? this.#ends[at]! >= before : this.#starts[at]! <= after;
		return isThere ? at : undefined;
	}

	#contains(priority: number): boolean {
		return (this.#starts[this.#intervalAfter(priority)] ?? highest) < priority;
	}

	/** The index of the first interval that ends after a priority. */
	#intervalAfter(priority: number): number {
		const at = firstFrom(this.#ends, priority);
		return this.#ends[at] === priority ? at + 1 : at;
	}
}

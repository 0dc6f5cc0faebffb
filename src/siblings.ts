import type { NodeRecord, Query } from "./storage.js";

/**
 * The length from which a chunk grows in place. Below it, each insertion makes a new array of the exact
 * length. A growing array would have room for sixteen more elements, and most parents have few children.
 */
const exactLimit = 16;

/** The most entries of a chunk. An insertion moves at most so many, however many siblings there are. */
const chunkLimit = 256;

/** The part of the siblings that a query returns. */
export type Range = Pick<Extract<Query, { type: "children" }>, "after" | "before" | "limit" | "fromLast">;

/** The fields of a record that order siblings. */
type SiblingKey = Pick<NodeRecord, "priority" | "id">;

/** An object with a record. */
export interface Sibling {
	readonly record: NodeRecord;
}

/**
 * The children of one parent, sorted by priority, then id, as a list of sorted chunks. Each change costs
 * O(log n). Before the priority of a sibling changes, the caller removes the sibling.
 */
export class Siblings<T extends Sibling> {
	#chunks: T[][];

	/** @param sorted - the first siblings, in their order */
	constructor(sorted: readonly T[] = []) {
		const count = Math.ceil(sorted.length / chunkLimit);
		this.#chunks = Array.from({ length: count }, (_, at) => sorted.slice(at * chunkLimit, (at + 1) * chunkLimit));
	}

	/** Whether there are no siblings. */
	get empty(): boolean {
		return this.#chunks.length === 0;
	}

	/** Adds a sibling. */
	add(sibling: T): void {
		const { priority, id } = sibling.record;
		const at = Math.min(this.#chunkOf(priority, id), this.#chunks.length - 1);
		const chunk = this.#chunks[at];
		if (chunk === undefined) {
			this.#chunks = [[sibling]];
			return;
		}
		const index = indexIn(chunk, priority, id);
		if (chunk.length < exactLimit) this.#chunks[at] = chunk.toSpliced(index, 0, sibling);
		else if (index === chunk.length) chunk.push(sibling);
		else if (index === 0) chunk.unshift(sibling);
		else chunk.splice(index, 0, sibling);
		if (chunk.length > chunkLimit) this.#chunks.splice(at + 1, 0, chunk.splice(chunkLimit >> 1));
	}

	/** Removes the sibling with the priority and the id of a record. */
	remove({ priority, id }: NodeRecord): void {
		const at = this.#chunkOf(priority, id);
		const chunk = this.#chunks[at]!;
		const index = indexIn(chunk, priority, id);
		if (index === chunk.length - 1) chunk.pop();
		else if (index === 0) chunk.shift();
		else chunk.splice(index, 1);
		if (chunk.length === 0) this.#chunks.splice(at, 1);
	}

	/** Returns all siblings, in ascending order. */
	all(): T[] {
		if (this.#chunks.length === 1) return this.#chunks[0]!.slice();
		// A loop, because `flat` takes many times as long.
		const all: T[] = [];
		for (const chunk of this.#chunks) for (const sibling of chunk) all.push(sibling);
		return all;
	}

	/** Returns the siblings of a range, in ascending order. */
	range({ after, before, limit = Number.POSITIVE_INFINITY, fromLast = false }: Range): T[] {
		if (after === undefined && before === undefined && limit === Number.POSITIVE_INFINITY) return this.all();
		return fromLast ? this.#last(after, before, limit) : this.#first(after, before, limit);
	}

	#first(after: number | undefined, before: number | undefined, limit: number): T[] {
		const found: T[] = [];
		// No id sorts after this one, so it marks the end of all siblings with the same priority.
		let at = after === undefined ? 0 : this.#chunkOf(after, "\uffff");
		for (let chunk = this.#chunks[at]; chunk !== undefined; chunk = this.#chunks[++at]) {
			let index = after === undefined ? 0 : indexIn(chunk, after, "\uffff");
			for (; index < chunk.length; index++) {
				const sibling = chunk[index]!;
				if (found.length >= limit || (before !== undefined && sibling.record.priority >= before)) return found;
				// Each placement asks for one. An array that grows would have room for sixteen more.
				if (limit === 1) return [sibling];
				found.push(sibling);
			}
		}
		return found;
	}

	#last(after: number | undefined, before: number | undefined, limit: number): T[] {
		const found: T[] = [];
		let at =
			before === undefined ? this.#chunks.length - 1 : Math.min(this.#chunkOf(before, ""), this.#chunks.length - 1);
		for (let chunk = this.#chunks[at]; chunk !== undefined; chunk = this.#chunks[--at]) {
			let index = before === undefined ? chunk.length : indexIn(chunk, before, "");
			while (index-- > 0) {
				const sibling = chunk[index]!;
				if (found.length >= limit || (after !== undefined && sibling.record.priority <= after)) return found.reverse();
				if (limit === 1) return [sibling];
				found.push(sibling);
			}
		}
		return found.reverse();
	}

	/** Returns the index of the first chunk that ends at or after a priority and an id. */
	#chunkOf(priority: number, id: string): number {
		let low = 0;
		let high = this.#chunks.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			const chunk = this.#chunks[middle]!;
			if (comesBefore(chunk[chunk.length - 1]!.record, priority, id)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

/** Returns the index of the first sibling of a chunk that doesn't come before a priority and an id. */
function indexIn(chunk: readonly Sibling[], priority: number, id: string): number {
	let low = 0;
	let high = chunk.length - 1;
	// Most siblings come and go at an end, and each record looked at may have to be fetched from the memory.
	if (comesBefore(chunk[high]!.record, priority, id)) return chunk.length;
	if (!comesBefore(chunk[0]!.record, priority, id)) return 0;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (comesBefore(chunk[middle]!.record, priority, id)) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Compares siblings: by priority, then id. */
export function byPlace(left: SiblingKey, right: SiblingKey): number {
	return left.priority - right.priority || (left.id < right.id ? -1 : 1);
}

function comesBefore(record: NodeRecord, priority: number, id: string): boolean {
	return record.priority === priority ? record.id < id : record.priority < priority;
}

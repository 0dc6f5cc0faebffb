import type { NodeRecord, Query } from "./storage.js";

/**
 * A chunk with fewer entries is replaced by one of exactly its size when it grows: the engine would make room for sixteen more,
 * and most parents have a handful of children.
 */
const exactLimit = 16;

/** The most entries in one chunk. Inserting moves at most so many, however many siblings there are. */
const chunkLimit = 256;

/** Which part of the siblings is wanted. */
export type Range = Pick<Extract<Query, { type: "children" }>, "after" | "before" | "limit" | "fromLast">;

/** Whatever has a record. */
export interface Sibling {
	readonly record: NodeRecord;
}

/**
 * The children of one parent, sorted by priority, then id: a list of sorted chunks. Every change costs O(log n). Whoever
 * changes the place of a sibling takes it out before.
 */
export class Siblings<T extends Sibling> {
	#chunks: T[][];

	/** @param sorted - those to begin with, in their order */
	constructor(sorted: readonly T[] = []) {
		const count = Math.ceil(sorted.length / chunkLimit);
		this.#chunks = Array.from({ length: count }, (_, at) => sorted.slice(at * chunkLimit, (at + 1) * chunkLimit));
	}

	/** Whether there are none. */
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
		const place = placeIn(chunk, priority, id);
		if (chunk.length < exactLimit) this.#chunks[at] = chunk.toSpliced(place, 0, sibling);
		else if (place === chunk.length) chunk.push(sibling);
		else if (place === 0) chunk.unshift(sibling);
		else chunk.splice(place, 0, sibling);
		if (chunk.length > chunkLimit) this.#chunks.splice(at + 1, 0, chunk.splice(chunkLimit >> 1));
	}

	/** Takes out the sibling that stands where a record says. */
	remove({ priority, id }: NodeRecord): void {
		const at = this.#chunkOf(priority, id);
		const chunk = this.#chunks[at]!;
		const place = placeIn(chunk, priority, id);
		if (place === chunk.length - 1) chunk.pop();
		else if (place === 0) chunk.shift();
		else chunk.splice(place, 1);
		if (chunk.length === 0) this.#chunks.splice(at, 1);
	}

	/** Every sibling, in ascending order. */
	all(): T[] {
		if (this.#chunks.length === 1) return this.#chunks[0]!.slice();
		// By hand: `flat` takes many times as long.
		const all: T[] = [];
		for (const chunk of this.#chunks) for (const sibling of chunk) all.push(sibling);
		return all;
	}

	/** The siblings of a range, in ascending order. */
	range({ after, before, limit = Number.POSITIVE_INFINITY, fromLast = false }: Range): T[] {
		if (after === undefined && before === undefined && limit === Number.POSITIVE_INFINITY) return this.all();
		return fromLast ? this.#last(after, before, limit) : this.#first(after, before, limit);
	}

	#first(after: number | undefined, before: number | undefined, limit: number): T[] {
		const found: T[] = [];
		// No id sorts behind this one, so it stands for the end of all siblings with the same priority.
		let at = after === undefined ? 0 : this.#chunkOf(after, "\uffff");
		for (let chunk = this.#chunks[at]; chunk !== undefined; chunk = this.#chunks[++at]) {
			let place = after === undefined ? 0 : placeIn(chunk, after, "\uffff");
			for (; place < chunk.length; place++) {
				const sibling = chunk[place]!;
				if (found.length >= limit || (before !== undefined && sibling.record.priority >= before)) return found;
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
			let place = before === undefined ? chunk.length : placeIn(chunk, before, "");
			while (place-- > 0) {
				const sibling = chunk[place]!;
				if (found.length >= limit || (after !== undefined && sibling.record.priority <= after)) return found.reverse();
				found.push(sibling);
			}
		}
		return found.reverse();
	}

	/** The first chunk whose last sibling doesn't come before the place. */
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

function placeIn(chunk: readonly Sibling[], priority: number, id: string): number {
	let low = 0;
	let high = chunk.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (comesBefore(chunk[middle]!.record, priority, id)) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Siblings in their order: by priority, then id. */
export function byPlace(left: NodeRecord, right: NodeRecord): number {
	return left.priority - right.priority || (left.id < right.id ? -1 : 1);
}

function comesBefore(record: NodeRecord, priority: number, id: string): boolean {
	return record.priority === priority ? record.id < id : record.priority < priority;
}

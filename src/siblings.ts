import type { NodeRecord, Query } from "./storage.js";

/** The most records in one chunk. Inserting moves at most so many, however many siblings there are. */
const chunkLimit = 256;

/** Which part of the siblings is wanted. */
export type Range = Pick<Extract<Query, { type: "children" }>, "after" | "before" | "limit" | "fromLast">;

/** The children of one parent, sorted by priority, then id: a list of sorted chunks. Every change costs O(log n). */
export class Siblings {
	readonly #chunks: NodeRecord[][] = [];

	/** Whether there are none. */
	get empty(): boolean {
		return this.#chunks.length === 0;
	}

	/** Adds a record. */
	add(record: NodeRecord): void {
		const at = Math.min(this.#chunkOf(record.priority, record.id), this.#chunks.length - 1);
		const chunk = this.#chunks[at];
		if (chunk === undefined) {
			this.#chunks.push([record]);
			return;
		}
		chunk.splice(placeIn(chunk, record.priority, record.id), 0, record);
		if (chunk.length > chunkLimit) this.#chunks.splice(at + 1, 0, chunk.splice(chunkLimit >> 1));
	}

	/** Takes out a record. */
	remove(record: NodeRecord): void {
		const [chunk, place, at] = this.#find(record);
		chunk.splice(place, 1);
		if (chunk.length === 0) this.#chunks.splice(at, 1);
	}

	/** Puts a record in the place of one with the same priority and id. */
	replace(before: NodeRecord, after: NodeRecord): void {
		const [chunk, place] = this.#find(before);
		chunk[place] = after;
	}

	/** The records of a range, in ascending order. */
	range({ after, before, limit = Number.POSITIVE_INFINITY, fromLast = false }: Range): NodeRecord[] {
		if (after === undefined && before === undefined && limit === Number.POSITIVE_INFINITY) return this.#chunks.flat();
		return fromLast ? this.#last(after, before, limit) : this.#first(after, before, limit);
	}

	#first(after: number | undefined, before: number | undefined, limit: number): NodeRecord[] {
		const found: NodeRecord[] = [];
		// No id sorts behind this one, so it stands for the end of all records with the same priority.
		let at = after === undefined ? 0 : this.#chunkOf(after, "\uffff");
		for (let chunk = this.#chunks[at]; chunk !== undefined; chunk = this.#chunks[++at]) {
			let place = after === undefined ? 0 : placeIn(chunk, after, "\uffff");
			for (; place < chunk.length; place++) {
				const record = chunk[place]!;
				if (found.length >= limit || (before !== undefined && record.priority >= before)) return found;
				found.push(record);
			}
		}
		return found;
	}

	#last(after: number | undefined, before: number | undefined, limit: number): NodeRecord[] {
		const found: NodeRecord[] = [];
		let at =
			before === undefined ? this.#chunks.length - 1 : Math.min(this.#chunkOf(before, ""), this.#chunks.length - 1);
		for (let chunk = this.#chunks[at]; chunk !== undefined; chunk = this.#chunks[--at]) {
			let place = before === undefined ? chunk.length : placeIn(chunk, before, "");
			while (place-- > 0) {
				const record = chunk[place]!;
				if (found.length >= limit || (after !== undefined && record.priority <= after)) return found.reverse();
				found.push(record);
			}
		}
		return found.reverse();
	}

	#find(record: NodeRecord): [chunk: NodeRecord[], place: number, at: number] {
		const at = this.#chunkOf(record.priority, record.id);
		const chunk = this.#chunks[at]!;
		return [chunk, placeIn(chunk, record.priority, record.id), at];
	}

	/** The first chunk whose last record doesn't come before the place. */
	#chunkOf(priority: number, id: string): number {
		let low = 0;
		let high = this.#chunks.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			const last = this.#chunks[middle]!.at(-1)!;
			if (comesBefore(last, priority, id)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

function placeIn(chunk: readonly NodeRecord[], priority: number, id: string): number {
	let low = 0;
	let high = chunk.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (comesBefore(chunk[middle]!, priority, id)) low = middle + 1;
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

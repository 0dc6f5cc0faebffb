import type { Siblings } from "../../../src/siblings.js";
import type { NodeRecord, StoredNode } from "../../../src/storage.js";

const none: readonly string[] = [];

/** One node of an index: its record, which is replaced when it changes, and its links to other nodes. */
export class Entry {
	record: NodeRecord;
	/** The number of the entry in the table. */
	readonly number: number;
	/**
	 * The entry of the parent; null at the top level and if the parent is missing. Undefined until first
	 * needed.
	 */
	parent: Entry | null | undefined;
	/** Null if there are none; undefined until first needed. */
	children: Siblings<Entry> | null | undefined;
	/** Null if there are none. */
	mirrors: MirrorIds | null = null;

	/** @param packed - whether the node comes from a snapshot, which knows the parent and the children */
	constructor(record: NodeRecord, number: number, packed: boolean) {
		this.record = record;
		this.number = number;
		this.parent = packed ? undefined : null;
		this.children = packed ? undefined : null;
	}

	/** Returns the node with the record of its origin, if that is there. */
	stored(origin: NodeRecord | null): StoredNode {
		return { record: this.record, origin, mirrorIds: this.mirrors === null ? none : this.mirrors.sorted };
	}
}

/** The ids of the mirrors of one origin. */
export class MirrorIds {
	readonly #ids = new Set<string>();
	/**
	 * In ascending order; null until first needed. Callers get this array, so it is replaced, never changed.
	 */
	#sorted: readonly string[] | null = null;

	/** Whether there are none. */
	get empty(): boolean {
		return this.#ids.size === 0;
	}

	/** All ids in ascending order. */
	get sorted(): readonly string[] {
		this.#sorted ??= [...this.#ids].sort();
		return this.#sorted;
	}

	/** Adds an id. */
	add(id: string): void {
		this.#ids.add(id);
		if (this.#sorted !== null) this.#sorted = this.#sorted.toSpliced(placeOf(this.#sorted, id), 0, id);
	}

	/** Deletes an id. */
	delete(id: string): void {
		this.#ids.delete(id);
		if (this.#sorted !== null) this.#sorted = this.#sorted.toSpliced(placeOf(this.#sorted, id), 1);
	}
}

function placeOf(ids: readonly string[], id: string): number {
	let low = 0;
	for (let high = ids.length; low < high; ) {
		const middle = (low + high) >> 1;
		if (ids[middle]! < id) low = middle + 1;
		else high = middle;
	}
	return low;
}

import type { Siblings } from "../../../src/siblings.js";
import type { NodeRecord, StoredNode } from "../../../src/storage.js";

const none: readonly string[] = [];

/** One node of an index: its record, which is replaced as it changes, and what else hangs on the node. */
export class Entry {
	record: NodeRecord;
	/** Where the table has it. */
	readonly number: number;
	/** The entry of the parent; null at the top level, and where the parent isn't there. Undefined until it is looked for. */
	parent: Entry | null | undefined;
	/** Null if there are none, undefined until they are looked for. */
	children: Siblings<Entry> | null | undefined;
	/** Null if there are none. */
	mirrors: MirrorIds | null = null;

	/** @param packed - whether it comes from a snapshot, which knows the parent and the children */
	constructor(record: NodeRecord, number: number, packed: boolean) {
		this.record = record;
		this.number = number;
		this.parent = packed ? undefined : null;
		this.children = packed ? undefined : null;
	}

	/** The node with the record that it is a mirror of, if that is there. */
	stored(origin: NodeRecord | null): StoredNode {
		return { record: this.record, origin, mirrorIds: this.mirrors === null ? none : this.mirrors.sorted };
	}
}

/** The ids of the mirrors of one origin. */
export class MirrorIds {
	readonly #ids = new Set<string>();
	/** In ascending order, once it has been asked for. It is handed out, and so it is replaced, not changed. */
	#sorted: readonly string[] | null = null;

	/** Whether there are none. */
	get empty(): boolean {
		return this.#ids.size === 0;
	}

	/** All of them, in ascending order. */
	get sorted(): readonly string[] {
		this.#sorted ??= [...this.#ids].sort();
		return this.#sorted;
	}

	/** Adds an id. */
	add(id: string): void {
		this.#ids.add(id);
		if (this.#sorted !== null) this.#sorted = this.#sorted.toSpliced(placeOf(this.#sorted, id), 0, id);
	}

	/** Takes out an id. */
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

import type { SortedIds } from "../../../src/engine/ascending.js";
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
	/** The ids of its mirrors; null if there are none. */
	mirrors: SortedIds | null = null;

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

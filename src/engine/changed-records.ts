import { shortIdOf } from "../id.js";
import { type Sibling, Siblings } from "../siblings.js";
import type { NodeChange, NodeRecord, StoredNode } from "../storage.js";
import { SortedIds } from "./ascending.js";
import type { ChangesIndex } from "./changes.js";
import { UnchangedChildren } from "./unchanged-children.js";

const none: readonly never[] = [];

/** A node with the changes. It may have many mirrors, and few operations ask for their ids, so they are sorted late. */
export class ChangedNode implements StoredNode {
	readonly record: NodeRecord;
	readonly origin: NodeRecord | null;
	readonly #index: ChangedRecords;
	readonly #stored: StoredNode | null;

	/** @param stored - the same node as the storage has it */
	constructor(index: ChangedRecords, record: NodeRecord, origin: NodeRecord | null, stored: StoredNode | null) {
		this.record = record;
		this.origin = origin;
		this.#index = index;
		this.#stored = stored;
	}

	get mirrorIds(): readonly string[] {
		return this.#index.mirrorsOf(this.record.id, this.#stored?.mirrorIds ?? none);
	}
}

/** An index of changed records by parent, origin and short id. */
export class ChangedRecords implements ChangesIndex {
	readonly #changeOf: (id: string) => NodeChange | undefined;
	/** The changed records by their parent. */
	readonly #children = new Map<string | null, Siblings<Sibling>>();
	/** The stored children without changes, as far as they were read, by their parent. */
	readonly #unchanged = new Map<string | null, UnchangedChildren>();
	/** The ids of mirrors by their origin: the changed ones, and all if {@link mirrorsOf} has been called. */
	readonly #mirrors = new Map<string, SortedIds>();
	/** The origins whose unchanged mirrors are in `#mirrors` too. */
	readonly #complete = new Set<string>();
	/** The ids of new nodes by their short ids, without the nodes in `#unnamed`. */
	readonly #ids = new Map<string, string>();
	/** The new nodes since the last query with a short id. */
	#unnamed: (readonly NodeRecord[])[] = [];

	/** @param changeOf - returns the change of a node that {@link add} has received */
	constructor(changeOf: (id: string) => NodeChange | undefined) {
		this.#changeOf = changeOf;
	}

	childrenOf(parentId: string | null): Siblings<Sibling> | undefined {
		return this.#children.get(parentId);
	}

	/** The stored children of a node without changes, as far as they were read. */
	unchangedChildrenOf(parentId: string | null): UnchangedChildren {
		return getOrInsert(this.#unchanged, parentId, UnchangedChildren);
	}

	/** Returns the ids of the mirrors of a node. @param stored - the ids that the storage has */
	mirrorsOf(id: string, stored: readonly string[]): readonly string[] {
		if (stored.length > 0 && !this.#complete.has(id)) {
			this.#complete.add(id);
			const mirrors = getOrInsert(this.#mirrors, id, SortedIds);
			for (const mirrorId of stored) if (this.#changeOf(mirrorId) === undefined) mirrors.add(mirrorId);
		}
		return this.#mirrors.get(id)?.sorted ?? none;
	}

	/** The id of the new node with a short id. */
	idOf(shortId: string): string | undefined {
		for (const records of this.#unnamed) for (const { id } of records) this.#ids.set(shortIdOf(id), id);
		this.#unnamed = [];
		return this.#ids.get(shortId);
	}

	remove(id: string, before: NodeRecord | null): void {
		const change = this.#changeOf(id);
		if (change === undefined) {
			if (before === null) return;
			this.#unchanged.get(before.parentId)?.remove(before);
			this.#removeMirror(before);
			return;
		}
		const { after } = change;
		if (after === null) return;
		this.#children.get(after.parentId)!.remove(after);
		this.#removeMirror(after);
	}

	add(record: NodeRecord): void {
		getOrInsert(this.#children, record.parentId, Siblings<Sibling>).add({ record });
		if (record.originId !== null) getOrInsert(this.#mirrors, record.originId, SortedIds).add(record.id);
	}

	#removeMirror({ id, originId }: NodeRecord): void {
		if (originId !== null) this.#mirrors.get(originId)?.delete(id);
	}

	expect(records: readonly NodeRecord[]): void {
		this.#unnamed.push(records);
	}
}

/** Returns the value of a key, which it adds if there is none. */
function getOrInsert<K, V>(values: Map<K, V>, key: K, Value: new () => V): V {
	let value = values.get(key);
	if (value === undefined) {
		value = new Value();
		values.set(key, value);
	}
	return value;
}

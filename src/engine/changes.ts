import { isSamePlace, placed, sizeOfRecord } from "../node.js";
import {
	type Batch,
	type Document,
	type DocumentChanges,
	type Key,
	type KeyChange,
	type KeyRecord,
	type Neighbours,
	type NodeChange,
	type NodeRecord,
	relatedIds,
} from "../storage.js";

const none: readonly never[] = [];
const noIds: ReadonlySet<string> = new Set();
const noCopies: ReadonlyMap<string, string> = new Map();
const noneOnDemand: ReadonlyMap<string, boolean> = new Map();

/** The size of a key, a document or a tombstone without its texts, in characters. */
const smallSize = 64;

/** An index of the records that a {@link Changes} collects. */
export interface ChangesIndex {
	/** Removes the record of a node that an operation writes or removes. `before` is `null` for a new node. */
	remove(id: string, before: NodeRecord | null): void;
	/** Adds a record that has been written. */
	add(record: NodeRecord): void;
	/** Announces new nodes. {@link add} receives each: at once, or before an operation reads it if it is deferred. */
	expect(records: readonly NodeRecord[]): void;
}

/**
 * Collects the changes of an operation. If an operation writes a record or key more than once, the state
 * before the first write and the state after the last one count. A record that it adds and deletes again is
 * in no change.
 */
export class Changes {
	readonly #index: ChangesIndex | undefined;
	// The change of a node is in one of three places: `#deferred` for a new node that nothing has asked for, else in
	// `#only`, or in `#nodes` from the second one on. `#listed` is a copy of all.
	/** The only change of a node so far. Most operations have one: a map for it takes some 6 % of an update. */
	#only: NodeChange | undefined;
	/** The changes of nodes, if there have been more. */
	#nodes: Map<string, NodeChange> | undefined;
	/** All changes of nodes; undefined until first needed, and after each change. */
	#listed: readonly NodeChange[] | undefined;
	/** New nodes that are in neither yet. They are indexed late: operations read few nodes of a bulk one. */
	#deferred: NodeChange[] = [];
	// Few operations have any of these, so they are created on first use.
	#keys: Map<string, KeyChange> | undefined;
	#onDemand: Map<string, boolean> | undefined;
	#aside: Set<string> | undefined;
	#copies: Map<string, string> | undefined;
	#documents: DocumentChanges | undefined;
	#documentsSize = 0;
	#horizon: number | undefined;
	/** The last place that a node has got at an end of its siblings, with the siblings beside it. */
	#neighbours: ({ readonly parentId: string | null; readonly priority: number } & Neighbours) | undefined;

	/** @param index - follows all records that are collected */
	constructor(index?: ChangesIndex) {
		this.#index = index;
	}

	/** Whether there is nothing to commit. */
	get empty(): boolean {
		return (
			this.#only === undefined &&
			(this.#nodes === undefined || this.#nodes.size === 0) &&
			this.#deferred.length === 0 &&
			(this.#keys === undefined || this.#keys.size === 0) &&
			this.#documents === undefined &&
			this.#horizon === undefined
		);
	}

	/** The amount that a commit of all this would write, in characters: see {@link sizeOfRecord}. */
	get size(): number {
		let size = smallSize * (this.#keys?.size ?? 0) + this.#documentsSize;
		for (const { after } of this.nodes) size += after === null ? smallSize : sizeOfRecord(after);
		return size;
	}

	/** The change recorded for a node, if any. */
	node(id: string): NodeChange | undefined {
		this.indexDeferred();
		return this.indexedNode(id);
	}

	/** The change recorded for a node that isn't deferred, if any. */
	indexedNode(id: string): NodeChange | undefined {
		if (this.#nodes !== undefined) return this.#nodes.get(id);
		return this.#only !== undefined && idOf(this.#only) === id ? this.#only : undefined;
	}

	/** Whether new nodes are deferred. */
	get defers(): boolean {
		return this.#deferred.length > 0;
	}

	/** Indexes the deferred new nodes. */
	indexDeferred(): void {
		if (this.#deferred.length === 0) return;
		const deferred = this.#deferred;
		const nodes = this.#byId();
		this.#deferred = [];
		for (const change of deferred) {
			const record = change.after!;
			nodes.set(record.id, change);
			this.#index?.add(record);
		}
	}

	/** The change recorded for a key, if any. */
	key(key: string): KeyChange | undefined {
		return this.#keys?.get(key);
	}

	/** The changes of all nodes. */
	get nodes(): readonly NodeChange[] {
		this.#listed ??= [
			...(this.#nodes?.values() ?? (this.#only === undefined ? none : [this.#only])),
			...this.#deferred,
		];
		return this.#listed;
	}

	/** The changes of all keys. */
	get keys(): readonly KeyChange[] {
		return this.#keys === undefined ? none : [...this.#keys.values()];
	}

	/**
	 * The ids of the nodes that were created because a reference named them: the inbox and calendar entries
	 * (spec §2.4). The value tells whether the node stays if the operation is undone.
	 */
	get onDemand(): ReadonlyMap<string, boolean> {
		return this.#onDemand ?? noneOnDemand;
	}

	/** The ids of the stored nodes whose place changed only to make room for a sibling. */
	get aside(): ReadonlySet<string> {
		return this.#aside ?? noIds;
	}

	/** The copies that a deletion makes for mirrors: the id of the copied node by the id of the copy. */
	get copies(): ReadonlyMap<string, string> {
		return this.#copies ?? noCopies;
	}

	/** Adds the copy of a node that a deletion makes for a mirror, which becomes a plain node. */
	putCopy(after: NodeRecord, copied: string): void {
		this.put(null, after);
		this.#copies ??= new Map();
		this.#copies.set(after.id, copied);
	}

	/** Adds the records of a new node and of the nodes below it, without mirrors. Defers all but the first. */
	add(records: readonly NodeRecord[]): void {
		this.put(null, records[0]!);
		if (records.length === 1) return;
		for (let index = 1; index < records.length; index++) this.#deferred.push({ before: null, after: records[index]! });
		this.#index?.expect(records);
	}

	/** Writes a record: `before` as it was read, or `null` for a new one. `after` must be a new object. */
	put(before: NodeRecord | null, after: NodeRecord): void {
		if (before !== null) this.indexDeferred();
		this.#index?.remove(after.id, before);
		if (before !== null && this.#aside?.has(after.id) && !isSamePlace(before, after)) this.#aside.delete(after.id);
		this.#record(after.id, { before, after });
		if (this.#index === undefined) return;
		if (before === null) this.#index.expect([after]);
		this.#index.add(after);
	}

	/** Writes a record with another priority that leaves the order of its siblings as it is. */
	moveAside(before: NodeRecord, after: NodeRecord): void {
		const { before: first } = this.node(after.id) ?? { before };
		const isOnlyAside = this.#aside?.has(after.id) || (first !== null && isSamePlace(first, before));
		this.put(before, after);
		if (!isOnlyAside) return;
		this.#aside ??= new Set();
		this.#aside.add(after.id);
	}

	/** Deletes a record. */
	remove(before: NodeRecord): void {
		this.indexDeferred();
		this.#index?.remove(before.id, before);
		this.#aside?.delete(before.id);
		this.#record(before.id, { before, after: null });
	}

	/** Writes a record that gains or loses a mirror, so that readers of the feed see it among the changes. */
	touch(record: NodeRecord): void {
		if (this.node(record.id) === undefined) this.put(record, placed(record, record.parentId, record.priority));
	}

	/**
	 * Points a key at a node.
	 *
	 * @param lasting - for a new node of the inbox or the calendar: whether undo keeps it. If not, undo deletes it,
	 * unless it has children
	 */
	putKey(before: Key | null, after: Key, lasting?: boolean): void {
		this.#keys ??= new Map();
		const { key, group, nodeId } = after;
		joinInto<Key, KeyRecord>(this.#keys, key, { before, after: { key, group, nodeId, revision: 0 } });
		if (lasting !== undefined) {
			this.#onDemand ??= new Map();
			this.#onDemand.set(nodeId, lasting);
		}
	}

	/** Adds a node on demand with its key. @param lasting - as in {@link Changes.putKey} */
	materialize(node: NodeRecord, key: Key, lasting: boolean): void {
		this.put(null, node);
		this.putKey(null, key, lasting);
	}

	/** Drops a key. */
	removeKey(before: Key): void {
		this.#keys ??= new Map();
		joinInto(this.#keys, before.key, { before, after: null });
	}

	/**
	 * Writes and drops documents. The last change of a document counts.
	 *
	 * @param length - the characters of the values, if they aren't computed yet
	 */
	changeDocuments(changes: DocumentChanges, length?: number): void {
		const { put, dropped } = changes;
		// A stored history adds such changes to almost every commit.
		const simple = this.#documents === undefined && dropped.length === 0;
		this.#documents = simple ? changes : joined(this.#documents, changes);
		const characters = length ?? put.reduce((sum, { value }) => sum + value.length, 0);
		this.#documentsSize += smallSize * (put.length + dropped.length) + characters;
	}

	/** Drops the tombstones up to a revision. An operation that does so changes nothing else. */
	prune(horizon: number): void {
		this.#horizon = horizon;
	}

	/**
	 * Notes that a node gets a place at an end of its siblings.
	 *
	 * @param outermost - the outermost other node that is visible there; undefined for none
	 */
	placeAtEnd(
		end: "top" | "bottom",
		parentId: string | null,
		priority: number,
		outermost: NodeRecord | undefined,
	): void {
		// A child of a mirror may be visible beyond the children of its origin.
		if (outermost !== undefined && outermost.parentId !== parentId) return;
		const id = outermost?.id ?? null;
		const [above, below] = end === "top" ? [null, id] : [id, null];
		this.#neighbours = { parentId, priority, above, below };
	}

	/**
	 * Takes over the changes of another collector, which has none of documents and drops no tombstones. This one
	 * must be empty. Neighbours aren't taken over, because a later operation of a batch may have deleted them.
	 */
	adopt(other: Changes): void {
		this.#only = other.#only;
		this.#nodes = other.#nodes;
		this.#listed = undefined;
		this.#deferred = other.#deferred;
		this.#keys = other.#keys;
		this.#onDemand = other.#onDemand;
		this.#aside = other.#aside;
		this.#copies = other.#copies;
	}

	/** The ids whose related nodes {@link changedViews} needs. */
	get relatedIds(): string[] {
		return relatedIds(this.nodes);
	}

	/** The batch that commits everything on top of a revision. */
	batch(base: number): Batch {
		// The records belong to this operation and nothing has read them yet, so they get their revision in
		// place.
		const { nodes, keys } = this;
		const setRevision = ({ after }: NodeChange | KeyChange) => {
			if (after !== null) (after as { revision: number }).revision = base + 1;
		};
		// No loops of its own: V8 compiles a long one while it runs (on-stack replacement), and leaves that code slowly in
		// later calls.
		nodes.forEach(setRevision);
		keys.forEach(setRevision);
		// The noted end counts only for a batch that places its first node there. A node that didn't move is in no change,
		// and a copy below a mirror has another parent.
		const { parentId, priority } = nodes[0]?.after ?? {};
		const isThere = this.#neighbours?.parentId === parentId && this.#neighbours?.priority === priority;
		const hints = { aside: this.aside, copies: this.copies, neighbours: isThere ? this.#neighbours : undefined };
		const batch: { -readonly [Field in keyof Batch]: Batch[Field] } = { base, nodes, keys, hints };
		if (this.#documents !== undefined) batch.documents = this.#documents;
		if (this.#horizon !== undefined) batch.horizon = this.#horizon;
		return batch;
	}

	#record(id: string, change: NodeChange): void {
		this.#listed = undefined;
		if (this.#nodes === undefined && this.#only === undefined) this.#only = change;
		else joinInto(this.#byId(), id, change);
	}

	#byId(): Map<string, NodeChange> {
		if (this.#nodes === undefined) {
			this.#nodes = new Map(this.#only === undefined ? none : [[idOf(this.#only), this.#only]]);
			this.#only = undefined;
		}
		return this.#nodes;
	}
}

function idOf({ before, after }: NodeChange): string {
	return (after ?? before)!.id;
}

/** Joins changes of documents. The last change of a document counts. */
function joined(earlier: DocumentChanges | undefined, later: DocumentChanges): DocumentChanges {
	const documents = new Map<string, Document | null>();
	for (const { put, dropped } of earlier === undefined ? [later] : [earlier, later]) {
		for (const key of dropped) documents.set(key, null);
		for (const document of put) documents.set(document.key, document);
	}
	const changed = [...documents];
	return {
		put: changed.flatMap(([, document]) => document ?? []),
		dropped: changed.flatMap(([key, document]) => (document === null ? [key] : [])),
	};
}

/** Joins a change with the earlier change of the same record or key. */
function joinInto<Before, After>(
	changes: Map<string, { before: Before | null; after: After | null }>,
	id: string,
	change: { before: Before | null; after: After | null },
): void {
	const known = changes.get(id);
	if (known === undefined) changes.set(id, change);
	else if (known.before === null && change.after === null) changes.delete(id);
	else changes.set(id, { before: known.before, after: change.after });
}

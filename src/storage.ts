import type { LayoutMode } from "./layout-mode.js";

/**
 * One node as a storage keeps it. The core has checked it, and each field has its exact form. A storage
 * returns it exactly as it received it. It reads no field beyond the fields that its queries name.
 */
export interface NodeRecord {
	/** UUID-style, lower case. Its last 12 hex digits are the short id. */
	readonly id: string;
	/** `null` at the top level. */
	readonly parentId: string | null;
	/** A safe integer, distinct among the children of one parent. */
	readonly priority: number;
	/** A canonical fragment, as the serializer writes it. On a mirror: its name if the origin is gone. */
	readonly name: string;
	/** Plain text, exactly as given; `null` for none. */
	readonly note: string | null;
	/** The display mode. */
	readonly layoutMode: LayoutMode;
	/** The properties as the JSON text of an object; `null` for none. */
	readonly properties: string | null;
	/** Unix seconds, like the two times below. */
	readonly createdAt: number;
	/** The time of the last change of name, note, layout mode, properties or completion. A move doesn't change it. */
	readonly modifiedAt: number;
	/** `null` while the node isn't completed. */
	readonly completedAt: number | null;
	/** On a mirror, the node whose content it shows; `null` on every other node. */
	readonly originId: string | null;
	/**
	 * The revision of the commit that last wrote this record: it changed a field, or added or removed a mirror
	 * of the node.
	 */
	readonly revision: number;
}

/** The group of the shortcuts. */
export const shortcutGroup = "shortcut";

/** The group of the inbox and the calendar's root. */
export const systemGroup = "system";

/**
 * A key that points at a node: a shortcut, the inbox, the calendar or one of its entries. Spec §2.3, §2.4.
 */
export interface Key {
	/** Unique within the outline. */
	readonly key: string;
	/**
	 * The group that lists the key: `shortcut`, `system` (the inbox and the calendar's root), or the key of the
	 * calendar entry above it.
	 */
	readonly group: string;
	/** The id of the node that the key points at. The node exists. */
	readonly nodeId: string;
}

/** A key as a storage keeps it. */
export interface KeyRecord extends Key {
	/** The revision of the commit that last wrote this key. */
	readonly revision: number;
}

/**
 * A text under a key, for what must be stored in one commit with nodes without being a node. The feed has no
 * documents.
 */
export interface Document {
	/** 1 to 2,000 of the characters from `!` to `~`. Unique within the outline. */
	readonly key: string;
	/** Mostly short; perhaps some million characters. A storage returns it exactly as it received it. */
	readonly value: string;
}

/** A node with the other records that its view depends on, all of one revision. */
export interface StoredNode {
	/** Its own record. */
	readonly record: NodeRecord;
	/** The record that `originId` names; `null` if there is none. */
	readonly origin: NodeRecord | null;
	/** The ids of the records whose `originId` is this node, ascending. */
	readonly mirrorIds: readonly string[];
}

/** A key with the node it points at. */
export interface StoredKey {
	/** The key. */
	readonly record: KeyRecord;
	/** The node that its `nodeId` names. */
	readonly node: StoredNode;
}

/** The ways to name a node. */
export type Locator =
	| {
			/** The full id, lower case. */
			readonly id: string;
	  }
	| {
			/** The last 12 hex digits of the id, lower case. */
			readonly shortId: string;
	  }
	| {
			/** A key, compared exactly: the node that it points at. */
			readonly key: string;
	  };

/** Returns the parent of a `children` query by its id; `null` for the top level. */
export function parentLocator(parentId: string | null): { readonly id: string } | null {
	return parentId === null ? null : { id: parentId };
}

/**
 * The children that a query returns. `own`: the children of the node alone. `visible`: also the children of
 * its origin, if the node is a mirror and its origin exists.
 */
export type ChildrenScope = "own" | "visible";

/** A question to a storage. If a storage finds nothing, it answers `null` or an empty list, not an error. */
export type Query =
	| {
			/** One node. Answer: `StoredNode | null`. */
			readonly type: "node";
			/** The node. */
			readonly at: Locator;
	  }
	| {
			/** Children of a node, by priority, then id. Answer: `StoredNode[]`, empty for an unknown parent. */
			readonly type: "children";
			/** The parent; `null` for the top level. */
			readonly of: Locator | null;
			/** The children to return, if the parent is a mirror. */
			readonly scope: ChildrenScope;
			/** Only children with a higher priority. */
			readonly after?: number;
			/** Only children with a lower priority. */
			readonly before?: number;
			/** The most children to return: the first ones. */
			readonly limit?: number;
			/** With `limit`: the last children instead of the first, still in ascending order. */
			readonly fromLast?: boolean;
	  }
	| {
			/**
			 * The ids of a node and of its ancestors, nearest first. Answer: `string[]`, empty for an unknown node.
			 */
			readonly type: "ancestors";
			/** The node. */
			readonly of: Locator;
			/** The number of ids that the caller needs. A storage may answer more. */
			readonly limit?: number;
	  }
	| {
			/**
			 * A node and all nodes below it by `parentId`, each parent before its children, and the keys that point
			 * at any of them. Answer: `Subtree`.
			 */
			readonly type: "subtree";
			/** The node. */
			readonly of: Locator;
	  }
	| {
			/** Some nodes, their origins and their mirrors, each once, in any order. Answer: `StoredNode[]`. */
			readonly type: "related";
			/** The ids of the nodes: perhaps tens of thousands. Some may belong to no node. */
			readonly ids: readonly string[];
	  }
	| {
			/** The short ids given that belong to a node, each once, in any order. Answer: `string[]`. */
			readonly type: "taken";
			/** The short ids to look for: perhaps tens of thousands. */
			readonly shortIds: readonly string[];
	  }
	| {
			/** The keys of a group with their nodes, in any order. Answer: `StoredKey[]`. */
			readonly type: "keys";
			/** As in {@link KeyRecord.group}. */
			readonly group: string;
	  }
	| {
			/** The documents whose keys begin with a text, ordered by key. Answer: `Document[]`. */
			readonly type: "documents";
			/** The beginning of the keys; a whole key is the first of its answer. */
			readonly prefix: string;
			/** Only documents with a later key. */
			readonly after?: string;
			/** The most documents to return: the first ones. */
			readonly limit?: number;
	  }
	| {
			/**
			 * The nodes and keys that commits after a revision changed or deleted: whole commits, in the order of
			 * their revisions. Answer: `ChangedSince`.
			 */
			readonly type: "changes";
			/** The revision. */
			readonly since: number;
			/**
			 * Once the answer has so many entries, tombstones included, it gets no further commit. It may also end
			 * sooner, after any commit, if texts are long.
			 */
			readonly limit: number;
	  };

/** The answer to a `subtree` query. */
export interface Subtree {
	/** The node and all nodes below it, each parent before its children. */
	readonly nodes: readonly StoredNode[];
	/** The keys that point at any of them, in any order. */
	readonly keys: readonly KeyRecord[];
}

/** The answer to a `changes` query. */
export interface ChangedSince {
	/** Records whose revision is after `since`, ordered by revision, then id. */
	readonly nodes: readonly NodeRecord[];
	/** Nodes deleted after `since`, ordered by revision, then id. */
	readonly deleted: readonly Tombstone[];
	/** Keys whose revision is after `since`, ordered by revision, then key. */
	readonly keys: readonly KeyRecord[];
	/** Keys dropped after `since`, ordered by revision, then key. */
	readonly droppedKeys: readonly KeyTombstone[];
	/** The horizon of the outline: see {@link Batch.horizon}. 0 if nothing was pruned. */
	readonly horizon: number;
	/**
	 * The revision to continue from: the current revision, unless there are more changes than the answer has.
	 */
	readonly revision: number;
}

/** The mark that a deleted node leaves. */
export interface Tombstone {
	/** The node's id. */
	readonly id: string;
	/** The revision of the commit that deleted it. */
	readonly revision: number;
}

/** The mark that a dropped key leaves. */
export interface KeyTombstone {
	/** The key. */
	readonly key: string;
	/** The revision of the commit that dropped it. */
	readonly revision: number;
}

/** The answer to each type of query. */
export interface AnswerByType {
	/** `null` if the node doesn't exist. */
	node: StoredNode | null;
	/** Ordered by priority, then id. */
	children: readonly StoredNode[];
	/** Ids, nearest first; the node's own id is the first. */
	ancestors: readonly string[];
	/** Without nodes if the node doesn't exist. */
	subtree: Subtree;
	/** In any order. */
	related: readonly StoredNode[];
	/** Short ids, in any order. */
	taken: readonly string[];
	/** In any order. */
	keys: readonly StoredKey[];
	/** Ordered by key. */
	documents: readonly Document[];
	/** Nodes, keys, tombstones, and the revision to continue from. */
	changes: ChangedSince;
}

/** The answer that belongs to a query. */
export type Answer<Q extends Query> = AnswerByType[Q["type"]];

/** The answers to a tuple of queries, in its order. */
export type Answers<Q extends readonly Query[]> = { readonly [I in keyof Q]: Answer<Q[I]> };

/** Answers that all belong to one revision. */
export interface Snapshot<Q extends readonly Query[]> {
	/** The revision; 0 before the first commit. */
	readonly revision: number;
	/** In the order of the queries. */
	readonly results: Answers<Q>;
}

/** The answer of {@link StorageAdapter.peek}: a snapshot that may show commits which aren't durable yet. */
export interface Peek<Q extends readonly Query[]> extends Snapshot<Q> {
	/** Whether all commits that the snapshot shows are durable. `false` while one is still being written. */
	readonly durable: boolean;
}

/**
 * A record before and after a commit. `before` is `null` for a new record, and `after` for a deleted one;
 * never both.
 */
export interface NodeChange {
	/** The record as the storage returned it at `base`. */
	readonly before: NodeRecord | null;
	/** The record to store. Its `revision` is that of the commit: `base + 1`. */
	readonly after: NodeRecord | null;
}

/** A key before and after a commit, like {@link NodeChange}. */
export interface KeyChange {
	/** The key as the storage returned it at `base`, with or without its revision. */
	readonly before: Key | null;
	/** The key to store, with the same `key` and the revision of the commit. It may point at another node. */
	readonly after: KeyRecord | null;
}

/**
 * Changes that a storage applies together or not at all.
 *
 * - Each record and each key is in at most one change. The order of the changes has no meaning.
 * - `before` is the record or key as the storage returned it at `base`.
 * - After the batch, the parent of every node and the node of every key exist. The priorities of siblings
 *   differ.
 * - Within a batch, one record may take over the position or the key of another.
 * - A batch may contain no changes. It makes a new revision too.
 * - Texts contain neither NUL nor lone surrogates.
 */
export interface Batch {
	/** The revision that the changes were computed on. The commit raises it to `base + 1`. */
	readonly base: number;
	/** The changes of records, each record once. */
	readonly nodes: readonly NodeChange[];
	/** The changes of keys, each key once. */
	readonly keys: readonly KeyChange[];
	/** The changes of documents. Absent from most batches. */
	readonly documents?: DocumentChanges;
	/**
	 * The new horizon of the outline, at most `base`: the storage drops all tombstones of commits up to this
	 * revision. It keeps the highest horizon, because a later batch may have a lower one. A batch with a
	 * horizon has no other changes.
	 */
	readonly horizon?: number;
	/** Facts about the changes for a replica (`outlinekit/sync`). A storage ignores them. */
	readonly hints?: BatchHints;
}

/** Facts about the changes of a batch that their records don't show. */
export interface BatchHints {
	/** The ids of the nodes whose place changed only to make room for a sibling. */
	readonly aside: ReadonlySet<string>;
	/** The copies that a deletion made for detached mirrors: the id of the copied node by the id of the copy. */
	readonly copies: ReadonlyMap<string, string>;
	/** Contents that gave way to the batch, which no user has seen go: their `name`, `note` or `properties`, by node. */
	readonly others?: ReadonlyMap<string, readonly Partial<Pick<NodeRecord, "name" | "note" | "properties">>[]>;
	/** The siblings beside the only new or moved node, if they are known: it is above or below all of them. */
	readonly neighbours?: Neighbours | undefined;
}

/** The siblings beside a node. */
export interface Neighbours {
	/** The id of the sibling directly above; `null` for none. */
	readonly above: string | null;
	/** The id of the sibling directly below; `null` for none. */
	readonly below: string | null;
}

/** The documents that a commit writes and drops. Each key is in one of the two lists, and once. */
export interface DocumentChanges {
	/** Documents to add, or to put in the place of those with the same keys. */
	readonly put: readonly Document[];
	/** Keys of documents to drop. A key may have no document. */
	readonly dropped: readonly string[];
}

/** Returns the number of characters in the texts of a record: the name, the note and the properties. */
export function textLength({
	name,
	note,
	properties,
}: Pick<NodeRecord, "name" | "note"> & { readonly properties?: string | null | undefined }): number {
	return name.length + (note?.length ?? 0) + (properties?.length ?? 0);
}

/**
 * Returns the ids of the nodes that a commit writes, and the ids of the origins that they name. Any other
 * node whose view the commit changes is an origin or a mirror of one of these. So a `related` query for them
 * finds all nodes that the commit concerns.
 */
export function relatedIds(changes: readonly NodeChange[]): string[] {
	const ids = new Set<string>();
	for (const { before, after } of changes) {
		ids.add((after ?? before)!.id);
		if (before !== null && before.originId !== null) ids.add(before.originId);
		if (after !== null && after.originId !== null) ids.add(after.originId);
	}
	return [...ids];
}

/** A notice of a commit, for a listener. */
export interface CommitNotice {
	/** The outline's revision after the commit. */
	readonly revision: number;
	/**
	 * The changes, and the nodes that they concern as they were before. Absent if the storage doesn't know
	 * them: then `changes` queries return the changes.
	 */
	readonly detail?: {
		/** The committed batch. If it was committed through this storage, it is the same object. */
		readonly batch: Batch;
		/** The answer, from before the commit, to a `related` query for the {@link relatedIds} of the batch. */
		readonly related: readonly StoredNode[];
	};
}

/**
 * Stores an outline: its records, with a revision. A storage has no rule of the outline. It answers queries
 * at one revision, and commits batches on top of a revision. A new storage is empty, at revision 0.
 *
 * Every method opens the storage if necessary. It rejects with an `OutlineError`: `storage_unavailable`,
 * `storage_corrupt`, `quota_exceeded`, or `closed` after {@link StorageAdapter.close}.
 */
export interface StorageAdapter {
	/**
	 * Answers all queries in their order, at one revision, with durable commits alone. There may be no queries.
	 *
	 * The revision of a storage never goes back. It includes at least each commit for which this storage's
	 * `commit` has resolved, and each that a notice has announced. A very recent commit of another process may
	 * be missing.
	 */
	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>>;

	/**
	 * Answers at once, if the storage can answer without waiting: at the newest revision that it knows. The
	 * answers include every batch that was passed to {@link StorageAdapter.commit}, durable or not. Other
	 * writers may have committed more.
	 *
	 * Never throws. Returns undefined while the storage isn't open, after it has been closed, and if it can't
	 * answer at the moment; the caller then calls `read`.
	 *
	 * If a storage has `peek`, a writer doesn't wait until earlier commits are durable. If one of them fails,
	 * the later ones reject with `conflict`, and the writer tries them again.
	 */
	peek?<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined;

	/**
	 * Applies a batch as a whole or not at all. Resolves with the new revision (`base + 1`) once it is durable,
	 * in the sense that the storage declares.
	 *
	 * If it rejects, nothing has changed. A storage whose acknowledgement may be lost on the way finds out
	 * whether it applied the batch. Only if it can't, it rejects with `storage_unavailable` and a message that
	 * says so.
	 *
	 * @throws `conflict` if `base` isn't the current revision, or if the storage doesn't have the latest
	 * commits of other writers yet. From then on, `read` and `peek` show the current state.
	 */
	commit(batch: Batch): Promise<number>;

	/**
	 * Returns every node, at one revision, in chunks, in any order. Commits continue meanwhile. If the storage
	 * is closed meanwhile, the scan either returns all nodes or rejects with `closed`.
	 */
	scan(): AsyncIterable<readonly StoredNode[]>;

	/**
	 * Calls `listener` after durable commits of all writers, in order of revision. For this storage's own
	 * commits, it does so before the caller sees their `commit` resolve. One notice may announce several
	 * commits. The first notice may announce a revision that the storage already had.
	 *
	 * `watch` needn't open the storage: a watcher then calls `read` to learn the revision at which it begins.
	 * Returns a function that stops the notices. Closing the storage stops them too.
	 *
	 * @param needsDetail - `false` if the listener reads only revisions. A storage may then leave out
	 * `detail`, and what it takes to know it. Default `true`
	 */
	watch?(listener: (notice: CommitNotice) => void, needsDetail?: boolean): () => void;

	/**
	 * Receives each `Outline` that is created over this storage, and the names that it gives to a new inbox and a new
	 * calendar. Replicas (`outlinekit/sync`) use it, so that the outline can undo what they change for their user.
	 */
	attached?(outline: object, names?: { readonly inbox: string; readonly calendar: string }): void;

	/** Waits for commits under way, but not for scans, and releases everything. Closing twice has no effect. */
	close(): Promise<void>;

	/** {@link StorageAdapter.close}, for `await using`. */
	[Symbol.asyncDispose]?(): Promise<void>;
}

/** A storage for `await using`, as every storage of this package is. */
export interface DisposableStorage extends StorageAdapter {
	/** {@link StorageAdapter.close}. */
	[Symbol.asyncDispose](): Promise<void>;
}

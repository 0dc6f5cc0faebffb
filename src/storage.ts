import type { LayoutMode } from "./layout-mode.js";

/**
 * One node as it is stored. Exact and validated before it reaches a storage; a storage keeps it to the letter and never
 * looks into it beyond the fields that its queries name.
 */
export interface NodeRecord {
	/** UUID-style, lower case. Its last 12 hex digits are the short id. */
	readonly id: string;
	/** `null` at the top level. */
	readonly parentId: string | null;
	/** A safe integer, distinct among the children of one parent. */
	readonly priority: number;
	/** A canonical HTML fragment: what the serializer of the markup gives. Of a mirror, what it shows when its origin is gone. */
	readonly name: string;
	/** Plain text, to the letter; `null` for none. */
	readonly note: string | null;
	/** How the node is displayed. */
	readonly layoutMode: LayoutMode;
	/** Unix seconds, as are the two below. */
	readonly createdAt: number;
	/** Of the last change of name, note, layout mode or completion; a move leaves it. */
	readonly modifiedAt: number;
	/** `null` while the node isn't completed. */
	readonly completedAt: number | null;
	/** On a mirror, the node whose content it shows; `null` on every other node. */
	readonly originId: string | null;
	/** The revision of the commit that last wrote this record: that changed a field of it, or gave it a mirror or took one. */
	readonly revision: number;
}

/** The group of the shortcuts. */
export const shortcutGroup = "shortcut";

/** The group of the inbox and the calendar's root. */
export const systemGroup = "system";

/** A key that points at a node: a shortcut, the inbox, the calendar or one of its entries. Spec §2.3, §2.4. */
export interface KeyRecord {
	/** Unique within the outline. */
	readonly key: string;
	/**
	 * What the key is listed under: `shortcut`, `system` (the inbox and the calendar's root), or the key of the calendar entry
	 * above it.
	 */
	readonly group: string;
	/** The id of the node that it points at, which is there. */
	readonly nodeId: string;
}

/** What a request with an idempotency key came to: kept for some time, so that the request may come again. */
export interface Receipt {
	/** The idempotency key, with the scopes that it came through, if any: mostly short. Unique within the outline. */
	readonly key: string;
	/** A short text that tells the request from others with the same key. */
	readonly request: string;
	/** Unix seconds of when the request was carried out. */
	readonly createdAt: number;
	/** The result, in JSON: perhaps some million characters, kept exactly as given. */
	readonly result: string;
}

/** A node with the rows of others that its view depends on, all of one revision. */
export interface StoredNode {
	/** Its own row. */
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
			/** A key, to the letter: the node that it points at. */
			readonly key: string;
	  };

/** Whose children are meant: the node's own, or (`visible`) also those of its origin, if it is a mirror whose origin exists. */
export type ChildrenScope = "own" | "visible";

/** What a storage answers. Everything that is not found is `null` or empty, never an error. */
export type Query =
	| {
			/** One node. Answer: `StoredNode | null`. */
			readonly type: "node";
			/** Which node. */
			readonly at: Locator;
	  }
	| {
			/** Children of a node, ordered by priority, then id. Answer: `StoredNode[]`, empty for an unknown parent. */
			readonly type: "children";
			/** The parent; `null` for the top level. */
			readonly of: Locator | null;
			/** Whose children, if the parent is a mirror. */
			readonly scope: ChildrenScope;
			/** Only those with a higher priority. */
			readonly after?: number;
			/** Only those with a lower priority. */
			readonly before?: number;
			/** Only the first so many of them. */
			readonly limit?: number;
			/** With `limit`: the last so many instead, still in ascending order. */
			readonly fromLast?: boolean;
	  }
	| {
			/** The id of a node and those of its ancestors, nearest first. Answer: `string[]`, empty for an unknown node. */
			readonly type: "ancestors";
			/** The node. */
			readonly of: Locator;
	  }
	| {
			/**
			 * A node and all below it by `parentId`, each parent before its children, and the keys that point at any of them. Answer:
			 * `Subtree`.
			 */
			readonly type: "subtree";
			/** The node. */
			readonly of: Locator;
	  }
	| {
			/** Some nodes, their origins and their mirrors, each once, in any order. Answer: `StoredNode[]`. */
			readonly type: "related";
			/** The ids of the nodes; there may be tens of thousands, and some that no node has. */
			readonly ids: readonly string[];
	  }
	| {
			/** Which short ids belong to a node, each once, in any order. Answer: `string[]`. */
			readonly type: "taken";
			/** The short ids that are asked about; there may be tens of thousands. */
			readonly shortIds: readonly string[];
	  }
	| {
			/** The keys of a group with their nodes, in any order. Answer: `StoredKey[]`. */
			readonly type: "keys";
			/** As in {@link KeyRecord.group}. */
			readonly group: string;
	  }
	| {
			/** A receipt, however old it is, and the keys of the oldest receipts. Answer: `FoundReceipt`. */
			readonly type: "receipt";
			/** The receipt's key. */
			readonly key: string;
			/**
			 * Unix seconds: of the receipts that were made before, the keys of the 100 oldest are told, or of all if there are fewer.
			 */
			readonly expiry: number;
	  }
	| {
			/**
			 * The nodes changed and deleted after a revision: whole commits in the order of their revisions. Keys are not among them.
			 * Answer: `ChangedSince`.
			 */
			readonly type: "changes";
			/** The revision. */
			readonly since: number;
			/** No further commit is told when there are so many entries, nodes and tombstones together. */
			readonly limit: number;
	  };

/** The answer to a `subtree` query. */
export interface Subtree {
	/** The node and all below it, each parent before its children. */
	readonly nodes: readonly StoredNode[];
	/** The keys that point at any of them, in any order. */
	readonly keys: readonly KeyRecord[];
}

/** The answer to a `receipt` query. */
export interface FoundReceipt {
	/** `null` if none has the key. */
	readonly receipt: Receipt | null;
	/** Ordered by the moments of their receipts; those of one moment in any order. */
	readonly expired: readonly string[];
}

/** The answer to a `changes` query. */
export interface ChangedSince {
	/** Records whose revision is after `since`, ordered by revision, then id. */
	readonly nodes: readonly NodeRecord[];
	/** Nodes deleted after `since`, ordered by revision, then id. */
	readonly deleted: readonly Tombstone[];
	/** Where to go on from. The current revision, unless there are changes beyond `limit`. */
	readonly revision: number;
}

/** What stays of a deleted node. */
export interface Tombstone {
	/** The node's id. */
	readonly id: string;
	/** The revision of the commit that deleted it. */
	readonly revision: number;
}

/** What each type of query is answered with. */
export interface AnswerByType {
	/** `null` if there is no such node. */
	node: StoredNode | null;
	/** By priority, then id. */
	children: readonly StoredNode[];
	/** Ids, nearest first, its own among them. */
	ancestors: readonly string[];
	/** Without nodes if there is no such node. */
	subtree: Subtree;
	/** In any order. */
	related: readonly StoredNode[];
	/** Short ids, in any order. */
	taken: readonly string[];
	/** In any order. */
	keys: readonly StoredKey[];
	/** The receipt, and the keys of old ones. */
	receipt: FoundReceipt;
	/** Nodes, tombstones, and where to go on. */
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

/** What {@link StorageAdapter.peek} gives: a snapshot that may run ahead of what is durable. */
export interface Peek<Q extends readonly Query[]> extends Snapshot<Q> {
	/** False while a commit that the snapshot shows is still being written. */
	readonly durable: boolean;
}

/** A record before and after a commit. `null` before: it is new; `null` after: it is deleted. Never both. */
export interface NodeChange {
	/** What the storage gave at `base`. */
	readonly before: NodeRecord | null;
	/** Its `revision` is that of the commit: `base + 1`. */
	readonly after: NodeRecord | null;
}

/** A key before and after a commit, as {@link NodeChange}. */
export interface KeyChange {
	/** What the storage gave at `base`. */
	readonly before: KeyRecord | null;
	/** With the same `key`; it may point at another node. */
	readonly after: KeyRecord | null;
}

/**
 * Changes that are committed together or not at all. Each record and each key stands in at most one change, and their order
 * means nothing. `before` is what the storage gave at `base`. After a batch every parent and every key's node is there, and
 * the priorities of siblings differ; within one, places and keys may pass from one record to another. There may be no
 * changes at all: that makes a revision too. Texts hold neither NUL nor lone surrogates.
 */
export interface Batch {
	/** The revision that the changes were computed on. The commit makes it `base + 1`. */
	readonly base: number;
	/** The records that are written, each once. */
	readonly nodes: readonly NodeChange[];
	/** The keys that are written, each once. */
	readonly keys: readonly KeyChange[];
	/** Absent in most. */
	readonly receipts?: ReceiptChanges;
}

/** The receipts that a commit adds and drops. A key stands in one of the lists, and once. */
export interface ReceiptChanges {
	/** Receipts with keys that none has. */
	readonly added: readonly Receipt[];
	/** The keys of receipts. */
	readonly dropped: readonly string[];
}

/**
 * The ids of the nodes that a commit writes and of the origins that they name: everybody else whom it concerns is an origin
 * or a mirror of one of these, so that a `related` query for them finds all.
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

/** Word of a commit. */
export interface CommitNotice {
	/** The outline's revision after the commit. */
	readonly revision: number;
	/**
	 * What the commit changed, and the answer to a `related` query for its {@link relatedIds} before it was applied, if the
	 * storage knows. Without it, `changes` queries tell what is new.
	 */
	readonly detail?: {
		/** The batch that was committed: the very object, if it was committed through this storage. */
		readonly batch: Batch;
		/** The nodes as they were before it. */
		readonly related: readonly StoredNode[];
	};
}

/**
 * Where an outline is kept: a versioned record store. It holds no rule of the outline; it answers reads at one revision and
 * takes batches against a revision. A new storage is at revision 0 and empty.
 *
 * Every method opens the storage if need be, and rejects with an `OutlineError`: `storage_unavailable`, `storage_corrupt`,
 * `quota_exceeded`, or `closed` after {@link StorageAdapter.close}.
 */
export interface StorageAdapter {
	/**
	 * Answers all queries (there may be none) at one revision, in their order, with commits that are durable only. One storage
	 * never goes back to an earlier revision, and shows at least what its own `commit` has resolved for and what a notice has
	 * told of; what another process has just committed may be missing.
	 */
	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>>;

	/**
	 * For a storage that can answer without waiting: answers at once, at the newest revision that it knows of, which shows
	 * every batch that {@link StorageAdapter.commit} has been called with, durable or not. Others may have committed beyond
	 * it. Never throws: undefined while the storage isn't open, when it is closed, and when it can't answer just now, whereupon
	 * `read` is asked. With it, writes go on without waiting for the ones before to become durable; if one of those fails, the
	 * later ones reject with `conflict` and are tried again.
	 */
	peek?<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined;

	/**
	 * Applies a batch, all or nothing, and resolves with the new revision (`base + 1`) when it is durable in the sense that
	 * the storage declares. When it rejects, nothing is changed: a storage whose acknowledgement can get lost on the way finds
	 * out what became of the batch, and only if it can't, rejects with `storage_unavailable` and a message that says so.
	 *
	 * @throws `conflict` when `base` isn't the current revision, or the storage is behind others. From then on `read` and `peek`
	 * show what is.
	 */
	commit(batch: Batch): Promise<number>;

	/**
	 * Every node, at one revision, in chunks and in any order. Commits go on meanwhile. If the storage is closed meanwhile it
	 * ends with all of them or rejects with `closed`.
	 */
	scan(): AsyncIterable<readonly StoredNode[]>;

	/**
	 * Calls `listener` after durable commits by anyone, this storage's own included (before their `commit` is seen to resolve),
	 * in order of revision; several may share one notice, and the first may tell of a revision that was there already. It
	 * needn't open the storage: whoever watches then reads, to know where it begins. Returns what ends it; closing the storage
	 * ends it too.
	 */
	watch?(listener: (notice: CommitNotice) => void): () => void;

	/** Waits for the commits under way, not for scans, and lets go of everything. Closing twice is fine. */
	close(): Promise<void>;

	/** {@link StorageAdapter.close}, for `await using`. */
	[Symbol.asyncDispose]?(): Promise<void>;
}

/** A storage that `await using` closes, as it does all of this package. */
export interface DisposableStorage extends StorageAdapter {
	/** {@link StorageAdapter.close}. */
	[Symbol.asyncDispose](): Promise<void>;
}

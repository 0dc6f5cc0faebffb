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
	/** A canonical HTML fragment. */
	readonly name: string;
	readonly note: string | null;
	readonly layoutMode: LayoutMode;
	/** Unix seconds, as are the two below. */
	readonly createdAt: number;
	readonly modifiedAt: number;
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

/** A key that points at a node: a shortcut, the inbox, the calendar or one of its entries. */
export interface KeyRecord {
	/** Unique within the outline. */
	readonly key: string;
	/** What the key is listed under: {@link shortcutGroup}, {@link systemGroup}, or the key of the calendar entry above it. */
	readonly group: string;
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
	/** The result, in JSON: perhaps tens of millions of characters, kept to the letter. */
	readonly result: string;
}

/** A node with the rows of others that its view depends on, all of one revision. */
export interface StoredNode {
	readonly record: NodeRecord;
	/** The record that `originId` names; `null` if there is none. */
	readonly origin: NodeRecord | null;
	/** The ids of the records whose `originId` is this node, ascending. */
	readonly mirrorIds: readonly string[];
}

/** A key with the node it points at. */
export interface StoredKey {
	readonly record: KeyRecord;
	readonly node: StoredNode;
}

/** The ways to name a node. A `shortId` is 12 lower case hex digits. */
export type Locator = { readonly id: string } | { readonly shortId: string } | { readonly key: string };

/** Whose children are meant: the node's own, or (`visible`) also those of its origin, if it is a mirror whose origin exists. */
export type ChildrenScope = "own" | "visible";

/** What a storage answers. Everything that is not found is `null` or empty, never an error. */
export type Query =
	/** One node. Answer: `StoredNode | null`. */
	| { readonly type: "node"; readonly at: Locator }
	/**
	 * Children of a node, or of the root (`null`), ordered by priority, then id. Answer: `StoredNode[]`, empty for an
	 * unknown parent. `after` and `before` (exclusive) bound the priority; `limit` keeps the first so many, or with
	 * `fromLast` the last so many, still in ascending order.
	 */
	| {
			readonly type: "children";
			readonly of: Locator | null;
			readonly scope: ChildrenScope;
			readonly after?: number;
			readonly before?: number;
			readonly limit?: number;
			readonly fromLast?: boolean;
	  }
	/** The id of a node and those of its ancestors, nearest first. Answer: `string[]`, empty for an unknown node. */
	| { readonly type: "ancestors"; readonly of: Locator }
	/** A node and all below it by `parentId`, each parent before its children, and the keys that point at any of them. Answer: `Subtree`. */
	| { readonly type: "subtree"; readonly of: Locator }
	/** The nodes with these ids, their origins and their mirrors, each once, in any order. Answer: `StoredNode[]`. */
	| { readonly type: "related"; readonly ids: readonly string[] }
	/** Which of these short ids belong to a node, each once, in any order. Answer: `string[]`. */
	| { readonly type: "taken"; readonly shortIds: readonly string[] }
	/** The keys of a group with their nodes, in any order. Answer: `StoredKey[]`. */
	| { readonly type: "keys"; readonly group: string }
	/**
	 * The receipt with a key, however old it is, and the keys of the oldest receipts that were made before `expiry`: of 100, or
	 * of all if there are fewer. Answer: `FoundReceipt`.
	 */
	| { readonly type: "receipt"; readonly key: string; readonly expiry: number }
	/**
	 * The nodes changed and deleted after a revision: whole commits in the order of their revisions, until they make `limit`
	 * entries (nodes and tombstones together) or more. Keys are not among them. Answer: `ChangedSince`.
	 */
	| { readonly type: "changes"; readonly since: number; readonly limit: number };

/** The answer to a `subtree` query. */
export interface Subtree {
	readonly nodes: readonly StoredNode[];
	readonly keys: readonly KeyRecord[];
}

/** The answer to a `receipt` query. */
export interface FoundReceipt {
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
	readonly id: string;
	/** The revision of the commit that deleted it. */
	readonly revision: number;
}

/** The answer that belongs to a query. */
export type Answer<Q extends Query> = Q extends { type: "node" }
	? StoredNode | null
	: Q extends { type: "children" } | { type: "related" }
		? readonly StoredNode[]
		: Q extends { type: "ancestors" } | { type: "taken" }
			? readonly string[]
			: Q extends { type: "subtree" }
				? Subtree
				: Q extends { type: "keys" }
					? readonly StoredKey[]
					: Q extends { type: "receipt" }
						? FoundReceipt
						: ChangedSince;

/** The answers to a tuple of queries, in its order. */
export type Answers<Q extends readonly Query[]> = { readonly [I in keyof Q]: Answer<Q[I]> };

/** Answers that all belong to one revision. */
export interface Snapshot<Q extends readonly Query[]> {
	readonly revision: number;
	readonly results: Answers<Q>;
}

/** What {@link StorageAdapter.peek} gives: a snapshot that may run ahead of what is durable. */
export interface Peek<Q extends readonly Query[]> extends Snapshot<Q> {
	/** False while a commit that the snapshot shows is still being written. */
	readonly durable: boolean;
}

/** A record before and after a commit. `null` before: it is new; `null` after: it is deleted. Never both. */
export interface NodeChange {
	readonly before: NodeRecord | null;
	/** Its `revision` is that of the commit: `base + 1`. */
	readonly after: NodeRecord | null;
}

/** A key before and after a commit, as {@link NodeChange}. */
export interface KeyChange {
	readonly before: KeyRecord | null;
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
	readonly nodes: readonly NodeChange[];
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
		for (const record of [before, after]) {
			if (record === null) continue;
			ids.add(record.id);
			if (record.originId !== null) ids.add(record.originId);
		}
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
	readonly detail?: { readonly batch: Batch; readonly related: readonly StoredNode[] };
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
}

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
	/** The revision of the commit that last changed this record. */
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
	/** The keys of a group with their nodes, ordered by key (by UTF-16 code unit). Answer: `StoredKey[]`. */
	| { readonly type: "keys"; readonly group: string }
	/**
	 * What has changed after a revision, ordered by revision: whole commits, as many as fit into `limit` entries, but at
	 * least one commit. Answer: `ChangedSince`.
	 */
	| { readonly type: "changes"; readonly since: number; readonly limit: number };

/** The answer to a `subtree` query. */
export interface Subtree {
	readonly nodes: readonly StoredNode[];
	readonly keys: readonly KeyRecord[];
}

/** The answer to a `changes` query. */
export interface ChangedSince {
	/** Records whose revision is after `since`, ordered by revision, then id. */
	readonly nodes: readonly NodeRecord[];
	/** Nodes deleted after `since`, ordered by revision, then id. */
	readonly deleted: readonly Tombstone[];
	/** Where to go on from. The current revision, unless `limit` cut the answer. */
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
		: Q extends { type: "ancestors" }
			? readonly string[]
			: Q extends { type: "subtree" }
				? Subtree
				: Q extends { type: "keys" }
					? readonly StoredKey[]
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

/** Changes that are committed together or not at all. Each record and each key stands in at most one change. */
export interface Batch {
	/** The revision that the changes were computed on. The commit makes it `base + 1`. */
	readonly base: number;
	readonly nodes: readonly NodeChange[];
	readonly keys: readonly KeyChange[];
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
	/** Answers all queries (there may be none) at one revision, in their order, with commits that are durable only. */
	read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>>;

	/**
	 * For a storage that holds its records in memory: answers at once, at the newest revision that {@link StorageAdapter.commit}
	 * has been called for, durable or not. Never throws: undefined while the storage isn't open, or closed. With it, writes go on without waiting for
	 * the ones before to become durable; if one of those fails, the later ones reject with `conflict` and are tried again.
	 */
	peek?<const Q extends readonly Query[]>(queries: Q): Peek<Q> | undefined;

	/**
	 * Applies a batch, all or nothing, and resolves with the new revision (`base + 1`) when it is durable in the sense that
	 * the storage declares. @throws `conflict` when `base` is no longer the current revision: nothing is changed then.
	 */
	commit(batch: Batch): Promise<number>;

	/** Every node, at one revision, in chunks and in any order. Commits go on meanwhile. */
	scan(): AsyncIterable<readonly StoredNode[]>;

	/** Calls `listener` after each durable commit by anyone, in order of revision. Returns what ends it. */
	watch?(listener: (notice: CommitNotice) => void): () => void;

	/** Waits for the commits under way and lets go of everything. Closing twice is fine. */
	close(): Promise<void>;
}

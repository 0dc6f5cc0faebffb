import type { NodeRecord } from "../storage.js";

/** An object while it is made. */
export type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

/** The fields of a record that a delta carries. */
export type DeltaFields = Partial<Omit<NodeRecord, "id" | "revision">>;

/**
 * The change of one node in a commit.
 *
 * - A new node: `before` is `null`, and `after` has all fields.
 * - A changed node: `before` and `after` have the changed fields.
 * - A deleted node: `before` has all fields, and `after` is `null`.
 *
 * Where all fields are given, these are left out: `note`, `properties`, `completedAt` and `originId` if they
 * are `null`, `layoutMode` if it is `bullets`, `modifiedAt` if it equals `createdAt`.
 */
export interface NodeDelta {
	readonly id: string;
	readonly before: DeltaFields | null;
	readonly after: DeltaFields | null;
	/**
	 * Of a changed node, the fields that the commit left alone, so that the node can return if it is gone: its
	 * parent before the commit, its times, and its content without texts of more than 2,000 characters.
	 */
	readonly rest?: DeltaFields;
	/**
	 * The siblings above and below after the commit; `null` for none. Present if the commit placed the node
	 * beside nodes that it didn't create: under a parent that it didn't create, or that has a key.
	 */
	readonly above?: string | null;
	readonly below?: string | null;
	/** Whether the node only got another priority, to make room for a sibling. */
	readonly aside?: true;
	/** Of a copy that a deletion made for a mirror (`mirrors: "detach"`): the id of the copied node. */
	readonly copyOf?: string;
	/** Of a node of a restored server: contents that gave way in open conflicts, which the server has lost. */
	readonly others?: readonly DeltaFields[];
}

/** The change of one key in a commit: the ids of its node before and after; `null` for none. */
export interface KeyDelta {
	readonly key: string;
	readonly group: string;
	readonly before: string | null;
	readonly after: string | null;
}

/** A node that a commit knew, and that isn't in its changes: its parent, and its calendar or system key. */
export interface KnownNode {
	readonly parentId: string | null;
	readonly key?: string;
}

/** The changes of one commit on a device, as the server settles them on its own state. */
export interface Delta {
	/** The time of the commit, in Unix seconds. */
	readonly at: number;
	readonly nodes: readonly NodeDelta[];
	readonly keys?: readonly KeyDelta[];
	/** By id: the parents of placed nodes and of changed nodes, and the ancestors of these, up to four. */
	readonly known?: Readonly<Record<string, KnownNode>>;
	/** The ids of conflicts that the commit closes. */
	readonly closed?: readonly string[];
	/**
	 * Whether the delta joins an outline with another one. Its nodes come from many commits, so the server refuses only
	 * the nodes that it can't take, and not all of them.
	 */
	readonly joins?: true;
}

/** A change that a delta gave up, or made in another way, when it was settled. */
export interface ConflictNote {
	/** The kind, on which the other fields depend. */
	readonly kind: ConflictKind;
	/** The id of the node that it is about. */
	readonly nodeId: string;
	/** `name`, `note`, `properties.<key>`, or the key of a shortcut. */
	readonly field?: string;
	/** The value that the outline has now. */
	readonly shown: unknown;
	/** The value that gave way, whole. */
	readonly other: unknown;
}

/**
 * The kinds of conflicts, and their `shown` and `other`:
 *
 * - `text`: two edits of the same words. The two texts, or values of a property.
 * - `move`: a move that would close a cycle. The ids of the parent now and of the parent wanted.
 * - `deletion`: a deletion that isn't done in full, because of a change that the deleter had not seen; also
 *   the `detach` or `promote` that came with it. The id of the node that stays, and `null`.
 * - `returned`: a deleted node that returns with an edit or a move. Its id, and `null`.
 * - `parent`: a node whose wanted parent is gone. The ids of the parent now and of the parent wanted.
 * - `shortcut`: one shortcut for two nodes. The ids of the two nodes.
 */
export type ConflictKind = "text" | "move" | "deletion" | "returned" | "parent" | "shortcut";

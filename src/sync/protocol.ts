import type { Key } from "../storage.js";
import type { ConflictNote, DeltaFields } from "./delta.js";

/** The version of the protocol that this release speaks. */
export const protocolVersion = 1;

/** The most changes in one answer, whatever the header asks for. */
export const mostChanges = 10_000;

/** The approximate length of a line with several nodes, in characters. */
export const lineLength = 262_144;

/** The first line of a push. */
export interface PushHeader {
	/** {@link protocolVersion}. */
	readonly protocol: number;
	/** The identity of the outline; `null` if the device has never synchronized. */
	readonly outline: string | null;
	/** The id of the device: UUID-style, lower case. */
	readonly device: string;
	/** The server's revision up to which the device has the changes; 0 for none. */
	readonly since: number;
	/** The mark that came with `since`; absent if none did. */
	readonly mark?: string;
	/** The number of the entry before the first one of the push; 0 for none. */
	readonly last: number;
	/** The digest of the device's journal up to that entry; "" for none. */
	readonly digest: string;
	/** The most changes in the answer; 0 for none, while more pushes follow. */
	readonly limit: number;
}

/** A node in an answer: the fields of its record without `revision`, with the omissions of a `NodeDelta`. */
export interface SyncNode extends DeltaFields {
	/** The id of the node. */
	readonly id: string;
}

/** Something that gave way when the server settled an entry, and that a user may still want. */
export interface Conflict extends ConflictNote {
	/** Unique within the outline. */
	readonly id: string;
	/** The time of the commit on the device, in Unix seconds. */
	readonly at: number;
	/** The id of the device whose entry was settled. */
	readonly device: string;
}

/** An entry that the server refused for good. */
export interface RefusedEntry {
	/** The number of the entry. */
	readonly seq: number;
	/** A code of `OutlineError`: `invalid_argument` or `too_large`. */
	readonly code: string;
	/** A message for people; of several nodes, about the first one. */
	readonly message: string;
	/** Of an entry that joins an outline: the ids of the refused nodes. The server has taken the others. */
	readonly nodes?: readonly string[];
}

/** The answer to a push. */
export interface SyncAnswer {
	/** The identity of the outline. */
	readonly outline: string;
	/** The revision that the answer reaches: the next `since`. */
	readonly revision: number;
	/**
	 * A mark of the server's history up to that revision. The device sends it back with `since`, so that the
	 * server notices if it was restored from an older copy. Earlier servers send none.
	 */
	readonly mark?: string;
	/** Whether there are more changes. The device applies the answers together, after the last one. */
	readonly more: boolean;
	/** The number of the last entry of this device that the server has; 0 for none. */
	readonly last: number;
	/** The digest of the device's journal up to that entry. */
	readonly digest: string;
	/** The refused entries after the header's `last`. */
	readonly refused: readonly RefusedEntry[];
	/** The changed nodes, in no order. */
	readonly nodes: readonly SyncNode[];
	/** The ids of deleted nodes. */
	readonly deleted: readonly string[];
	/** The keys that were set. */
	readonly keys: readonly Key[];
	/** The keys that were dropped. */
	readonly droppedKeys: readonly string[];
	/** The conflicts since the header's `since` that are still open. */
	readonly conflicts: readonly Conflict[];
	/** The ids of conflicts that were closed since then. */
	readonly closed: readonly string[];
}

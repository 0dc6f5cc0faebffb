import type { KeyTombstone, Tombstone } from "../src/storage.js";

/** Compares changed nodes: an answer to `changes` has them by revision, then by id. */
export function byRevision(left: Tombstone, right: Tombstone): number {
	return left.revision - right.revision || (left.id < right.id ? -1 : 1);
}

/** Compares changed keys: an answer to `changes` has them by revision, then by key. */
export function byRevisionAndKey(left: KeyTombstone, right: KeyTombstone): number {
	return left.revision - right.revision || (left.key < right.key ? -1 : 1);
}

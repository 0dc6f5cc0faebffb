import type { NodeRecord } from "../../../src/storage.js";

/** In place of a parent's number: the node is at the top level, or its parent is missing. */
export const topLevel = -1;
export const missing = -2;

/** Some nodes of a snapshot as they were read. Each becomes a record only when it is needed. */
export interface PackedBlock {
	/** The number of nodes. A row is the index of a node within the block. */
	readonly count: number;
	/** For each row the number of the parent within the whole snapshot, {@link topLevel} or {@link missing}. */
	readonly parents: Int32Array;
	/** The rows of mirrors, with the ids of their origins. */
	readonly origins: readonly (readonly [row: number, originId: string])[];
	/** Returns the hash of the last twelve characters of an id, by {@link hashed}. */
	hashOf(row: number, seed: number): number;
	/** Returns the id of a row. */
	idAt(row: number): string;
	/** Whether the id of a row is this one, or ends with it. */
	endsWith(row: number, id: string): boolean;
	/**
	 * Returns all records.
	 *
	 * @param parentIdOf - returns the id of the parent of a row, if the parent has a number
	 * @throws `storage_corrupt` if the block isn't valid
	 */
	records(parentIdOf: (row: number) => string): NodeRecord[];
}

/** Adds a character to a hash. */
export function hashed(hash: number, code: number): number {
	return Math.imul(hash ^ code, 0x01000193);
}

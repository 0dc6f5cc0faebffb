import type { NodeRecord } from "../../../src/storage.js";

/** The parent of a node at the top level, and that of a node whose parent isn't there, where the others have a number. */
export const topLevel = -1;
export const missing = -2;

/** Some nodes of a snapshot as they were read: each becomes a record when it is asked for. */
export interface PackedBlock {
	/** How many nodes. A row is their number within the block. */
	readonly count: number;
	/** For each row the number of the parent within the whole snapshot, {@link topLevel} or {@link missing}. */
	readonly parents: Int32Array;
	/** The rows of mirrors, with the ids of their origins. */
	readonly origins: readonly (readonly [row: number, originId: string])[];
	/** What the last twelve characters of an id hash to, by {@link hashed}. */
	hashOf(row: number, seed: number): number;
	/** The id of a row. */
	idAt(row: number): string;
	/** Whether the id of a row is this one, or ends with it. */
	endsWith(row: number, id: string): boolean;
	/**
	 * All records.
	 *
	 * @param parentIdOf - the id of the parent of a row, as far as it has a number
	 * @throws `storage_corrupt` if the block isn't what it must be
	 */
	records(parentIdOf: (row: number) => string): NodeRecord[];
}

/** Takes one more character into a hash. */
export function hashed(hash: number, code: number): number {
	return Math.imul(hash ^ code, 0x01000193);
}

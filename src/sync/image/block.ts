import type { Key } from "../../storage.js";
import type { Conflict } from "../protocol.js";

/** A place of the top level, in the column of parents. */
export const topLevel = -1;

/** The first line of an image. */
export interface ImageHead {
	readonly protocol: number;
	/** The identity of the outline. */
	readonly outline: string;
	/** The revision from which a device continues, as `since`. */
	readonly revision: number;
	/** The mark of the server's history up to that revision. Earlier servers send none. */
	readonly mark?: string;
	/** The number of nodes in the whole image. */
	readonly nodes: number;
}

/** A value for some rows of a block, by the index of the row. */
export type Sparse<T> = { readonly [row: string]: T };

/**
 * Up to 1,000 nodes, in columns. The nodes of an image have numbers, from 0, and each comes after its parent. A
 * difference is the difference to the row before; the first row counts from 0.
 */
export interface ImageBlock {
	/** The number of the first node. */
	readonly first: number;
	/** The ids, 22 characters each: the 16 bytes in base64url. */
	readonly ids: string;
	/** Differences of the numbers of the parents; a node of the top level has the parent -1. */
	readonly parents: readonly number[];
	/** Differences of the priorities. Where the parent isn't that of the row before, the priority itself. */
	readonly priorities: readonly number[];
	readonly names: readonly string[];
	/** Differences of the times. */
	readonly created: readonly number[];
	/** The seconds from the creation to the last change, unless that is 0. */
	readonly modified?: Sparse<number>;
	/** The seconds from the creation to the completion. */
	readonly completed?: Sparse<number>;
	readonly notes?: Sparse<string>;
	readonly layoutModes?: Sparse<string>;
	readonly properties?: Sparse<string>;
	/** Of mirrors: the number of the origin if it comes before; else its id, in 22 characters. */
	readonly origins?: Sparse<number | string>;
}

/** A line of an image: the head, then nodes, then keys and conflicts, then the end. */
export type ImageLine =
	| ImageHead
	| ImageBlock
	| { readonly keys: readonly Key[] }
	| { readonly conflicts: readonly Conflict[] }
	| { readonly end: true };

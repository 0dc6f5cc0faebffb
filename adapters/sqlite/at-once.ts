import { portionsOf } from "../portions.js";

/** The most work of one step, during which no other work of the process runs. */
export interface AtOnce {
	/** The number of nodes, keys and documents. */
	readonly rows: number;
	/** The number of characters of texts, or of bytes if these are easier to find out. */
	readonly characters: number;
}

/**
 * Takes some 30 ms to write. Smaller transactions would write the same pages of the indexes again and again.
 */
export const atOnce: AtOnce = { rows: 3000, characters: 2 ** 22 };

/** A thing whose size is known. */
export interface Sized {
	/** In characters or bytes. */
	readonly size: number;
}

/** Returns the things in groups of one step's size, in their order, each with at least one thing. */
export function portions<T extends Sized>(things: readonly T[], { rows, characters }: AtOnce): Generator<readonly T[]> {
	return portionsOf(things, ({ size }) => size, characters, rows);
}

/** How much is read or written in one go, while nothing else of the process has its turn. */
export interface AtOnce {
	/** Nodes, keys and receipts. */
	readonly rows: number;
	/** Characters of texts, or bytes where those are easier to tell. */
	readonly characters: number;
}

/** As much as takes some 30 ms to write. In smaller transactions the same pages of the indexes would be written time and again. */
export const atOnce: AtOnce = { rows: 3000, characters: 2 ** 22 };

/** Something of which it is known how much it takes. */
export interface Sized {
	/** In characters or bytes. */
	readonly size: number;
}

/** As much as may be read at once of some things, in their order: portions of at least one. */
export function* portions<T extends Sized>(
	things: readonly T[],
	{ rows, characters }: AtOnce,
): Generator<readonly T[]> {
	let start = 0;
	let size = 0;
	for (const [place, thing] of things.entries()) {
		if (place > start && (place - start >= rows || size + thing.size > characters)) {
			yield things.slice(start, place);
			start = place;
			size = 0;
		}
		size += thing.size;
	}
	if (start < things.length) yield things.slice(start);
}

/** Returns the id that ends in a number below 2^48, in hexadecimal digits. */
export function numberedId(number: number): string {
	return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** An id that no node of a test has. */
export const unusedId = numberedId(2 ** 48 - 1);

/**
 * Returns a source of ids for an outline.
 *
 * @param numberOf - returns the number in the next id, from the number of ids before; by default 1, 2, 3
 */
export function countedIds(numberOf: (drawn: number) => number = (drawn) => drawn + 1): () => string {
	let drawn = 0;
	return () => numberedId(numberOf(drawn++));
}

/** Returns another number for each number up to 2^32, not in their order, for ids without an order. */
export function scattered(number: number): number {
	return ((number * 7919) % 65_536) * 65_536 + number;
}

/** Returns the id that ends in a number below 2^48, in hexadecimal digits. */
export function numberedId(number: number): string {
	return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** An id that no node of a test has. */
export const unusedId = numberedId(2 ** 48 - 1);

/**
 * Returns a source of ids for an outline.
 *
 * @param numberOf - the number in the id that is drawn after so many others; by default they count from 1
 */
export function countedIds(numberOf: (drawn: number) => number = (drawn) => drawn + 1): () => string {
	let drawn = 0;
	return () => numberedId(numberOf(drawn++));
}

/** Returns a number below 2^32 for one below 2^16. The results aren't in the order of the numbers, so ids aren't either. */
export function scattered(number: number): number {
	return ((number * 7919) % 65_536) * 65_536 + number;
}

/**
 * Returns a generator of pseudo-random numbers from 0 to below 1, the same for the same seed (an integer).
 */
export function seededRandom(seed: number): () => number {
	let state = seed | 0;
	return () => {
		// A Weyl sequence, mixed (mulberry32).
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Returns an integer from 0 to below `end`. */
export function randomBelow(end: number, random: () => number): number {
	return Math.floor(random() * end);
}

/** Returns one of the items; there must be at least one. */
export function randomItem<T>(items: readonly T[], random: () => number): T {
	const item = items[randomBelow(items.length, random)];
	if (item === undefined) throw new RangeError("there is nothing to choose from");
	return item;
}

/**
 * Yields entries in portions, in their order. A portion has at most so many entries of at most so much size
 * together, or one larger entry.
 */
export function* portionsOf<T>(
	entries: Iterable<T>,
	sizeOf: (entry: T) => number,
	mostSize: number,
	mostEntries = Number.POSITIVE_INFINITY,
): Generator<T[]> {
	let portion: T[] = [];
	let size = 0;
	for (const entry of entries) {
		const more = sizeOf(entry);
		if (portion.length > 0 && (portion.length >= mostEntries || size + more > mostSize)) {
			yield portion;
			portion = [];
			size = 0;
		}
		portion.push(entry);
		size += more;
	}
	if (portion.length > 0) yield portion;
}

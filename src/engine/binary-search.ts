/**
 * Returns the index of the first of some entries in order that isn't before a place; their number if all are.
 *
 * @param isBefore - whether the entry at an index is before the place
 */
export function firstNotBefore(count: number, isBefore: (index: number) => boolean): number {
	let low = 0;
	for (let high = count; low < high; ) {
		const middle = (low + high) >> 1;
		if (isBefore(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}

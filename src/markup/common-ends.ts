/**
 * Returns the numbers of characters that two texts share at their beginnings and, behind that, at their ends.
 * Compares lists of parts in the same way.
 */
export function commonEnds(
	before: ArrayLike<string>,
	after: ArrayLike<string>,
): { readonly head: number; readonly tail: number } {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
	return { head, tail };
}

import type { Steps } from "./pace.js";

/** How many items are sorted, or merged, in a step. */
const stepSize = 1000;

/** Items in order, sorted a step at a time: in stretches, which are then merged two by two. */
export function* sorted<T>(items: readonly T[], compare: (left: T, right: T) => number): Steps<T[]> {
	if (items.length <= stepSize) return items.toSorted(compare);
	let stretches: T[][] = [];
	for (let start = 0; start < items.length; start += stepSize) {
		stretches.push(items.slice(start, start + stepSize).sort(compare));
		yield;
	}
	while (stretches.length > 1) {
		const merged: T[][] = [];
		for (let at = 0; at < stretches.length; at += 2) {
			const right = stretches[at + 1];
			merged.push(right === undefined ? stretches[at]! : yield* mergedOf(stretches[at]!, right, compare));
		}
		stretches = merged;
	}
	return stretches[0]!;
}

function* mergedOf<T>(left: readonly T[], right: readonly T[], compare: (left: T, right: T) => number): Steps<T[]> {
	const merged: T[] = [];
	let next = 0;
	for (const item of left) {
		while (next < right.length && compare(right[next]!, item) < 0) {
			if (merged.push(right[next++]!) % stepSize === 0) yield;
		}
		if (merged.push(item) % stepSize === 0) yield;
	}
	for (; next < right.length; next++) if (merged.push(right[next]!) % stepSize === 0) yield;
	return merged;
}

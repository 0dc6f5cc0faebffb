/** In place of a parent's number: the node is at the top level, or its parent is missing. */
export const topLevel = -1;
export const missing = -2;

/** The numbers of nodes ordered by their parents, and the index of each parent's first child among them. */
export interface ChildNumbers {
	readonly starts: Int32Array;
	readonly numbers: Int32Array;
}

/**
 * Orders nodes by their parents, by a counting sort. Leaves out nodes whose parent is {@link missing}.
 *
 * @param parents - the parents of all nodes by number, in one array after another
 * @param count - the number of nodes
 */
export function childNumbers(parents: readonly Int32Array[], count: number): ChildNumbers {
	const starts = new Int32Array(count + 2);
	for (const some of parents) {
		for (const parent of some) if (parent >= topLevel) starts[parent - topLevel + 1]! += 1;
	}
	for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
	const numbers = new Int32Array(starts.at(-1)!);
	const next = starts.slice();
	let number = 0;
	for (const some of parents) {
		for (const parent of some) {
			if (parent >= topLevel) numbers[next[parent - topLevel]!++] = number;
			number += 1;
		}
	}
	return { starts, numbers };
}

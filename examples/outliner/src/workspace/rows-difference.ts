import type { Row } from "outlinekit/live";

/** The parts of an earlier and a later list of rows that differ. Before and behind them are the same rows. */
export interface Difference {
	/** The index where both parts begin. */
	readonly start: number;
	readonly before: readonly Row[];
	readonly now: readonly Row[];
}

/** Compares two lists. Rows that haven't changed are the same objects, so this takes no time per row. */
export function differenceOf(before: readonly Row[], now: readonly Row[]): Difference {
	const shorter = Math.min(before.length, now.length);
	let start = 0;
	while (start < shorter && before[start] === now[start]) start++;
	let [endBefore, endNow] = [before.length, now.length];
	while (endBefore > start && endNow > start && before[endBefore - 1] === now[endNow - 1]) {
		endBefore--;
		endNow--;
	}
	return { start, before: before.slice(start, endBefore), now: now.slice(start, endNow) };
}

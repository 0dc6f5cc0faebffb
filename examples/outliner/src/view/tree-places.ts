import type { Row } from "outlinekit/live";
import type { Difference } from "../workspace/rows-difference.js";

/** The most rows of a difference that are looked for among known siblings. */
const mostDifferent = 100;

/** The places of rows among their siblings, for the rows on the screen. */
export class Places {
	#rows: readonly Row[] = [];
	/** The siblings of the rows on the screen, by the key of their parent. */
	#siblings = new Map<string | null, readonly Row[]>();
	/** The siblings of the rows that were on the screen before the last difference. */
	#earlier: ReadonlyMap<string | null, readonly Row[]> = new Map();

	/** A row's place among its siblings, from 1. */
	of(index: number): number {
		return this.#siblingsOf(index).indexOf(this.#rows[index]!) + 1;
	}

	/** The number of a row's siblings, itself included. */
	countOf(index: number): number {
		return this.#siblingsOf(index).length;
	}

	/** The number of rows directly below a row. */
	below(index: number): number {
		const next = this.#rows[index + 1];
		return next !== undefined && next.depth > this.#rows[index]!.depth ? this.#siblingsOf(index + 1).length : 0;
	}

	/** Goes on with later rows. To find thousands of siblings takes a while, so it keeps those that it knows. */
	follow(rows: readonly Row[], difference: Difference): void {
		const isSmall = difference.before.length + difference.now.length <= mostDifferent;
		const known = isSmall ? [...this.#siblings] : [];
		this.#earlier = new Map(known.map(([key, siblings]) => [key, revised(siblings, key, rows, difference)]));
		this.#siblings = new Map();
		this.#rows = rows;
	}

	#siblingsOf(index: number): readonly Row[] {
		const { parentKey } = this.#rows[index]!;
		let siblings = this.#siblings.get(parentKey);
		if (siblings === undefined) {
			siblings = this.#earlier.get(parentKey) ?? siblingsAt(this.#rows, index);
			this.#siblings.set(parentKey, siblings);
		}
		return siblings;
	}
}

/** The rows below one after a difference. */
function revised(
	siblings: readonly Row[],
	parentKey: string | null,
	rows: readonly Row[],
	{ start, before, now }: Difference,
): readonly Row[] {
	const isAmong = (row: Row) => row.parentKey === parentKey;
	const [gone, come] = [before.filter(isAmong), now.filter(isAmong)];
	if (gone.length === 0 && come.length === 0) return siblings;
	let above = start - 1;
	while (above >= 0 && !isAmong(rows[above]!) && rows[above]!.key !== parentKey) above--;
	// The row above is a sibling, or the parent.
	return siblings.toSpliced(siblings.indexOf(rows[above]!) + 1, gone.length, ...come);
}

function siblingsAt(rows: readonly Row[], index: number): readonly Row[] {
	const { depth } = rows[index]!;
	let start = index;
	while (start > 0 && rows[start - 1]!.depth >= depth) start--;
	const siblings: Row[] = [];
	for (let at = start; at < rows.length && rows[at]!.depth >= depth; at++) {
		if (rows[at]!.depth === depth) siblings.push(rows[at]!);
	}
	return siblings;
}

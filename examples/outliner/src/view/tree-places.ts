import type { Row } from "outlinekit/live";

/** The places of rows among their siblings, for the rows on the screen. */
export class Places {
	readonly #rows: readonly Row[];
	/** The siblings below a row, by its key: only of rows on the screen. */
	readonly #siblings = new Map<string | null, readonly Row[]>();

	constructor(rows: readonly Row[]) {
		this.#rows = rows;
	}

	/** A row's place among its siblings, from 1, and how many these are. */
	of(index: number): readonly [place: number, count: number] {
		const row = this.#rows[index]!;
		const siblings = this.#siblingsOf(index);
		return [siblings.indexOf(row) + 1, siblings.length];
	}

	/** The number of rows directly below a row. */
	below(index: number): number {
		const next = this.#rows[index + 1];
		return next !== undefined && next.depth > this.#rows[index]!.depth ? this.#siblingsOf(index + 1).length : 0;
	}

	#siblingsOf(index: number): readonly Row[] {
		const row = this.#rows[index]!;
		let siblings = this.#siblings.get(row.parentKey);
		if (siblings === undefined) {
			siblings = siblingsAt(this.#rows, index);
			this.#siblings.set(row.parentKey, siblings);
		}
		return siblings;
	}
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

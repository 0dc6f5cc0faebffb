import type { Row } from "outlinekit/live";

/** From which row to which somebody has selected. */
export interface Selection {
	readonly anchor: string;
	readonly head: string;
}

/** The rows between two, both included, that stand side by side: siblings, each with all below it. */
export function selectedRows(rows: readonly Row[], { anchor, head }: Selection): Row[] {
	const [from, to] = [lineOf(rows, anchor), lineOf(rows, head)];
	if (from.length === 0 || to.length === 0) return [];
	// As far up as they stand below the same row.
	let level = 0;
	while (level < from.length - 1 && level < to.length - 1 && from[level] === to[level]) level++;
	const [first, last] = [from[level]!, to[level]!];
	const [start, end] = [rows.indexOf(first), rows.indexOf(last)].sort((left, right) => left - right) as [
		number,
		number,
	];
	return rows.slice(start, end + 1).filter(({ parentKey }) => parentKey === first.parentKey);
}

/** The keys of all rows that are selected along with some, those below them included. */
export function coveredKeys(rows: readonly Row[], selected: readonly Row[]): ReadonlySet<string> {
	const covered = new Set(selected.map(({ key }) => key));
	if (covered.size === 0) return covered;
	const start = rows.indexOf(selected[0]!);
	const { depth } = selected[0]!;
	for (let index = start; index < rows.length; index++) {
		const row = rows[index]!;
		if (row.depth < depth || (row.depth === depth && !covered.has(row.key))) break;
		covered.add(row.key);
	}
	return covered;
}

/** A row and those above it, the topmost first. */
function lineOf(rows: readonly Row[], key: string): Row[] {
	const line: Row[] = [];
	let index = rows.findIndex((row) => row.key === key);
	for (let row = rows[index]; row !== undefined; ) {
		line.unshift(row);
		const { parentKey } = row;
		if (parentKey === null) break;
		while (index >= 0 && rows[index]!.key !== parentKey) index--;
		row = rows[index];
	}
	return line;
}

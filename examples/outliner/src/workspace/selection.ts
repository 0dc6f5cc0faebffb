import type { Row } from "outlinekit/live";
import { differenceOf } from "./rows-difference.js";

/** The selected rows, from one to another. */
export interface Selection {
	readonly anchor: string;
	readonly head: string;
}

/** The rows between two, both included, that are siblings, each with its subtree. */
export function selectedRows(rows: readonly Row[], { anchor, head }: Selection): Row[] {
	const [from, to] = [lineOf(rows, anchor), lineOf(rows, head)];
	if (from.length === 0 || to.length === 0) return [];
	// Up to the nodes that have the same parent.
	let level = 0;
	while (level < from.length - 1 && level < to.length - 1 && from[level] === to[level]) level++;
	const [first, last] = [from[level]!, to[level]!];
	const [start, end] = [rows.indexOf(first), rows.indexOf(last)].sort((left, right) => left - right) as [
		number,
		number,
	];
	return rows.slice(start, end + 1).filter(({ parentKey }) => parentKey === first.parentKey);
}

/** The keys of the selected rows and of all rows below them. */
export function coveredKeys(rows: readonly Row[], selected: readonly Row[]): ReadonlySet<string> {
	if (selected.length === 0) return new Set();
	const end = endOf(rows, selected.at(-1)!);
	return new Set(rows.slice(rows.indexOf(selected[0]!), end).map(({ key }) => key));
}

/** The index behind a row and the rows below it. */
export function endOf(rows: readonly Row[], row: Row): number {
	let end = rows.indexOf(row) + 1;
	while (end < rows.length && rows[end]!.depth > row.depth) end++;
	return end;
}

/**
 * The selection with its head moved up or down until other rows are selected. Away from the anchor it grows,
 * beyond the last sibling by the rows above; towards the anchor it shrinks in the same steps.
 */
export function extended(rows: readonly Row[], selection: Selection, direction: -1 | 1): Selection {
	const selected = selectedRows(rows, selection);
	if (selected.length === 0) return selection;
	const anchor = rows.findIndex(({ key }) => key === selection.anchor);
	const head = rows.findIndex(({ key }) => key === selection.head);
	const [first, last] = [selected[0]!, selected.at(-1)!];
	const outer = head < anchor ? first : last;
	let next: number;
	if (direction < 0) next = rows.indexOf(outer) - 1;
	// The head is an ancestor of the anchor: the way back leads into it.
	else if (head < anchor && first === last) next = head + 1;
	else next = endOf(rows, outer);
	const row = rows[next];
	return row === undefined ? selection : { anchor: selection.anchor, head: row.key };
}

/** The siblings of the selected rows, or if these are selected already, the row above them. */
export function widened(rows: readonly Row[], selection: Selection): Selection {
	const selected = selectedRows(rows, selection);
	const parentKey = selected[0]?.parentKey;
	if (parentKey === undefined) return selection;
	const siblings = rows.filter((row) => row.parentKey === parentKey);
	if (siblings.length > selected.length) return { anchor: siblings[0]!.key, head: siblings.at(-1)!.key };
	return parentKey === null ? selection : { anchor: parentKey, head: parentKey };
}

/**
 * The rest of a selection after a change of the rows: the first of its rows that are still siblings, with
 * new rows among them. Never includes an old row that wasn't selected, wherever it moved. Null if
 * no row remains.
 */
export function remaining(before: readonly Row[], now: readonly Row[], selection: Selection): Selection | null {
	const were = new Set(selectedRows(before, selection).map(({ key }) => key));
	const different = differenceOf(before, now);
	const added = new Set(different.now.map(({ key }) => key));
	for (const { key } of different.before) added.delete(key);
	const stays = ({ key }: Row) => were.has(key) || added.has(key);
	const are = selectedRows(now, selection);
	if (are.length > 0 && are.every(stays)) return selection;
	const first = now.find(({ key }) => were.has(key));
	if (first === undefined) return null;
	const siblings = now.slice(now.indexOf(first)).filter(({ parentKey }) => parentKey === first.parentKey);
	const end = siblings.findIndex((row) => !stays(row));
	const last = siblings.slice(0, end < 0 ? siblings.length : end).findLast(({ key }) => were.has(key))!;
	return { anchor: first.key, head: last.key };
}

/** The key of the last old row before one that still exists, if there is one. */
export function nearestBefore(before: readonly Row[], now: readonly Row[], key: string): string[] {
	const different = differenceOf(before, now);
	const left = new Set(different.now.map((row) => row.key));
	const index = different.before.findIndex((row) => row.key === key);
	const above = different.before.slice(0, Math.max(index, 0)).findLast((row) => left.has(row.key));
	const row = above ?? before[different.start - 1];
	return row === undefined ? [] : [row.key];
}

/** A row and its ancestors, the topmost first. */
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

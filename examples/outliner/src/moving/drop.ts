import type { OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { originIdOf } from "../workspace/node.js";

/** A place between rows. */
export interface Drop {
	/** The index of the row that it is before; the number of rows for the end. */
	readonly index: number;
	readonly depth: number;
	/** The row of the new parent; null for the node whose children are visible. */
	readonly parent: Row | null;
	/** The sibling that it is behind; null for the top. */
	readonly after: Row | null;
}

/**
 * The place between two rows that is nearest to a depth: at most below the row before it, at least beside the
 * row behind it.
 *
 * @param gap - the index of the row behind it; the number of rows for the end
 * @param moved - the keys of rows that will be gone, with all rows below them
 */
export function dropAt(rows: readonly Row[], gap: number, depth: number, moved: ReadonlySet<string>): Drop {
	let before = gap - 1;
	while (before >= 0 && moved.has(rows[before]!.key)) before--;
	let behind = gap;
	while (behind < rows.length && moved.has(rows[behind]!.key)) behind++;
	const previous = rows[before];
	const deepest = previous === undefined ? 0 : previous.depth + (previous.recurring ? 0 : 1);
	const level = Math.min(Math.max(depth, rows[behind]?.depth ?? 0), deepest);
	const at = (wanted: number) => rows.findLast((row, index) => index <= before && row.depth === wanted) ?? null;
	const after = previous !== undefined && previous.depth >= level ? at(level) : null;
	return { index: before + 1, depth: level, parent: level === 0 ? null : at(level - 1), after };
}

/**
 * Whether a node would be below itself.
 *
 * @param line - the nodes above it, the nearest first
 */
export function isWithinItself(node: OutlineNode, line: readonly OutlineNode[], mirrors: boolean): boolean {
	// A mirror may be deeper in its origin, which isn't unfolded again there, but not directly below it.
	const onlyBelow = mirrors || originIdOf(node) !== node.id;
	return (onlyBelow ? line.slice(0, 1) : line).some((above) => originIdOf(above) === originIdOf(node));
}

import type { OutlineNode } from "../node.js";
import { originOf } from "./child-lists.js";

/** One line of an indented list of nodes. */
export interface Row {
	/**
	 * Identifies the row. It stays the same while the row shows this node. It is the node's id. Below a mirror,
	 * it has the ids from the topmost mirror down to the node, because several rows may show the node there.
	 */
	readonly key: string;
	/** The node as `list` returns it: under a mirror, its parent is the mirror. */
	readonly node: OutlineNode;
	/** The number of rows above it in the tree: 0 for the children of the root. */
	readonly depth: number;
	/** The key of the parent's row; null at depth 0. */
	readonly parentKey: string | null;
	/** Undefined until the children are loaded. For a recurring mirror: whether nodes were moved into it. */
	readonly hasChildren: boolean | undefined;
	/** Whether its children follow it. */
	readonly expanded: boolean;
	/**
	 * Whether one of its ancestors already shows this node. Then no rows repeat the children of that node, but
	 * a mirror's own children, which were moved into it, have rows.
	 */
	readonly recurring: boolean;
}

/** Returns the earlier row if the later one equals it. */
export function kept(before: Row | undefined, now: Row): Row {
	const isSame =
		before !== undefined &&
		before.node === now.node &&
		before.key === now.key &&
		before.depth === now.depth &&
		before.parentKey === now.parentKey &&
		before.hasChildren === now.hasChildren &&
		before.expanded === now.expanded &&
		before.recurring === now.recurring;
	return isSame ? before : now;
}

/** Returns the index behind a row and the rows below it. */
export function endBelow(rows: readonly Row[], index: number): number {
	const { depth } = rows[index]!;
	let end = index + 1;
	while (end < rows.length && rows[end]!.depth > depth) end++;
	return end;
}

/** Returns what the keys of the rows below a row begin with; null if these keys are the nodes' ids. */
export function prefixBelow({ key, node }: Row): string | null {
	return key !== node.id || isMirror(node) ? key : null;
}

/** Returns the key of a node's row below a row with this prefix. */
export function keyBelow(prefix: string | null, id: string): string {
	return prefix === null ? id : `${prefix}/${id}`;
}

/** Returns the id of the node whose content a node shows: a mirror shows its origin's. */
export function shownId(node: OutlineNode): string {
	return originOf(node) ?? node.id;
}

/** Whether a node is a mirror, even if its origin is deleted. */
function isMirror({ mirror }: OutlineNode): boolean {
	return mirror?.originId !== undefined;
}

/** Whether the rows below a node stay as they are if another state of the node takes its place. */
export function keepsBelow(before: OutlineNode, now: OutlineNode): boolean {
	return before.id === now.id && before.mirror?.originId === now.mirror?.originId;
}

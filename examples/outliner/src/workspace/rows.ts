import type { Row } from "outlinekit/live";
import type { Workspace } from "./workspace.js";

/** Whether there is nothing in a row, nor below it. */
export function isBlank({ node, hasChildren }: Row): boolean {
	return node.name === "" && node.note === null && node.mirror === undefined && hasChildren === false;
}

/** The row before or behind another among its siblings. */
export function siblingOf({ rows }: Workspace, row: Row, direction: -1 | 1): Row | undefined {
	const all = rows.current.rows;
	for (let index = all.indexOf(row) + direction; ; index += direction) {
		const other = all[index];
		if (other === undefined || other.depth < row.depth) return undefined;
		if (other.parentKey === row.parentKey) return other;
	}
}

/** The row of a row's parent. */
export function parentOf(workspace: Workspace, { parentKey }: Row): Row | null {
	return parentKey === null ? null : (workspace.row(parentKey) ?? null);
}

/** The key of a node's row below another. */
export function keyBelow(workspace: Workspace, parent: Row | null, id: string): string {
	// Below a mirror, a key begins with the key above it.
	const key = `${parent?.key}/${id}`;
	return workspace.row(key) === undefined ? id : key;
}

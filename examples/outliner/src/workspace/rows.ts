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
export function keyBelow({ rows }: Workspace, parent: Row | null, id: string): string {
	const parentKey = parent?.key ?? null;
	const row = rows.current.rows.find((each) => each.node.id === id && each.parentKey === parentKey);
	return row?.key ?? id;
}

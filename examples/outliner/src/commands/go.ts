import type { Outline } from "outlinekit";
import type { Row } from "outlinekit/live";
import { ancestorsOf } from "../filter/ancestors.js";
import { codeOf } from "../text/error-code.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";

/** Goes to the node of a target, and creates it if necessary. */
export async function goTo(workspace: Workspace, target: string): Promise<void> {
	const node = await find(workspace.outline, target);
	await workspace.zoom(node);
	const { rows } = workspace.rows.current;
	const last = rows.findLast(({ depth }) => depth === 0);
	workspace.focus.set({ key: last?.key ?? titleKey, field: "name", caret: "end" });
}

/** Goes to a node in its place, among its siblings. */
export async function goToNode(workspace: Workspace, id: string): Promise<void> {
	const { parentId } = await workspace.outline.get(id);
	await workspace.zoom(parentId, { key: id, field: "name", caret: "end" });
	// It may be completed, and these be hidden.
	if (workspace.row(id) === undefined) await workspace.zoom(id, { key: titleKey, field: "name", caret: "end" });
}

/** Unfolds the nodes above a node. Returns its row; undefined if it is outside the visible node, or hidden. */
export async function unfoldTo(workspace: Workspace, id: string): Promise<Row | undefined> {
	const { outline, root } = workspace;
	const above = (await ancestorsOf(outline, id)).map((node) => node.id);
	const from = root === null ? 0 : above.indexOf(root.id) + 1;
	if (root === null || from > 0) await workspace.expand(above.slice(from));
	return workspace.rowOf(id);
}

async function find(outline: Outline, target: string): Promise<string> {
	try {
		return (await outline.get(target)).id;
	} catch (error) {
		if (codeOf(error) !== "not_found") throw error;
		// The inbox and the days are created with the first node below them: a blank line to write in.
		return (await outline.create({ parent: target, name: "", format: "text" })).parentId!;
	}
}

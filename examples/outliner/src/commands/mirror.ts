import type { Outline, OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import { codeOf } from "../text/error-code.js";
import { mirrorOperations, type Place } from "../workspace/destination.js";
import { isMirror, originIdOf } from "../workspace/node.js";
import { keyBelow } from "../workspace/rows.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { goToNode } from "./go.js";

/**
 * The node for a command about one node: the node with the caret, the first selected one, or the visible
 * parent.
 */
export function nodeAtHand(workspace: Workspace): OutlineNode | null {
	return workspace.chosenRows[0]?.node ?? workspace.focusedNode ?? workspace.root;
}

/** The nodes that show the same: an origin, and its mirrors. */
export async function placesOf(outline: Pick<Outline, "get">, id: string): Promise<OutlineNode[]> {
	const origin = await outline.get(originIdOf(await outline.get(id)));
	const mirrorIds = origin.mirror?.mirrorIds ?? [];
	return [origin, ...(await Promise.all(mirrorIds.map((mirrorId) => outline.get(mirrorId))))];
}

/**
 * Puts a mirror of a node below a row, or in its place if the row is blank; below the title, on top.
 *
 * @param key - of a row, or `titleKey`
 * @param ref - any reference to the node
 */
export async function mirrorAt(workspace: Workspace, key: string, ref: string): Promise<void> {
	const { outline, root } = workspace;
	const row = key === titleKey ? null : workspace.row(key);
	if (row === undefined) return;
	const place: Place =
		row === null
			? { parent: root!.id, position: "top" }
			: { parent: row.node.parentId, position: { after: row.node.id } };
	const operations = mirrorOperations(ref, "mirror", place);
	if (row !== null && (await isBlank(outline, row))) operations.push({ type: "delete", ref: row.node.id });
	try {
		const { ids } = await outline.batch(operations);
		const parent = row === null || row.parentKey === null ? null : (workspace.row(row.parentKey) ?? null);
		workspace.focus.set({ key: keyBelow(workspace, parent, ids.mirror!), field: "name", caret: "end" });
	} catch (error) {
		if (codeOf(error) !== "would_create_cycle") throw error;
		const name = toText((await outline.get(ref)).name);
		throw new Error(`“${name}” can't be directly below itself. Put the mirror somewhere else.`, { cause: error });
	}
}

/** Whether a row has nothing that would be missed. */
async function isBlank(outline: Outline, { node }: Row): Promise<boolean> {
	const { id, name, note, mirror } = node;
	return name === "" && note === null && mirror === undefined && (await outline.list(id)).nodes.length === 0;
}

/** Takes a mirror away, and goes where it was. Its origin stays. */
async function removeMirror(workspace: Workspace): Promise<void> {
	const node = nodeAtHand(workspace)!;
	const { rows } = workspace.rows.current;
	const index = rows.findIndex((row) => row.node.id === node.id);
	const beside = rows[index - 1] ?? rows[index + 1];
	if (index < 0) await workspace.zoom(node.parentId);
	workspace.selection.set(null);
	await workspace.outline.removeMirror(node.id);
	if (beside !== undefined) workspace.focus.set({ key: beside.key, field: "name", caret: "end" });
}

/** Whether the node at hand is a mirror. */
const isAtMirror = (workspace: Workspace) => {
	const node = nodeAtHand(workspace);
	return node !== null && isMirror(node);
};

/** Opens the list of nodes, of which one is mirrored. */
function chooseOrigin({ chosenRows, focus, dialog }: Workspace): void {
	const key = chosenRows.at(-1)?.key ?? focus.current!.key;
	dialog.set({ type: "mirror", key });
}

export const mirrorCommands: readonly Command[] = [
	{
		label: "Mirror here…",
		typed: "((",
		when: ({ chosenRows, focus }) => chosenRows.length > 0 || focus.current?.key === titleKey,
		run: chooseOrigin,
	},
	{
		label: "Go to the origin",
		when: (workspace) => isAtMirror(workspace) && originIdOf(nodeAtHand(workspace)!) !== nodeAtHand(workspace)!.id,
		run: (workspace) => goToNode(workspace, originIdOf(nodeAtHand(workspace)!)),
	},
	{ label: "Remove the mirror", keys: ["Mod+Shift+Backspace"], when: isAtMirror, run: removeMirror },
	{
		label: "Show all its mirrors",
		keys: ["Alt+Shift+O"],
		when: (workspace) => nodeAtHand(workspace)?.mirror !== undefined,
		run: (workspace) => workspace.dialog.set({ type: "places", id: nodeAtHand(workspace)!.id }),
	},
];

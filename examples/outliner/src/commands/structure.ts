import type { BatchOperation } from "outlinekit";
import type { Row } from "outlinekit/live";
import { spanIn } from "../text/caret.js";
import { activeField, activeFieldIs } from "../text/field.js";
import { isMirror, originIdOf } from "../workspace/node.js";
import { isBlank, keyBelow, parentOf, siblingOf } from "../workspace/rows.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { withAlt } from "./machine.js";

async function indent(workspace: Workspace): Promise<void> {
	const rows = workspace.chosenRows;
	const parent = siblingOf(workspace, rows[0]!, -1);
	if (parent === undefined || parent.recurring) return;
	await keepingPlace(workspace, parent, async () => {
		// First, because the rows would vanish into a folded parent, and be drawn twice.
		await workspace.expand([parent.node.id]);
		await workspace.outline.batch(
			rows.map(({ node }) => ({ type: "move", ref: node.id, parent: originIdOf(parent.node), position: "bottom" })),
		);
	});
}

/** Moves the chosen rows out of the row above them, behind it. */
export async function outdent(workspace: Workspace): Promise<void> {
	const rows = workspace.chosenRows;
	const parent = parentOf(workspace, rows[0]!);
	if (parent === null) return;
	let after = parent.node.id;
	const operations = rows.map(({ node }): BatchOperation => {
		const position = { after };
		after = node.id;
		return { type: "move", ref: node.id, position };
	});
	await keepingPlace(workspace, parentOf(workspace, parent), () => workspace.outline.batch(operations));
}

async function moveAmongSiblings(workspace: Workspace, direction: -1 | 1): Promise<void> {
	const rows = workspace.chosenRows;
	const sibling = siblingOf(workspace, direction < 0 ? rows[0]! : rows.at(-1)!, direction);
	if (sibling === undefined) return;
	const operations = (direction < 0 ? rows : rows.toReversed()).map(({ node }): BatchOperation => {
		const position = direction < 0 ? { before: sibling.node.id } : { after: sibling.node.id };
		return { type: "move", ref: node.id, position };
	});
	await keepingPlace(workspace, parentOf(workspace, rows[0]!), () => workspace.outline.batch(operations));
}

/** Moves rows to another row, and leaves the caret or the selection in them. */
export async function keepingPlace(workspace: Workspace, to: Row | null, work: () => Promise<unknown>): Promise<void> {
	const { focus, selection } = workspace;
	const [before, chosen] = [focus.current, selection.current];
	const field = activeField();
	const caret = (field && spanIn(field)?.start) ?? "end";
	const keys = [before?.key, chosen?.anchor, chosen?.head].filter((key) => key !== undefined);
	const ids = new Map(keys.map((key) => [key, workspace.row(key)?.node.id]));
	await work();
	const now = (key: string) => {
		const below = keyBelow(workspace, to && (workspace.row(to.key) ?? null), ids.get(key) ?? key);
		// A row below a moved row, or a row that hasn't moved, may have kept its key.
		return workspace.row(below) !== undefined ? below : key;
	};
	if (chosen !== null) selection.set({ anchor: now(chosen.anchor), head: now(chosen.head) });
	else if (before !== null) focus.set({ ...before, key: now(before.key), caret });
}

/**
 * Deletes the chosen rows. Of a mirror it deletes only the mirror. Nodes that other places show stay there.
 */
export function remove(workspace: Workspace): Promise<void> {
	return removeRows(workspace, workspace.chosenRows);
}

/** Deletes rows as {@link remove} does, as far as they still show. */
export async function removeRows(workspace: Workspace, chosen: readonly Row[]): Promise<void> {
	const rows = chosen.flatMap(({ key }) => workspace.row(key) ?? []);
	if (rows.length === 0) return;
	const all = workspace.rows.current.rows;
	const before = all[all.indexOf(rows[0]!) - 1];
	const behind = siblingOf(workspace, rows.at(-1)!, 1);
	// Mirrors go first. Otherwise, an origin among the rows would take the place of one of them.
	const operations = [...rows.filter(({ node }) => isMirror(node)), ...rows.filter(({ node }) => !isMirror(node))].map(
		({ node }): BatchOperation =>
			isMirror(node) ? { type: "removeMirror", ref: node.id } : { type: "delete", ref: node.id, mirrors: "promote" },
	);
	let next = (before ?? behind)?.key;
	if (next === undefined && workspace.root !== null) next = titleKey;
	if (next === undefined && rows.length === 1 && isBlank(rows[0]!)) next = rows[0]!.key;
	else if (next === undefined) {
		// There is always a line to write in.
		operations.push({ type: "create", parent: null, name: "" });
		const { results } = await workspace.outline.batch(operations);
		next = results.at(-1)!.id;
	} else await workspace.outline.batch(operations);
	workspace.selection.set(null);
	workspace.focus.set({ key: next, field: "name", caret: "end" });
}

/** Whether the caret is in the title: there, a key means the visible node. */
const isInTitle = ({ focus }: Workspace) => focus.current?.key === titleKey && activeFieldIs("name");

/** Deletes the visible node, and goes to where it was. */
async function removeVisible(workspace: Workspace): Promise<void> {
	const { id, parentId } = workspace.root!;
	await workspace.zoom(parentId);
	const row = workspace.rowOf(id);
	if (row === undefined) return;
	workspace.focus.set({ key: row.key, field: "name", caret: "end" });
	await remove(workspace);
}

async function toggleCompleted(workspace: Workspace): Promise<void> {
	const rows = workspace.chosenRows;
	const all = rows.every(({ node }) => node.completed);
	const open = rows.filter(({ node }) => node.completed === all);
	const type = all ? "uncomplete" : "complete";
	const around = keysAround(workspace, rows);
	await workspace.outline.batch(open.map(({ node }) => ({ type, ref: node.id })));
	const isShown = (key: string) => workspace.row(key) !== undefined;
	if (rows.some(({ key }) => isShown(key))) return;
	// Completed rows are hidden. The caret goes on to the next one to do.
	const next = around.find(isShown);
	if (next === undefined) return;
	workspace.selection.set(null);
	workspace.focus.set({ key: next, field: "name", caret: "end" });
}

/** The keys of the siblings behind some rows, then of the siblings before them, then of the parent. */
function keysAround({ rows }: Workspace, chosen: readonly Row[]): string[] {
	const { parentKey } = chosen[0]!;
	const siblings = rows.current.rows.filter((row) => row.parentKey === parentKey).map(({ key }) => key);
	const start = siblings.indexOf(chosen[0]!.key);
	const around = [...siblings.slice(start + chosen.length), ...siblings.slice(0, start).toReversed()];
	return parentKey === null ? around : [...around, parentKey];
}

/** Completes or reopens the chosen rows. */
export const completeOrReopen: Command = {
	label: "Complete or reopen",
	keys: ["Mod+Enter"],
	run: toggleCompleted,
};

export const structureCommands: readonly Command[] = [
	{ label: "Indent", keys: ["Tab", ...withAlt("Alt+Shift+ArrowRight")], run: indent },
	{ label: "Outdent", keys: ["Shift+Tab", ...withAlt("Alt+Shift+ArrowLeft")], run: outdent },
	{ label: "Move up", keys: ["Alt+Shift+ArrowUp"], run: (workspace) => moveAmongSiblings(workspace, -1) },
	{ label: "Move down", keys: ["Alt+Shift+ArrowDown"], run: (workspace) => moveAmongSiblings(workspace, 1) },
	completeOrReopen,
	{ label: "Delete", keys: ["Mod+Shift+Backspace"], run: remove },
	{
		keys: ["Mod+Enter"],
		when: isInTitle,
		run: ({ outline, root }) => outline[root!.completed ? "uncomplete" : "complete"](root!.id),
	},
	{ keys: ["Mod+Shift+Backspace"], when: isInTitle, run: removeVisible },
	{
		keys: ["Backspace", "Delete"],
		when: (workspace) => workspace.selection.current !== null,
		run: remove,
	},
];

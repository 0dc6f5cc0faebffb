import type { BatchOperation, OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { spanIn } from "../text/caret.js";
import { activeField, activeFieldIs, caretIsAt } from "../text/field.js";
import { fragmentOf } from "../text/fragment.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";

/** The row before or behind another among its siblings. */
export function siblingOf({ rows }: Workspace, row: Row, direction: -1 | 1): Row | undefined {
	const all = rows.current.rows;
	for (let index = all.indexOf(row) + direction; ; index += direction) {
		const other = all[index];
		if (other === undefined || other.depth < row.depth) return undefined;
		if (other.parentKey === row.parentKey) return other;
	}
}

/** The row in which the caret is, in its name. */
function rowWithCaret(workspace: Workspace): Row | undefined {
	return workspace.selection.current === null && activeFieldIs("name") ? workspace.chosenRows[0] : undefined;
}

/** What stands before the caret of a name, and behind it. */
function halves(field: HTMLElement): [before: string, behind: string] {
	const range = getSelection()!.getRangeAt(0);
	const before = document.createRange();
	before.selectNodeContents(field);
	before.setEnd(range.startContainer, range.startOffset);
	const behind = document.createRange();
	behind.selectNodeContents(field);
	behind.setStart(range.endContainer, range.endOffset);
	return [fragmentOf(before.cloneContents()), fragmentOf(behind.cloneContents())];
}

async function split(workspace: Workspace): Promise<void> {
	const field = activeField()!;
	const [before, behind] = halves(field);
	const { outline, focus } = workspace;
	if (focus.current?.key === titleKey) {
		const root = workspace.root!;
		const { results } = await outline.batch([
			{ type: "update", ref: root.id, name: before },
			{ type: "create", parent: root.id, name: behind, format: "html", position: "top" },
		]);
		focus.set({ key: keyBelow(workspace, null, results[1]!.id), field: "name", caret: "start" });
		return;
	}
	const row = rowWithCaret(workspace)!;
	const { node } = row;
	// A new line before a text leaves the node with its children where it is.
	if (before === "" && behind !== "") {
		await outline.create({ name: "", format: "html", position: { before: node.id } });
		focus.set({ key: row.key, field: "name", caret: "start" });
		return;
	}
	const below = row.expanded;
	const layoutMode = !below && node.layoutMode === "todo" ? "todo" : "bullets";
	const place = below ? { parent: node.id, position: "top" as const } : { position: { after: node.id } };
	const operations: BatchOperation[] = [{ type: "create", name: behind, format: "html", layoutMode, ...place }];
	if (behind !== "") operations.unshift({ type: "update", ref: node.id, name: before });
	const { results } = await outline.batch(operations);
	const key = keyBelow(workspace, below ? row : parentOf(workspace, row), results.at(-1)!.id);
	focus.set({ key, field: "name", caret: "start" });
}

/** The row above which a row stands. */
function parentOf(workspace: Workspace, { parentKey }: Row): Row | null {
	return parentKey === null ? null : (workspace.row(parentKey) ?? null);
}

/** The key of a node's row below another. */
export function keyBelow({ rows }: Workspace, parent: Row | null, id: string): string {
	const parentKey = parent?.key ?? null;
	const row = rows.current.rows.find((each) => each.node.id === id && each.parentKey === parentKey);
	return row?.key ?? id;
}

/** Joins a row with the one that is shown before it. */
async function join(workspace: Workspace, row: Row): Promise<void> {
	const all = workspace.rows.current.rows;
	const previous = all[all.indexOf(row) - 1];
	if (previous === undefined || isMirror(row)) return;
	const { node } = row;
	const [into, field] = [previous.node, document.createElement("div")];
	field.innerHTML = into.name;
	const caret = field.textContent!.length;
	const { nodes: children } = await workspace.outline.list(node.id);
	if (into.name === "" && children.length > 0 && !previous.hasChildren && into.note === null && !isMirror(previous)) {
		// The one that has children stays, and the blank one before it goes.
		await workspace.outline.delete(into.id, { mirrors: "promote" });
		workspace.focus.set({ key: row.key, field: "name", caret: "start" });
		return;
	}
	const note = [into.note, node.note].filter((text) => text !== null).join("\n") || null;
	const operations: BatchOperation[] = [{ type: "update", ref: into.id, name: into.name + node.name, note }];
	const isParent = row.parentKey === previous.key;
	let last: string | undefined;
	for (const child of children) {
		const position = last !== undefined ? { after: last } : isParent ? { after: node.id } : ("bottom" as const);
		operations.push({ type: "move", ref: child.id, position, ...(position === "bottom" && { parent: shownId(into) }) });
		last = child.id;
	}
	operations.push({ type: "delete", ref: node.id, mirrors: "promote" });
	await workspace.outline.batch(operations);
	if (children.length > 0) await workspace.expand([into.id]);
	workspace.focus.set({ key: previous.key, field: "name", caret });
}

async function indent(workspace: Workspace): Promise<void> {
	const rows = workspace.chosenRows;
	const parent = siblingOf(workspace, rows[0]!, -1);
	if (parent === undefined || parent.recurring) return;
	await keepingPlace(workspace, parent, async () => {
		await workspace.outline.batch(
			rows.map(({ node }) => ({ type: "move", ref: node.id, parent: shownId(parent.node), position: "bottom" })),
		);
		await workspace.expand([parent.node.id]);
	});
}

async function outdent(workspace: Workspace): Promise<void> {
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
	const ids = new Map(workspace.rows.current.rows.map(({ key, node }) => [key, node.id]));
	await work();
	const now = (key: string) => {
		const below = keyBelow(workspace, to && (workspace.row(to.key) ?? null), ids.get(key) ?? key);
		// What stands below a row that has moved, or hasn't moved itself, may have kept its key.
		return workspace.row(below) !== undefined ? below : key;
	};
	if (chosen !== null) selection.set({ anchor: now(chosen.anchor), head: now(chosen.head) });
	else if (before !== null) focus.set({ ...before, key: now(before.key), caret });
}

async function remove(workspace: Workspace): Promise<void> {
	const rows = workspace.chosenRows;
	const all = workspace.rows.current.rows;
	const before = all[all.indexOf(rows[0]!) - 1];
	const behind = siblingOf(workspace, rows.at(-1)!, 1);
	await workspace.outline.batch(
		rows.map(({ node }) =>
			isMirror({ node })
				? { type: "removeMirror", ref: node.id }
				: { type: "delete", ref: node.id, mirrors: "promote" },
		),
	);
	workspace.selection.set(null);
	const next = before ?? behind;
	if (next !== undefined) workspace.focus.set({ key: next.key, field: "name", caret: "end" });
}

/** Whether a row shows what another node is. */
export function isMirror({ node }: Pick<Row, "node">): boolean {
	return node.mirror !== undefined && "originId" in node.mirror;
}

/** The id of the node whose content a node shows. What goes below that shows below all its mirrors. */
export function shownId({ id, mirror }: OutlineNode): string {
	return mirror !== undefined && "originId" in mirror ? (mirror.originId ?? id) : id;
}

async function toggleCompleted(workspace: Workspace): Promise<void> {
	const rows = workspace.chosenRows;
	const all = rows.every(({ node }) => node.completed);
	const open = rows.filter(({ node }) => node.completed === all);
	const type = all ? "uncomplete" : "complete";
	await workspace.outline.batch(open.map(({ node }) => ({ type, ref: node.id })));
}

const isEmpty = () => activeField()?.textContent === "";

export const structureCommands: readonly Command[] = [
	{
		keys: ["Enter"],
		when: (workspace) =>
			activeFieldIs("name") &&
			workspace.focusedNode !== null &&
			(workspace.focusedNode.layoutMode !== "code-block" || workspace.focus.current?.key === titleKey),
		run: split,
	},
	{
		keys: ["Backspace"],
		when: (workspace) => {
			const row = rowWithCaret(workspace);
			return row !== undefined && caretIsAt("start") && row.node.layoutMode !== "bullets";
		},
		run: (workspace) => workspace.outline.update(workspace.chosenRows[0]!.node.id, { layoutMode: "bullets" }),
	},
	{
		keys: ["Backspace"],
		when: (workspace) => {
			const row = rowWithCaret(workspace);
			return row !== undefined && isEmpty() && row.hasChildren === false && !isMirror(row) && row.node.note === null;
		},
		run: remove,
	},
	{
		keys: ["Backspace"],
		when: (workspace) => rowWithCaret(workspace) !== undefined && caretIsAt("start"),
		run: (workspace) => join(workspace, workspace.chosenRows[0]!),
	},
	{
		keys: ["Delete"],
		when: (workspace) => rowWithCaret(workspace) !== undefined && caretIsAt("end"),
		run: (workspace) => {
			const all = workspace.rows.current.rows;
			const next = all[all.indexOf(workspace.chosenRows[0]!) + 1];
			return next && join(workspace, next);
		},
	},
	{ label: "Indent", keys: ["Tab", "Alt+Shift+ArrowRight"], run: indent },
	{ label: "Outdent", keys: ["Shift+Tab", "Alt+Shift+ArrowLeft"], run: outdent },
	{ label: "Move up", keys: ["Alt+Shift+ArrowUp"], run: (workspace) => moveAmongSiblings(workspace, -1) },
	{ label: "Move down", keys: ["Alt+Shift+ArrowDown"], run: (workspace) => moveAmongSiblings(workspace, 1) },
	{ label: "Complete, or open again", keys: ["Mod+Enter"], run: toggleCompleted },
	{ label: "Delete", keys: ["Mod+Shift+Backspace"], run: remove },
	{
		keys: ["Backspace", "Delete"],
		when: (workspace) => workspace.selection.current !== null,
		run: remove,
	},
];

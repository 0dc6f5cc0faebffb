import type { BatchOperation, OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { placeCaret, rangeBefore, spanIn } from "../text/caret.js";
import { activeField, activeFieldIs, caretIsAt } from "../text/field.js";
import { isJustFormatted } from "../text/formatting.js";
import { fragmentOf, shownText } from "../text/fragment.js";
import { linkTyped } from "../text/linking.js";
import { isMirror, originIdOf } from "../workspace/node.js";
import { isBlank, keyBelow, parentOf } from "../workspace/rows.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { outdent, remove } from "./structure.js";
import { travel } from "./travel.js";

/** The row in which the caret is, in its name. */
function rowWithCaret(workspace: Workspace): Row | undefined {
	return workspace.selection.current === null && activeFieldIs("name") ? workspace.chosenRows[0] : undefined;
}

/** The parts of a name before and behind the caret. */
function halves(field: HTMLElement): [before: string, behind: string] {
	const range = getSelection()!.getRangeAt(0);
	const before = rangeBefore(field, range.startContainer, range.startOffset);
	const behind = document.createRange();
	behind.selectNodeContents(field);
	behind.setStart(range.endContainer, range.endOffset);
	return [fragmentOf(before.cloneContents()), fragmentOf(behind.cloneContents())];
}

async function split(workspace: Workspace): Promise<void> {
	const field = activeField()!;
	const isLinked = linkTyped(field);
	const isReplacing = getSelection()?.isCollapsed === false;
	const [before, behind] = halves(field);
	const { outline, focus } = workspace;
	if (focus.current?.key === titleKey) {
		const root = workspace.root!;
		const { results } = await outline.batch([
			{ type: "update", ref: root.id, name: before, base: { name: root.name } },
			{ type: "create", parent: root.id, name: behind, format: "html", position: "top" },
		]);
		focus.set({ key: keyBelow(workspace, null, results[1]!.id), field: "name", caret: "start" });
		return;
	}
	const row = rowWithCaret(workspace)!;
	if (isBlank(row) && row.parentKey !== null) {
		await outdent(workspace);
		return;
	}
	// A new line before a text leaves the node with its children where it is.
	if (before === "" && behind !== "") {
		const { id, name } = row.node;
		const operations: BatchOperation[] = [{ type: "create", name: "", format: "html", position: { before: id } }];
		if (isReplacing) operations.push({ type: "update", ref: id, name: behind, base: { name } });
		await outline.batch(operations);
		focus.set({ key: row.key, field: "name", caret: "start" });
		return;
	}
	await makeRowBelow(workspace, row, behind, behind === "" && !isLinked && !isReplacing ? undefined : before);
}

/** Makes a row below one, and puts the caret there. `kept` is the new name of the row above, if it changes. */
async function makeRowBelow(workspace: Workspace, row: Row, name: string, kept?: string): Promise<void> {
	const { node, expanded: below } = row;
	const layoutMode = !below && node.layoutMode === "todo" ? "todo" : "bullets";
	const place = below ? { parent: node.id, position: "top" as const } : { position: { after: node.id } };
	const operations: BatchOperation[] = [{ type: "create", name, format: "html", layoutMode, ...place }];
	if (kept !== undefined) operations.unshift({ type: "update", ref: node.id, name: kept, base: { name: node.name } });
	const { results } = await workspace.outline.batch(operations);
	const key = keyBelow(workspace, below ? row : parentOf(workspace, row), results.at(-1)!.id);
	workspace.focus.set({ key, field: "name", caret: "start" });
}

/** The row with a code block at whose end the caret is. */
function codeBlockToLeave(workspace: Workspace): Row | undefined {
	const row = rowWithCaret(workspace);
	return row?.node.layoutMode === "code-block" && caretIsAt("end") ? row : undefined;
}

function textsOf({ name, note }: OutlineNode): { readonly name: string; readonly note: string | null } {
	return { name, note };
}

/** Joins a row with the visible row before it. */
async function join(workspace: Workspace, row: Row): Promise<void> {
	const all = workspace.rows.current.rows;
	const previous = all[all.indexOf(row) - 1];
	if (previous === undefined || isMirror(row.node)) return;
	const { node } = row;
	const into = previous.node;
	const caret = shownText(into.name).length;
	const { nodes: children } = await workspace.outline.list(node.id);
	if (
		into.name === "" &&
		children.length > 0 &&
		!previous.hasChildren &&
		into.note === null &&
		!isMirror(previous.node)
	) {
		// The one that has children stays, and the blank one before it goes.
		await workspace.outline.delete(into.id, { mirrors: "promote" });
		workspace.focus.set({ key: row.key, field: "name", caret: "start" });
		return;
	}
	const note = [into.note, node.note].filter((text) => text !== null).join("\n") || null;
	const operations: BatchOperation[] = [
		{ type: "update", ref: into.id, name: into.name + node.name, note, base: textsOf(into) },
		// Its texts move. If another tab or device has changed them since, this is a conflict.
		{ type: "update", ref: node.id, name: "", note: null, base: textsOf(node) },
	];
	const isParent = row.parentKey === previous.key;
	let last: string | undefined;
	for (const child of children) {
		const position = last !== undefined ? { after: last } : isParent ? { after: node.id } : ("bottom" as const);
		operations.push({
			type: "move",
			ref: child.id,
			position,
			...(position === "bottom" && { parent: originIdOf(into) }),
		});
		last = child.id;
	}
	operations.push({ type: "delete", ref: node.id, mirrors: "promote" });
	await workspace.outline.batch(operations);
	if (children.length > 0) await workspace.expand([into.id]);
	workspace.focus.set({ key: previous.key, field: "name", caret });
}

/** Breaks the line in a field of plain text. */
function breakLine(): void {
	const field = activeField()!;
	const range = getSelection()!.getRangeAt(0);
	const span = spanIn(field)!;
	range.deleteContents();
	range.insertNode(document.createTextNode("\n"));
	field.normalize();
	if (!(field.lastChild instanceof HTMLBRElement)) field.append(document.createElement("br"));
	placeCaret(field, span.start + 1);
	field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

const isEmpty = () => activeField()?.textContent === "";

/** With the keys that delete words: at an end of a text, all of them join it with the next one. */
const backspace = ["Backspace", "Mod+Backspace", "Alt+Backspace"];

export const lineCommands: readonly Command[] = [
	{
		keys: ["Enter"],
		when: (workspace) =>
			activeFieldIs("name") &&
			workspace.focusedNode !== null &&
			(workspace.focusedNode.layoutMode !== "code-block" || workspace.focus.current?.key === titleKey),
		run: split,
	},
	{
		keys: ["Enter"],
		when: (workspace) => codeBlockToLeave(workspace) !== undefined && activeField()!.textContent!.endsWith("\n"),
		run: (workspace) =>
			makeRowBelow(workspace, rowWithCaret(workspace)!, "", fragmentOf(activeField()!).replace(/\n$/, "")),
	},
	{
		keys: ["Enter"],
		when: ({ focusedNode }) =>
			activeFieldIs("note") || (activeFieldIs("name") && focusedNode?.layoutMode === "code-block"),
		settles: false,
		run: breakLine,
	},
	{
		keys: ["ArrowDown"],
		when: (workspace) => {
			const row = codeBlockToLeave(workspace);
			return row !== undefined && row.node.note === null && row === workspace.rows.current.rows.at(-1);
		},
		run: (workspace) => makeRowBelow(workspace, rowWithCaret(workspace)!, ""),
	},
	// Right behind typed Markdown, it gives back what was typed.
	{ keys: ["Backspace"], when: isJustFormatted, run: (workspace) => travel(workspace, "undo") },
	{
		keys: backspace,
		when: (workspace) => {
			const row = rowWithCaret(workspace);
			return row !== undefined && caretIsAt("start") && row.node.layoutMode !== "bullets";
		},
		run: (workspace) => workspace.outline.update(workspace.chosenRows[0]!.node.id, { layoutMode: "bullets" }),
	},
	{
		keys: backspace,
		when: (workspace) => {
			const row = rowWithCaret(workspace);
			return (
				row !== undefined && isEmpty() && row.hasChildren === false && !isMirror(row.node) && row.node.note === null
			);
		},
		run: remove,
	},
	{
		keys: backspace,
		when: (workspace) => rowWithCaret(workspace) !== undefined && caretIsAt("start"),
		run: (workspace) => join(workspace, workspace.chosenRows[0]!),
	},
	{
		keys: ["Delete", "Mod+Delete", "Alt+Delete"],
		when: (workspace) => rowWithCaret(workspace) !== undefined && caretIsAt("end"),
		run: (workspace) => {
			const all = workspace.rows.current.rows;
			const next = all[all.indexOf(workspace.chosenRows[0]!) + 1];
			return next && join(workspace, next);
		},
	},
];

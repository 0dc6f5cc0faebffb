import type { Row } from "outlinekit/live";
import { caretLine, isRightToLeft, placeCaret } from "../text/caret.js";
import { activeField, caretIsAt } from "../text/field.js";
import type { Focus } from "../workspace/focus.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { withAlt } from "./machine.js";
import { extend } from "./selection.js";
import { enterSidebar } from "./sidebar.js";

/** The visible text before or behind the one with the caret; the title comes before all rows. */
function neighbour({ rows, focus, focusedNode, root }: Workspace, direction: -1 | 1): Focus | undefined {
	const all = rows.current.rows;
	const here = focus.current;
	if (here === null || focusedNode === null) return undefined;
	if (direction > 0 && here.field === "name" && focusedNode.note !== null) return { key: here.key, field: "note" };
	if (direction < 0 && here.field === "note") return { key: here.key, field: "name" };
	// The title isn't among the rows, and has the index -1.
	const index = all.findIndex((row) => row.key === here.key) + direction;
	const row = all[index];
	if (index < -1 || (row === undefined && (index >= 0 || root === null))) return undefined;
	const { note } = row?.node ?? root!;
	return { key: row?.key ?? titleKey, field: direction < 0 && note !== null ? "note" : "name" };
}

function step(workspace: Workspace, direction: -1 | 1): void {
	const next = neighbour(workspace, direction);
	const field = activeField();
	if (next === undefined || field === null) {
		if (field !== null) placeCaret(field, direction < 0 ? "start" : "end");
		return;
	}
	const { x } = caretLine(field);
	workspace.focus.set({ ...next, caret: { x, line: direction < 0 ? "last" : "first" } });
}

/** The text that the caret goes to from an end of its text, to the left or to the right. */
function beside(workspace: Workspace, side: "left" | "right"): Focus | undefined {
	const field = isWriting(workspace) ? activeField() : null;
	if (field === null) return undefined;
	const isBack = (side === "left") !== isRightToLeft(field);
	const next = caretIsAt(isBack ? "start" : "end") ? neighbour(workspace, isBack ? -1 : 1) : undefined;
	return next && { ...next, caret: isBack ? "end" : "start" };
}

/** Goes so many rows up or down, or as far as there are any. */
function leap({ rows, focus, selection }: Workspace, distance: number): void {
	const all = rows.current.rows;
	if (all.length === 0) return;
	const from = all.findIndex(({ key }) => key === (selection.current?.head ?? focus.current?.key));
	const row = all[Math.min(Math.max(from + distance, 0), all.length - 1)]!;
	selection.set(null);
	focus.set({ key: row.key, field: "name", caret: distance < 0 ? "start" : "end" });
}

/** About as many rows as are on the screen. */
const page = () => Math.max(1, Math.floor(innerHeight / 40));

/** Whether the caret would leave the field. */
function leaves(direction: -1 | 1): boolean {
	const field = activeField();
	if (field === null) return false;
	const { isFirst, isLast } = caretLine(field);
	return direction < 0 ? isFirst : isLast;
}

const isSelecting = ({ selection }: Workspace) => selection.current !== null;
const isWriting = (workspace: Workspace) => !isSelecting(workspace) && activeField() !== null;

const isAtWork = (workspace: Workspace) => isSelecting(workspace) || activeField() !== null;
const isIn = (places: string) => document.activeElement?.closest(places) != null;
const isBesideRows = () => isIn(".bar, .save-problem, .notices, .sidebar");

/** The first button in one of some places. */
function firstOf(...places: string[]): HTMLElement | null {
	return document.querySelector<HTMLElement>(places.map((place) => `${place} button`).join());
}

/** Whether keys go nowhere: neither to a text or rows, nor to what else takes them. */
export function isNowhere({ selection, dialog }: Workspace): boolean {
	const { activeElement } = document;
	if (selection.current !== null || dialog.current !== null) return false;
	return activeElement === null || activeElement === document.body || activeElement.matches(".page, .rows, .bullet");
}

/** Returns the caret to where the user wrote last; without a row, goes to the button that creates one. */
export function backToRows(workspace: Workspace): void {
	if (!workspace.resume()) document.querySelector<HTMLElement>(".add")?.focus();
}

/** Goes back from selecting rows to writing in one. */
function writeIn({ selection, focus }: Workspace, caret: "start" | "end"): void {
	const head = selection.current!.head;
	selection.set(null);
	focus.set({ key: head, field: "name", caret });
}

async function zoomIn(workspace: Workspace): Promise<void> {
	const node = workspace.chosenRows[0]?.node;
	if (node !== undefined) await workspace.zoom(node.id, { key: titleKey, field: "name", caret: "end" });
}

async function zoomOut(workspace: Workspace): Promise<void> {
	const { root } = workspace;
	if (root === null) return;
	await workspace.zoom(root.parentId);
	const row = workspace.rowOf(root.id);
	if (row !== undefined) workspace.focus.set({ key: row.key, field: "name", caret: "end" });
}

function expandRows(workspace: Workspace, rows: readonly Row[], expanded: boolean): Promise<void> {
	return workspace.expand(
		rows.map(({ node }) => node.id),
		expanded,
	);
}

/** Shows or hides all that is below rows, but for what is below mirrors: that could go on for ever. */
async function expandBelow(workspace: Workspace, expanded: boolean): Promise<void> {
	const ids = new Set<string>();
	for (const { node } of workspace.chosenRows) {
		ids.add(node.id);
		for await (const { node: below } of workspace.outline.walk(node.id, { mirrors: "stop" })) {
			if (below.id !== node.id && below.parentId !== null) ids.add(below.parentId);
		}
	}
	await workspace.expand([...ids], expanded);
}

export const navigationCommands: readonly Command[] = [
	{
		keys: ["F6"],
		when: () => isIn(".bar") && firstOf(".save-problem", ".notices") !== null,
		settles: false,
		run: () => firstOf(".save-problem", ".notices")!.focus(),
	},
	{
		keys: ["F6"],
		when: () => !isIn(".sidebar") && isBesideRows() && firstOf(".sidebar") !== null,
		settles: false,
		run: enterSidebar,
	},
	{ keys: ["Escape", "F6"], when: isBesideRows, settles: false, run: backToRows },
	{
		keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Escape"],
		when: isNowhere,
		settles: false,
		run: backToRows,
	},
	{ keys: ["ArrowUp"], when: (w) => isWriting(w) && leaves(-1), settles: false, run: (w) => step(w, -1) },
	{ keys: ["ArrowDown"], when: (w) => isWriting(w) && leaves(1), settles: false, run: (w) => step(w, 1) },
	{
		keys: ["ArrowLeft"],
		when: (w) => beside(w, "left") !== undefined,
		settles: false,
		run: (w) => w.focus.set(beside(w, "left")!),
	},
	{
		keys: ["ArrowRight"],
		when: (w) => beside(w, "right") !== undefined,
		settles: false,
		run: (w) => w.focus.set(beside(w, "right")!),
	},
	{
		keys: ["Shift+ArrowUp"],
		when: (w) => isSelecting(w) || (isWriting(w) && leaves(-1)),
		settles: false,
		run: (w) => extend(w, -1),
	},
	{
		keys: ["Shift+ArrowDown"],
		when: (w) => isSelecting(w) || (isWriting(w) && leaves(1)),
		settles: false,
		run: (w) => extend(w, 1),
	},
	{ keys: ["ArrowUp", "ArrowLeft"], when: isSelecting, settles: false, run: (w) => writeIn(w, "start") },
	{
		keys: ["ArrowDown", "ArrowRight", "Enter", "Escape"],
		when: isSelecting,
		settles: false,
		run: (w) => writeIn(w, "end"),
	},
	{ label: "Select the node", keys: ["Escape"], when: isWriting, settles: false, run: (w) => extend(w, 1) },
	{ label: "Zoom in", keys: ["Mod+.", ...withAlt("Alt+ArrowRight")], run: zoomIn },
	{ label: "Zoom out", keys: ["Mod+,", ...withAlt("Alt+ArrowLeft")], when: ({ root }) => root !== null, run: zoomOut },
	{ label: "Expand", keys: ["Mod+ArrowDown"], settles: false, run: (w) => expandRows(w, w.chosenRows, true) },
	{ label: "Collapse", keys: ["Mod+ArrowUp"], settles: false, run: (w) => expandRows(w, w.chosenRows, false) },
	{ label: "Expand everything below", keys: ["Mod+Shift+ArrowDown"], run: (w) => expandBelow(w, true) },
	{ label: "Collapse everything below", keys: ["Mod+Shift+ArrowUp"], run: (w) => expandBelow(w, false) },
	{
		label: "Expand or collapse",
		keys: ["Mod+Space"],
		settles: false,
		run: (w) => expandRows(w, w.chosenRows, !w.chosenRows.some(({ expanded }) => expanded)),
	},
	{ keys: ["PageUp"], when: isAtWork, settles: false, run: (w) => leap(w, -page()) },
	{ keys: ["PageDown"], when: isAtWork, settles: false, run: (w) => leap(w, page()) },
	{
		label: "Go to the first row",
		keys: ["Mod+Home"],
		when: isAtWork,
		settles: false,
		run: (w) => leap(w, Number.NEGATIVE_INFINITY),
	},
	{
		label: "Go to the last row",
		keys: ["Mod+End"],
		when: isAtWork,
		settles: false,
		run: (w) => leap(w, Number.POSITIVE_INFINITY),
	},
	{
		label: "Go to the toolbar, the messages, the sidebar, and back",
		keys: ["F6"],
		when: () => true,
		settles: false,
		run: () => firstOf(".tools")!.focus(),
	},
	{ label: "Go to the top level", when: () => true, run: (w) => w.zoom(null) },
];

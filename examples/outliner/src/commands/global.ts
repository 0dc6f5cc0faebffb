import type { Outline, OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import { endOfChange } from "../text/caret.js";
import { type Focus, titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { toggleSidebar } from "./sidebar.js";

const always = () => true;

/** Undoes or does again, and shows where. */
export async function travel(workspace: Workspace, direction: "undo" | "redo"): Promise<void> {
	const { outline, replaced, rows } = workspace;
	const before = rows.current.rows;
	let step = await outline[direction]();
	// A file in the place of a blank line, and the deletion of that line, are two steps of the outline and one
	// for the user.
	const half = direction === "undo" ? "import" : "delete";
	if (step?.operation === half && step.nodeIds.some((id) => replaced.has(id))) step = await outline[direction]();
	if (step === null) {
		workspace.message.set({ text: `There is nothing to ${direction}.`, isError: false });
		return;
	}
	const ids = new Set(step.nodeIds);
	const row = rows.current.rows.find(({ node }) => ids.has(node.id));
	workspace.selection.set(null);
	if (row === undefined) return;
	const known = before.find(({ node }) => node.id === row.node.id);
	workspace.focus.set({ key: row.key, ...placeOfChange(known?.node, row.node) });
}

/** The place in the texts of a node where they have changed. */
function placeOfChange(before: OutlineNode | undefined, after: OutlineNode): Pick<Focus, "field" | "caret"> {
	if (before === undefined) return { field: "name", caret: "end" };
	const [oldName, name] = [toText(before.name), toText(after.name)];
	if (name !== oldName) return { field: "name", caret: endOfChange(oldName, name) };
	const [oldNote, note] = [before.note ?? "", after.note ?? ""];
	return note === "" || note === oldNote
		? { field: "name", caret: "end" }
		: { field: "note", caret: endOfChange(oldNote, note) };
}

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

async function find(outline: Outline, target: string): Promise<string> {
	try {
		return (await outline.get(target)).id;
	} catch (error) {
		if ((error as { code?: unknown }).code !== "not_found") throw error;
		// The inbox and the days are created with the first node below them: a blank line to write in.
		return (await outline.create({ parent: target, name: "", format: "text" })).parentId!;
	}
}

export const globalCommands: readonly Command[] = [
	{
		label: "Show only what a query finds",
		// The browser's own search finds only rows on the screen.
		keys: ["Mod+F"],
		when: always,
		run: (w) => w.filterBy(w.filter.current?.query ?? ""),
	},
	{ label: "Undo", keys: ["Mod+Z"], when: always, run: (w) => travel(w, "undo") },
	{ label: "Redo", keys: ["Mod+Shift+Z", "Mod+Y"], when: always, run: (w) => travel(w, "redo") },
	{ label: "Today", keys: ["Alt+Shift+T"], when: always, run: (w) => goTo(w, "today") },
	{ label: "Tomorrow", when: always, run: (w) => goTo(w, "tomorrow") },
	{ label: "Next week", when: always, run: (w) => goTo(w, "next_week") },
	{ label: "Inbox", keys: ["Alt+Shift+I"], when: always, run: (w) => goTo(w, "inbox") },
	{
		label: "Sidebar: shortcuts and saved searches",
		keys: ["Alt+Shift+B"],
		when: always,
		settles: false,
		run: (w) => toggleSidebar(w, true),
	},
	{
		label: "Hide or show completed nodes",
		keys: ["Mod+O"],
		when: always,
		settles: false,
		run: (w) => w.hideCompleted(!w.preferences.choices.current.hidesCompleted),
	},
	{ label: "Light, dark, or as the system has it", when: always, settles: false, run: nextTheme },
	{
		label: "Import and export",
		keys: ["Mod+S"],
		when: always,
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "files" }),
	},
	{
		label: "Backup",
		when: always,
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "files", showsBackup: true }),
		isDue: ({ backupIsDue }) => backupIsDue.current,
	},
	{ label: "Print all visible rows", keys: ["Mod+P"], when: always, run: () => print() },
];

function nextTheme({ preferences }: Workspace): void {
	const next = { system: "light", light: "dark", dark: "system" } as const;
	preferences.choose({ theme: next[preferences.choices.current.theme] });
}

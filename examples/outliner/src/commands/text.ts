import type { LayoutMode } from "outlinekit";
import { dateAtCaret } from "../text/date.js";
import { activeField, activeFieldIs } from "../text/field.js";
import { isClosed } from "../text/linking.js";
import { type Format, toggleFormat } from "../text/toggle-format.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";

/** Whether the caret is in a name that shows more than plain text. */
export const canFormat = ({ focusedNode }: Workspace) =>
	activeFieldIs("name") && focusedNode?.layoutMode !== "code-block";

const backToName = ({ focus }: Workspace) => focus.set({ key: focus.current!.key, field: "name", caret: "end" });

function format(label: string, key: string, element: Format): Command {
	return {
		label,
		keys: [key],
		when: canFormat,
		settles: false,
		run: () => toggleFormat(activeField()!, element),
	};
}

function layout(label: string, layoutMode: LayoutMode, typed: string): Command {
	return {
		label,
		typed,
		run: ({ outline, chosenRows }) =>
			outline.batch(chosenRows.map(({ node }) => ({ type: "update", ref: node.id, layoutMode }))),
	};
}

export const textCommands: readonly Command[] = [
	format("Bold", "Mod+B", "b"),
	format("Italic", "Mod+I", "i"),
	format("Strike through", "Mod+Shift+X", "s"),
	format("Code", "Mod+E", "code"),
	{
		label: "Insert a date…",
		keys: ["Alt+Shift+D"],
		when: (workspace) => canFormat(workspace) && (!isClosed() || dateAtCaret(activeField()!) !== undefined),
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "date" }),
	},
	{
		label: "Edit the note",
		keys: ["Shift+Enter"],
		when: ({ focus, selection, chosenRows }) =>
			selection.current === null ? focus.current !== null : chosenRows.length === 1,
		settles: false,
		run: ({ focus, selection, chosenRows }) => {
			const { key, field } = selection.current === null ? focus.current! : { key: chosenRows[0]!.key, field: "name" };
			selection.set(null);
			focus.set({ key, field: field === "name" ? "note" : "name", caret: "end" });
		},
	},
	{
		keys: ["Escape"],
		when: ({ focus }) => focus.current?.field === "note" && activeFieldIs("note"),
		settles: false,
		run: backToName,
	},
	{
		keys: ["Backspace"],
		when: ({ focus }) => focus.current !== null && activeFieldIs("note") && activeField()!.textContent === "",
		settles: false,
		run: backToName,
	},
	layout("Bullet", "bullets", "Backspace"),
	layout("To-do", "todo", "[]"),
	layout("Heading 1", "h1", "#"),
	layout("Heading 2", "h2", "##"),
	layout("Heading 3", "h3", "###"),
	layout("Code block", "code-block", "```"),
	layout("Quote", "quote-block", ">"),
];

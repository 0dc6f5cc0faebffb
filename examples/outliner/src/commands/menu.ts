import type { Row } from "outlinekit/live";
import { coveredKeys } from "../workspace/selection.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { type CommandGroup, commands } from "./commands.js";

/** The commands of the menu of a bullet, by their labels. */
export const menuGroups: readonly CommandGroup[] = [
	group(
		"Node",
		"Move to…",
		"Mirror to…",
		"Duplicate",
		"Copy link to this node",
		"Edit the note",
		"Show in other places",
	),
	group("Insert", "Insert a date…", "Link to a node…"),
	group("Turn into", "Bullet", "To-do", "Heading 1", "Heading 2", "Heading 3", "Quote", "Code block"),
	group("", "Complete, or open again", "Remove the mirror", "Delete"),
];

/** Opens the menu at a point. It is about the selected rows, if the row is one of them, or about the row alone. */
export function openMenu(workspace: Workspace, row: Row, x: number, y: number): void {
	const { selection, rows, dialog } = workspace;
	const chosen = selection.current === null ? [] : workspace.chosenRows;
	if (!coveredKeys(rows.current.rows, chosen).has(row.key)) selection.set({ anchor: row.key, head: row.key });
	dialog.set({ type: "menu", x, y, isSlash: false });
}

function group(name: string, ...labels: string[]): CommandGroup {
	return { name, commands: labels.map(commandOf) };
}

function commandOf(label: string): Command {
	const command = commands.find((each) => each.label === label);
	if (command === undefined) throw new Error(`There is no command “${label}”.`);
	return command;
}

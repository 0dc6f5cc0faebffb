import type { Row } from "outlinekit/live";
import { coveredKeys } from "../workspace/selection.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { type CommandGroup, commands } from "./commands.js";

const turnInto = group("Turn into", "Bullet", "To-do", "Heading 1", "Heading 2", "Heading 3", "Quote", "Code block");
const node = group(
	"Node",
	"Move to…",
	"Mirror to…",
	"Duplicate",
	"Copy link to this node",
	"Add to shortcuts",
	"Edit the note",
	"Show all its mirrors",
);
const end = group("", "Complete or reopen", "Remove the mirror", "Delete");

/** The commands of the menu of a bullet. */
export const bulletMenu: readonly CommandGroup[] = [node, turnInto, end];

/** The commands of the menu of a slash in a text: first the ones for this text. */
export const slashMenu: readonly CommandGroup[] = [
	turnInto,
	group("Insert", "Insert a date…", "Link to a node…", "Mirror here…"),
	node,
	end,
];

/** Opens the menu at a point. It is about the selected rows, if the row is one of them, or about the row alone. */
export function openMenu(workspace: Workspace, row: Row, x: number, y: number): void {
	const { selection, rows, dialog } = workspace;
	const chosen = selection.current === null ? [] : workspace.chosenRows;
	if (!coveredKeys(rows.current.rows, chosen).has(row.key)) selection.set({ anchor: row.key, head: row.key });
	dialog.set({ type: "menu", at: { x, y } });
}

function group(name: string, ...labels: string[]): CommandGroup {
	return { name, commands: labels.map(commandOf) };
}

function commandOf(label: string): Command {
	const command = commands.find((each) => each.label === label);
	if (command === undefined) throw new Error(`There is no command “${label}”.`);
	return command;
}

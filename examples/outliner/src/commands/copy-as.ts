import { type CopyForm, copyRowsAs } from "../clipboard/copying.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";

/** The commands that copy the chosen rows, with all below them, in one form for other programs. */
export const copyCommands: readonly Command[] = [
	{ label: "Copy as text", settles: false, run: (workspace) => copy(workspace, "text") },
	{ label: "Copy as Markdown", settles: false, run: (workspace) => copy(workspace, "markdown") },
	{ label: "Copy as rich text", settles: false, run: (workspace) => copy(workspace, "rich text") },
];

async function copy(workspace: Workspace, form: CopyForm): Promise<void> {
	await copyRowsAs(workspace, form);
	const { length } = workspace.chosenRows;
	const rows = length === 1 ? "The row is" : `${length.toLocaleString("en")} rows are`;
	const name = form === "markdown" ? "Markdown" : form;
	workspace.message.set({ text: `${rows} copied as ${name}, with everything below.`, isError: false });
}

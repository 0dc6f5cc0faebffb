import { OutlineError } from "outlinekit";
import { toText } from "outlinekit/markup";
import { nodeOrNull } from "../filter/saved.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { nodeAtHand } from "./mirror.js";

/** The most characters of a text that become the name of a shortcut. */
const longest = 60;

/** Makes a shortcut to the node at hand, named by its text. If that has another meaning, asks for a word. */
async function addToShortcuts(workspace: Workspace): Promise<void> {
	const { outline, dialog, message } = workspace;
	const node = nodeAtHand(workspace)!;
	const name = toText(node.name).trim().slice(0, longest).trim();
	try {
		const holder = name === "" ? undefined : await nodeOrNull(outline, name);
		if (holder !== null && holder?.id !== node.id) return dialog.set({ type: "shortcuts" });
		if (holder === null) await outline.setShortcut(name, node.id);
		message.set({ text: `“${name}” is among the shortcuts in the sidebar.`, isError: false });
	} catch (error) {
		// Words such as “today” lead elsewhere already.
		const isMeaningful = error instanceof OutlineError && /^(?:reserved_key|invalid_)/.test(error.code);
		if (!isMeaningful) throw error;
		dialog.set({ type: "shortcuts" });
	}
}

export const shortcutCommand: Command = {
	label: "Add to shortcuts",
	keys: ["Alt+Shift+A"],
	when: (workspace) => nodeAtHand(workspace) !== null,
	run: addToShortcuts,
};

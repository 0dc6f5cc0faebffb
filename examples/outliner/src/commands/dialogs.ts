import type { Dialog } from "../workspace/dialog.js";
import type { Command } from "./command.js";

/** A command that opens a dialog, wherever the focus is. */
function opens(
	type: Exclude<
		Dialog["type"],
		"mirror" | "link" | "date" | "places" | "menu" | "send" | "save-search" | "sidebar" | "files"
	>,
	label: string,
	...keys: string[]
): Command {
	return { label, keys, when: () => true, settles: false, run: ({ dialog }) => dialog.set({ type }) };
}

/** The commands that open the panels over the outline. Their keys work in dialogs too. */
export const dialogCommands: readonly Command[] = [
	opens("search", "Search", "Mod+K"),
	opens("palette", "All commands", "Mod+Shift+K", "Mod+Shift+P", "Mod+/"),
	opens("calendar", "Calendar", "Alt+Shift+C"),
	opens("shortcuts", "Shortcuts: add this node, or go to one", "Alt+Shift+S"),
	opens("server", "Server: sync with other devices"),
	opens("trash", "Trash: restore deleted nodes"),
	opens("keys", "Keys", "F1", "Mod+Shift+?"),
];

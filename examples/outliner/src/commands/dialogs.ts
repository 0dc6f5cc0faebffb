import type { Dialog } from "../workspace/workspace.js";
import type { Command } from "./command.js";

/** A command that opens a dialog, wherever somebody is at work. */
function opens(type: Exclude<Dialog["type"], "mirror" | "places">, label: string, ...keys: string[]): Command {
	return { label, keys, when: () => true, settles: false, run: ({ dialog }) => dialog.set({ type }) };
}

/** What opens what is shown over the outline. Their keys work in dialogs too. */
export const dialogCommands: readonly Command[] = [
	// What the browser finds is what is on the screen.
	opens("search", "Search", "Mod+K", "Mod+F"),
	opens("palette", "All commands", "Mod+Shift+K", "Mod+Shift+P", "Mod+/"),
	opens("calendar", "Calendar", "Alt+Shift+C"),
	opens("shortcuts", "Shortcuts: name this node, or go to one", "Alt+Shift+S"),
	opens("keys", "Keys", "F1", "Mod+Shift+?"),
];

import { activeField } from "../text/field.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { commands } from "./commands.js";
import { isMac } from "./machine.js";

/** The command that a key means now, if it means one. */
export function commandFor(event: KeyboardEvent, workspace: Workspace): Command | undefined {
	const chord = chordOf(event);
	return commands.find(({ keys, when = isAmongRows }) => keys?.includes(chord) && when(workspace));
}

/** Whether a key means a command, if only in another place. */
export function isCommandKey(event: KeyboardEvent): boolean {
	const chord = chordOf(event);
	return commands.some(({ keys }) => keys?.includes(chord));
}

/** A key with its modifiers, as commands name it. */
export function chordOf(event: KeyboardEvent): string {
	const { key, code, altKey, shiftKey } = event;
	const mod = hasMod(event);
	// `key` is the letter that this keyboard has there. In other alphabets and with Alt on a Mac, only `code`
	// has one.
	const letter = /^[!-~]$/.test(key) ? undefined : /^Key(.)$/.exec(code)?.[1];
	// WebKit for GTK doesn't know this key when Shift is held.
	const known = key === "Unidentified" && code === "Tab" ? "Tab" : key;
	const name = (mod || altKey) && letter !== undefined ? letter : known.length === 1 ? known.toUpperCase() : known;
	return [mod && "Mod", altKey && "Alt", shiftKey && "Shift", name === " " ? "Space" : name].filter(Boolean).join("+");
}

/** Whether Ctrl is held, or the command key of a Mac. */
export function hasMod({ ctrlKey, metaKey }: Pick<KeyboardEvent, "ctrlKey" | "metaKey">): boolean {
	return isMac ? metaKey : ctrlKey;
}

/** A chord as people write it on this machine. */
export function chordText(chord: string): string {
	const names: { readonly [name: string]: string } = isMac
		? {
				Mod: "⌘",
				Alt: "⌥",
				Shift: "⇧",
				Enter: "↩",
				Backspace: "⌫",
				ArrowUp: "↑",
				ArrowDown: "↓",
				ArrowLeft: "←",
				ArrowRight: "→",
			}
		: { Mod: "Ctrl", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
	return chord
		.split("+")
		.map((part) => names[part] ?? part)
		.join(isMac ? "" : "+");
}

/** Whether the focus is in the rows, rather than in the toolbar. */
function isAmongRows(workspace: Workspace): boolean {
	return hasRows(workspace) && (workspace.selection.current !== null || activeField() !== null);
}

/** Whether there is a row for a command. */
export function hasRows(workspace: Workspace): boolean {
	return workspace.chosenRows.length > 0;
}

import { activeField } from "../text/field.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { commands } from "./commands.js";

const isMac = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** The command that a key means now, if it means one. */
export function commandFor(event: KeyboardEvent, workspace: Workspace): Command | undefined {
	const chord = chordOf(event);
	return commands.find(({ keys, when = isAmongRows }) => keys?.includes(chord) && when(workspace));
}

/** A key with those that are held with it, as commands name it. */
export function chordOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
	const mod = isMac ? metaKey : ctrlKey;
	// With Alt and Shift the key says what it would write, so it is told by its place.
	const letter = /^(?:Key|Digit)(.)$/.exec(code)?.[1];
	const name = (mod || altKey) && letter !== undefined ? letter : key.length === 1 ? key.toUpperCase() : key;
	return [mod && "Mod", altKey && "Alt", shiftKey && "Shift", name === " " ? "Space" : name].filter(Boolean).join("+");
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

/** Whether somebody is at work in rows, rather than in the toolbar. */
function isAmongRows(workspace: Workspace): boolean {
	return hasRows(workspace) && (workspace.selection.current !== null || activeField() !== null);
}

/** Whether there is a row for a command. */
export function hasRows(workspace: Workspace): boolean {
	return workspace.chosenRows.length > 0;
}

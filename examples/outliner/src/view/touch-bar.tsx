import "./touch-bar.css";
import { useEffect } from "preact/hooks";
import type { Command } from "../commands/command.js";
import { commands } from "../commands/commands.js";
import { useEditor } from "./context.js";
import { Icon } from "./icon.js";

/**
 * The commands for a finger, in place of keys: the label of a command, the text of its button, and its sign.
 */
const buttons: readonly (readonly [label: string, name: string, path: string])[] = [
	["Outdent", "Outdent", "M20 6H10M20 12H10M20 18H10M7 9l-3 3 3 3"],
	["Indent", "Indent", "M20 6H10M20 12H10M20 18H10M4 9l3 3-3 3"],
	["Move up", "Move up", "M12 19V6M6 11l6-6 6 6"],
	["Move down", "Move down", "M12 5v13M6 13l6 6 6-6"],
	["Complete or reopen", "Complete", "M5 13l4.5 4.5L19 7"],
	["Select the node", "Select", "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 10h8M8 14h8"],
	["Delete", "Delete", "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5"],
	["Edit the note", "Note", "M5 5h14v10l-4 4H5zM15 19v-4h4M8.5 9.5h7M8.5 13h4"],
	["Undo", "Undo", "M9 15l-5-5 5-5M4 10h10a5 5 0 0 1 0 10h-3"],
];

/** A bar above the keyboard of a phone, while the user writes or has selected rows. */
export function TouchBar() {
	const editor = useEditor();
	useEffect(followKeyboard, []);
	const run = (label: string) => {
		const command = commands.find((each): each is Command => each.label === label)!;
		const { when, run: act, settles = true } = command;
		// Its key may have no meaning at the moment.
		void editor.run({ settles, run: (workspace) => (when?.(workspace) ?? true) && act(workspace) });
	};
	return (
		<footer class="touch-bar">
			<div
				role="toolbar"
				aria-label="Edit this node"
				// The field keeps the focus, and with it the keyboard.
				onMouseDown={(event) => event.preventDefault()}
			>
				{buttons.map(([label, name, path]) => (
					<button key={label} type="button" tabIndex={-1} aria-label={name} onClick={() => run(label)}>
						<Icon path={path} />
					</button>
				))}
			</div>
		</footer>
	);
}

/** Keeps the height of the page that the keyboard covers, in some browsers, for this bar and the dialogs. */
function followKeyboard(): (() => void) | undefined {
	const viewport = window.visualViewport;
	if (viewport === null) return undefined;
	const place = () => {
		const covered = Math.max(0, innerHeight - viewport.height - viewport.offsetTop);
		document.documentElement.style.setProperty("--keyboard", viewport.scale === 1 ? `${covered}px` : "0px");
	};
	const ended = new AbortController();
	for (const type of ["resize", "scroll"]) viewport.addEventListener(type, place, { signal: ended.signal });
	place();
	return () => ended.abort();
}

import type { Workspace } from "../workspace/workspace.js";

/** Something that a person can do, by a key or in the palette. */
export interface Command {
	/** The label, in the palette too. The palette doesn't show commands without one. */
	readonly label?: string;
	/** The keys that mean it, such as `Mod+Shift+Z`; `Mod` is Ctrl, and the command key of a Mac. */
	readonly keys?: readonly string[];
	/** The text that does the same when a person types it in a row, such as `[[`. */
	readonly typed?: string;
	/** Whether the command is possible now. Default: if there are rows; by a key, only if one is selected or edited. */
	readonly when?: (workspace: Workspace) => boolean;
	/** Whether what was typed is stored first. Default `true`. */
	readonly settles?: boolean;
	/** Whether the palette marks it, because it waits for the person. */
	readonly isDue?: (workspace: Workspace) => boolean;
	readonly run: (workspace: Workspace) => unknown;
}

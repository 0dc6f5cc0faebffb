import type { Workspace } from "../workspace/workspace.js";

/** Something that a person can do, by a key or in the palette. */
export interface Command {
	/** What it is called, in the palette too; left out, it is nothing to look for there. */
	readonly label?: string;
	/** The keys that mean it, such as `Mod+Shift+Z`; `Mod` is Ctrl, and the command key of a Mac. */
	readonly keys?: readonly string[];
	/** Whether it can be done now. Default: when there is a row to do it with. */
	readonly when?: (workspace: Workspace) => boolean;
	/** Whether what was typed is stored first. Default `true`. */
	readonly settles?: boolean;
	readonly run: (workspace: Workspace) => unknown;
}

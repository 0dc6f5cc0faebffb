import type { LayoutMode } from "../layout-mode.js";

/** A part of a Markdown text that becomes one node. */
export interface Block {
	/** The name, as a canonical fragment. */
	readonly name: string;
	/** The layout mode of its prefix; `bullets` without a prefix. */
	readonly layoutMode: LayoutMode;
	/** Whether it is a checked task. */
	readonly completed: boolean;
	/**
	 * The number of ancestors. 0 for the first block, and at least 1 for each later block. At most one more
	 * than the depth of the block before.
	 */
	readonly depth: number;
}

/** Returns the block of a name that makes one node. */
export function blockOfName(name: string, layoutMode: LayoutMode = "bullets"): Block {
	return { name, layoutMode, completed: false, depth: 0 };
}

import type { LayoutMode } from "../layout-mode.js";
import { isPlain } from "./plain.js";

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

/** Returns the block of a plain text, the same as parsing would; undefined if the text must be parsed. */
export function plainBlock(text: string, layoutMode: LayoutMode = "bullets"): Block | undefined {
	return isPlain(text) ? { name: text, layoutMode, completed: false, depth: 0 } : undefined;
}

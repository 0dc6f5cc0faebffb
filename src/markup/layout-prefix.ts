import type { LayoutMode } from "../layout-mode.js";
import { blocksOf } from "./blocks.js";
import type { Block } from "./markdown.js";
import { escapeText } from "./text.js";

/**
 * The layout mode that a Markdown text of one block gives by its prefix; undefined if it gives none, as `text` or
 * `#### text`. Spec §2.5.
 *
 * @param block What `parseMarkdown` makes of the text without a layout mode.
 */
export function layoutModeOfPrefix(text: string, { name, layoutMode }: Block): LayoutMode | undefined {
	if (layoutMode !== "bullets") return layoutMode;
	const [block] = blocksOf(text);
	const isBullet = block?.isItemNode === true && block.marker === "";
	// A bullet without text is no prefix: it shows as typed.
	return isBullet && name !== escapeText(text.trim()) ? "bullets" : undefined;
}

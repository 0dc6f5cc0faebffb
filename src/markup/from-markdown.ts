import { timeZoneArgument } from "../date.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import type { Block } from "./block.js";
import { allowedSchemes } from "./html/link.js";
import { parseMarkdown } from "./markdown.js";
import { assertText, normalizeText } from "./text.js";

/** The options for reading a Markdown text. The defaults are the same as for an outline. */
export interface FromMarkdownOptions {
	/** The layout mode of the first block, instead of its prefix's. `code-block` keeps the text unchanged. */
	readonly layoutMode?: LayoutMode | undefined;
	/** The same as in `OutlineOptions`. */
	readonly timeZone?: string | undefined;
	/** The same as in `OutlineOptions`. */
	readonly linkSchemes?: readonly string[] | undefined;
}

const optionNames = fieldNames<FromMarkdownOptions>({ layoutMode: true, timeZone: true, linkSchemes: true });

/**
 * Returns the nodes that a create makes of a Markdown text, in reading order; there is always one. Spec §2.5.
 * It is the inverse of `toMarkdown`, for programs that show the result before they store it. Linear in time.
 *
 * @throws `invalid_argument` if `text` isn't a text, or if an option is wrong
 */
export function fromMarkdown(text: string, options: FromMarkdownOptions = {}): Block[] {
	assertText("fromMarkdown", text);
	const { layoutMode, timeZone, linkSchemes = [] } = fieldsOf("fromMarkdown", options, optionNames);
	return parseMarkdown(normalizeText(text), {
		layoutMode: layoutModeArgument(layoutMode),
		timeZone: timeZoneArgument(timeZone),
		linkSchemes: allowedSchemes(linkSchemes),
	});
}

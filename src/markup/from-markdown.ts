import { timeZoneArgument } from "../date.js";
import { OutlineError, quoted } from "../errors.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import { allowedSchemes } from "./html/link.js";
import { type Block, parseMarkdown } from "./markdown.js";
import { normalizeText } from "./text.js";

/** How a Markdown text is read, if not as an outline without options would. */
export interface FromMarkdownOptions {
	/** The layout mode of the first block, whatever its prefix says; `code-block` keeps the text to the letter. */
	readonly layoutMode?: LayoutMode | undefined;
	/** As in `OutlineOptions`. */
	readonly timeZone?: string | undefined;
	/** As in `OutlineOptions`. */
	readonly linkSchemes?: readonly string[] | undefined;
}

const optionNames = fieldNames<FromMarkdownOptions>({ layoutMode: true, timeZone: true, linkSchemes: true });

/**
 * The nodes that a create makes of a Markdown text, in reading order; there is always one. Spec §2.5. The inverse of
 * `toMarkdown`, for programs that show what a text will be before it is kept. Linear in time.
 *
 * @throws `invalid_argument` for what is no text, and for an option
 */
export function fromMarkdown(text: string, options: FromMarkdownOptions = {}): Block[] {
	if (typeof text !== "string") {
		throw new OutlineError("invalid_argument", `fromMarkdown was given ${quoted(text)}. It takes a text.`);
	}
	const { layoutMode, timeZone, linkSchemes = [] } = fieldsOf("fromMarkdown", options, optionNames);
	return parseMarkdown(normalizeText(text), {
		layoutMode: layoutModeArgument(layoutMode),
		timeZone: timeZoneArgument(timeZone),
		linkSchemes: allowedSchemes(linkSchemes),
	});
}

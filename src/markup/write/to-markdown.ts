import { timeZoneArgument } from "../../date.js";
import { objectOf } from "../../fields.js";
import { type LayoutMode, layoutModeArgument } from "../../layout-mode.js";
import { finished, type Steps } from "../../pace.js";
import { canonicalFragment, nodesOfFragment } from "../html/fragment.js";
import { isPlain, longestPlain } from "../plain.js";
import { longestBackticks } from "../read/code-span.js";
import { escapeHeadingEnd } from "./markdown-escape.js";
import { inlineMarkdown } from "./markdown-writer.js";
import { textOfName } from "./to-text.js";

/** The options for writing a name as Markdown. A node as the outline returns it can be passed. */
export interface ToMarkdownOptions {
	/** Written as a prefix. Default `bullets`, which has none. */
	readonly layoutMode?: LayoutMode | undefined;
	/** Whether a `todo` is checked. Other layout modes have no prefix for it. Default false. */
	readonly completed?: boolean | undefined;
	/**
	 * The IANA time zone of the outline that will read the Markdown. With it, a date with a time becomes
	 * `[2026-11-21 14:30]` if that has the same value. Without it, such a date becomes a `<time>` tag.
	 */
	readonly timeZone?: string | undefined;
}

/** Matches characters that may need an escape, and characters that a storage would change. */
const escapable = /[\0\r\p{Surrogate}\\`*~![\](<>&\n]/u;

/** A reference that decodes to no text. With it, a prefix makes a blank node instead of being the name. */
const blank = "&#0;";

/**
 * Returns a name as Markdown of one block. A create makes of it one node with the same name, layout mode and
 * completion (of a todo). Spec §2.5. Except for a `code-block`, it is a single line. Linear in time.
 *
 * The result uses Markdown if possible. Otherwise it uses the allowed HTML tags and character references.
 * Examples are spaces at the ends, emphasis within a word with punctuation, or a date with another label. A
 * code block loses the things that a fence can't hold: formatting, and a text of white space alone.
 *
 * @param name - a name as the outline returns it; any other text is read as an update reads it
 * @throws `invalid_argument` if `name` isn't a text, or if the layout mode or time zone doesn't exist
 */
export function toMarkdown(name: string, options: ToMarkdownOptions = {}): string {
	const fields = objectOf("toMarkdown", options);
	const layoutMode = layoutModeArgument(fields.layoutMode);
	const timeZone = fields.timeZone === undefined ? undefined : timeZoneArgument(fields.timeZone);
	const checked = { layoutMode, timeZone, completed: fields.completed === true };
	return (
		(typeof name === "string" ? plainMarkdown(name, checked) : undefined) ?? finished(markdownOfName(name, checked))
	);
}

/** Returns the Markdown of a short name without any markup characters; undefined for any other name. */
export function plainMarkdown(
	name: string,
	{ layoutMode = "bullets", completed = false }: ToMarkdownOptions,
): string | undefined {
	if (layoutMode === "code-block" || name.length > longestPlain || !isPlain(name) || escapable.test(name))
		return undefined;
	const prefix = prefixOf(layoutMode, completed);
	if (name === "" && prefix !== "") return prefix + blank;
	return prefix + (prefix.startsWith("#") ? escapeHeadingEnd(name) : name);
}

/** Does the work of {@link toMarkdown} in steps, with options that have been checked. */
export function* markdownOfName(name: string, options: ToMarkdownOptions): Steps<string> {
	const { layoutMode = "bullets", completed = false, timeZone } = options;
	const fragment = yield* canonicalFragment(name, timeZone);
	if (layoutMode === "code-block") return fence(yield* textOfName(fragment));
	const prefix = prefixOf(layoutMode, completed);
	if (fragment === "" && prefix !== "") return prefix + blank;
	const markdown = yield* inlineMarkdown(yield* nodesOfFragment(fragment), timeZone);
	return prefix + (prefix.startsWith("#") ? escapeHeadingEnd(markdown) : markdown);
}

function prefixOf(layoutMode: Exclude<LayoutMode, "code-block">, completed: boolean): string {
	switch (layoutMode) {
		case "todo":
			return completed ? "- [x] " : "- [ ] ";
		case "h1":
			return "# ";
		case "h2":
			return "## ";
		case "h3":
			return "### ";
		case "quote-block":
			return "> ";
		default: // `bullets`; a damaged record may have another one
			return "";
	}
}

function fence(code: string): string {
	if (code.trim() === "") return `\`\`\`${blank}\n\`\`\``;
	const marker = "`".repeat(Math.max(2, longestBackticks(code)) + 1);
	return `${marker}\n${code}\n${marker}`;
}

import { timeZoneArgument } from "../../date.js";
import { objectOf } from "../../fields.js";
import { type LayoutMode, layoutModeArgument } from "../../layout-mode.js";
import { finished, type Steps } from "../../pace.js";
import { canonicalFragment, nodesOfFragment } from "../html/fragment.js";
import { isPlain } from "../plain.js";
import { longestRunOf } from "../read/code-span.js";
import { escapeHeadingEnd } from "./markdown-escape.js";
import { inlineMarkdown } from "./markdown-writer.js";
import { textOfName } from "./to-text.js";

/** What the Markdown of a name is to tell besides the name. A node as the outline returns it fits. */
export interface ToMarkdownOptions {
	/** Written as a prefix. Left out, or `bullets`: none. */
	readonly layoutMode?: LayoutMode | undefined;
	/** Whether a `todo` is checked; the other layout modes have no prefix for it. Default false. */
	readonly completed?: boolean | undefined;
	/**
	 * The IANA zone of the outline that is to read the Markdown. With it, a date with a time is `[2026-11-21 14:30]` where
	 * that means the same; left out, it is a `<time>` tag.
	 */
	readonly timeZone?: string | undefined;
}

/** What may need an escape somewhere, or isn't as it is stored. */
const escapable = /[\0\r\p{Surrogate}\\`*~![\](<>&\n]/u;
/** The longest text that is looked at whole, to find that it has no markup. */
const longestPlain = 65_536;

/** What decodes to no text at all: it keeps a prefix with a blank name from being the name itself. */
const blank = "&#0;";

/**
 * A name as Markdown of one block, from which a create makes one node with the same name, layout mode and completion (of a
 * todo). Spec §2.5. It is a single line but for a `code-block`. Linear in time.
 *
 * Markdown comes first. Where it has no way, as for spaces at the ends, emphasis in the middle of a word with punctuation or
 * a date with another label, there are the allowed HTML tags and character references. Code blocks lose what a fence can't
 * hold: formatting, and a text of nothing but white space.
 *
 * @param name A name as the outline returns it. Any other text is read as an update would: what is no markup is text.
 * @throws `invalid_argument` for what is no text, and for a layout mode or a time zone that doesn't exist
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

/** What {@link toMarkdown} makes of a short name in which nothing could be markup; undefined for any other. */
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

/** {@link toMarkdown} with options that have been checked, which other work can interrupt. */
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
		case "bullets":
			return "";
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
	}
}

function fence(code: string): string {
	if (code.trim() === "") return `\`\`\`${blank}\n\`\`\``;
	const marker = "`".repeat(Math.max(2, longestRunOf("`", code)) + 1);
	return `${marker}\n${code}\n${marker}`;
}

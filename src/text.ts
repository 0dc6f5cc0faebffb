import { OutlineError, quoted } from "./errors.js";
import type { LayoutMode } from "./layout-mode.js";
import { parseHtml } from "./markup/html.js";
import { type Block, parseMarkdown } from "./markup/markdown.js";
import { normalizeText, textLength } from "./markup/text.js";
import type { Settings } from "./settings.js";

/**
 * The most characters that are parsed at once, markup and all. Above the limit of a name: escapes, tags and links are longer
 * than the text they stand for, and one text may make many nodes.
 */
const parsedLimit = 16_000_000;

/** The blocks of a name that is given as Markdown. Spec §2.5. @throws `invalid_argument` */
export function blocksArgument(name: unknown, layoutMode: LayoutMode | undefined, settings: Settings): Block[] {
	const blocks = parseMarkdown(textArgument("name", name, Math.max(parsedLimit, settings.limits.name)), {
		timeZone: settings.timeZone,
		linkSchemes: settings.linkSchemes,
		layoutMode,
	});
	for (const block of blocks) assertLength("name", textLength(block.name), settings.limits.name);
	return blocks;
}

/** A name that is given as an HTML fragment, in its canonical form. Spec §2.1, §4.2. @throws `invalid_argument` */
export function fragmentArgument(name: unknown, settings: Settings): string {
	const fragment = parseHtml(textArgument("name", name, Math.max(parsedLimit, settings.limits.name)), {
		timeZone: settings.timeZone,
		linkSchemes: settings.linkSchemes,
	});
	assertLength("name", textLength(fragment), settings.limits.name);
	return fragment;
}

/** A note: plain text, or null for none. @throws `invalid_argument` */
export function noteArgument(note: unknown, settings: Settings): string | null {
	return note === null ? null : textArgument("note", note, settings.limits.note);
}

function textArgument(parameter: string, value: unknown, limit: number): string {
	if (typeof value !== "string") {
		throw new OutlineError("invalid_argument", `${parameter} is ${quoted(value)}. It must be a text.`);
	}
	const text = normalizeText(value);
	assertLength(parameter, text.length, limit);
	return text;
}

function assertLength(parameter: string, length: number, limit: number): void {
	if (length <= limit) return;
	throw new OutlineError(
		"invalid_argument",
		`${parameter} has ${length} characters, and ${limit} are allowed. Shorten it, or split it over several nodes.`,
	);
}

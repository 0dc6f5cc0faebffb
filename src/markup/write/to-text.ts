import { finished, type Steps } from "../../pace.js";
import { canonicalFragment } from "../html/fragment.js";
import { longestPlain } from "../plain.js";
import { normalizeText } from "../text.js";

const tagOrEscape = /<[^>]*>|&(?:amp|lt|gt);/g;
const characters: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

const marked = /[<>&]/;

/** The number of tags and escapes replaced in a step. */
const matchesInStep = 4096;

/**
 * Returns the text that a user reads in a name: without markup, and with character references decoded. A link
 * becomes its label, and so does a date. Spec §2.1. White space and line endings stay. Linear in time.
 *
 * @param name - a name as the outline returns it; any other text is read as an update reads it
 * @throws `invalid_argument` if `name` isn't a text
 */
export function toText(name: string): string {
	return (typeof name === "string" && plainText(name)) || finished(textOfName(name));
}

/** Returns the text of a name without tags and references, which is the name; otherwise undefined. */
export function plainText(name: string): string | undefined {
	return name.length > longestPlain || marked.test(name) ? undefined : normalizeText(name);
}

/** Does the work of {@link toText} in steps. */
export function* textOfName(name: string): Steps<string> {
	const fragment = yield* canonicalFragment(name);
	const parts: string[] = [];
	let start = 0;
	for (const { 0: source, index } of fragment.matchAll(tagOrEscape)) {
		parts.push(fragment.slice(start, index), characters[source] ?? "");
		start = index + source.length;
		if (parts.length % matchesInStep === 0) yield;
	}
	return start === 0 ? fragment : parts.join("") + fragment.slice(start);
}

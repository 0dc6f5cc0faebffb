import { finished, type Steps } from "../../pace.js";
import { canonicalFragment } from "../html/fragment.js";
import { normalizeText } from "../text.js";

const tagOrEscape = /<[^>]*>|&(?:amp|lt|gt);/g;
const characters: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

const marked = /[<>&]/;
/** The longest text that is looked at whole, to find that it has no markup. */
const longestPlain = 65_536;

/** How many tags and escapes are replaced in a step. */
const matchesInStep = 4096;

/**
 * The text that a person reads in a name: without markup, its character references decoded; a link is its label, and so is
 * a date. Spec §2.1. White space and line endings stay. Linear in time.
 *
 * @param name A name as the outline returns it. Any other text is read as an update would: what is no markup is text.
 * @throws `invalid_argument` for what is no text
 */
export function toText(name: string): string {
	return (typeof name === "string" && plainText(name)) || finished(textOfName(name));
}

/** The text of a name without tags and character references, which is the name itself; undefined for any other name. */
export function plainText(name: string): string | undefined {
	return name.length > longestPlain || marked.test(name) ? undefined : normalizeText(name);
}

/** {@link toText}, which other work can interrupt. */
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

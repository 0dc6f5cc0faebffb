import { canonicalFragment } from "./fragment.js";

const tagOrEscape = /<[^>]*>|&(?:amp|lt|gt);/g;
const characters: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/**
 * The text that a person reads in a name: without markup, its character references decoded; a link is its label, and so is
 * a date. Spec §2.1. White space and line endings stay. Linear in time.
 *
 * @param name A name as the outline returns it. Any other text is read as an update would: what is no markup is text.
 * @throws `invalid_argument` for what is no text
 */
export function toText(name: string): string {
	return canonicalFragment(name).replace(tagOrEscape, (source) => characters[source] ?? "");
}

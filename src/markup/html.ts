import { decodeReferences } from "./character-reference.js";
import { elementOfTag } from "./element.js";
import { type Inline, literal } from "./inline.js";
import type { MarkupOptions } from "./options.js";
import { isPlainFragment } from "./plain.js";
import { serialize } from "./serialize.js";
import { createMarkupReader, tagAt } from "./tag.js";

/**
 * The canonical fragment of an HTML fragment, as an update takes it. Spec §2.1, §4.2. Allowed elements stay, character
 * references are decoded, and all else shows as the text that was typed, to the letter and with its white space. A
 * canonical fragment is returned unchanged. Linear in time.
 *
 * @param fragment A text that is as `normalizeText` returns it.
 */
export function parseHtml(fragment: string, options: MarkupOptions): string {
	if (isPlainFragment(fragment)) return fragment;
	const decoded = (text: string) => literal(decodeReferences(text));
	return serialize(inlinesBetweenTags(fragment, options, decoded), options.timeZone);
}

/** A text whose only markup is tags, comments and the like, with what is to be made of the stretches between them. */
export function inlinesBetweenTags(
	fragment: string,
	options: MarkupOptions,
	inlineOf: (stretch: string) => Inline,
): Inline[] {
	const inlines: Inline[] = [];
	const markupEnd = createMarkupReader(fragment);
	let start = 0;
	let bracket = fragment.indexOf("<");
	while (bracket !== -1) {
		const end = markupEnd(bracket);
		if (end === -1) {
			bracket = fragment.indexOf("<", bracket + 1);
			continue;
		}
		if (bracket > start) inlines.push(inlineOf(fragment.slice(start, bracket)));
		const source = fragment.slice(bracket, end);
		const tag = tagAt(fragment, bracket);
		inlines.push(tag === undefined ? literal(source) : elementOfTag(tag, source, options));
		start = end;
		bracket = fragment.indexOf("<", end);
	}
	if (start < fragment.length) inlines.push(inlineOf(fragment.slice(start)));
	return inlines;
}

import { finished, type Steps } from "../../pace.js";
import { sliceEnd, sliceLength } from "../long-text.js";
import type { MarkupOptions } from "../options.js";
import { isPlainFragment } from "../plain.js";
import { type Inline, literal } from "../read/inline.js";
import { decodeReferences } from "./character-reference.js";
import { elementOfTag } from "./element.js";
import { serialization } from "./serialize.js";
import { createMarkupReader } from "./tag.js";

/** How many tags are read in a step. */
const tagsInStep = 1024;

/** {@link readHtml}, at once. */
export function parseHtml(fragment: string, options: MarkupOptions): string {
	return isPlainFragment(fragment) ? fragment : finished(readHtml(fragment, options));
}

/**
 * The canonical fragment of an HTML fragment, as an update takes it. Spec §2.1, §4.2. Allowed elements stay, character
 * references are decoded, and all else shows as the text that was typed, to the letter and with its white space. A
 * canonical fragment is returned unchanged. Linear in time.
 *
 * @param fragment A text that is as `normalizeText` returns it.
 */
export function* readHtml(fragment: string, options: MarkupOptions): Steps<string> {
	return yield* serialization(yield* inlinesOfHtml(fragment, options), options);
}

/** The tags of an HTML fragment, and the text between them, with its character references decoded. */
export function* inlinesOfHtml(fragment: string, options: MarkupOptions): Steps<Inline[]> {
	const inlines: Inline[] = [];
	const markupAt = createMarkupReader(fragment);
	let start = 0;
	let count = 0;
	for (let at = fragment.indexOf("<"); at !== -1; at = fragment.indexOf("<", at)) {
		if (++count % tagsInStep === 0) yield;
		const markup = markupAt(at);
		if (markup === undefined) {
			at += 1;
			continue;
		}
		yield* pushText(inlines, fragment, start, at);
		const { end, tag } = markup;
		const source = fragment.slice(at, end);
		inlines.push(tag === undefined ? literal(source) : elementOfTag(tag, source, options));
		start = end;
		at = end;
	}
	yield* pushText(inlines, fragment, start, fragment.length);
	return inlines;
}

function* pushText(inlines: Inline[], fragment: string, start: number, end: number): Steps<void> {
	let from = start;
	for (; end - from > sliceLength; from = sliceEnd(fragment, from)) {
		inlines.push(literal(decodeReferences(fragment.slice(from, sliceEnd(fragment, from)))));
		yield;
	}
	if (from < end) inlines.push(literal(decodeReferences(fragment.slice(from, end))));
}

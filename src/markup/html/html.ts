import { finished, type Steps } from "../../pace.js";
import { type Inline, literal } from "../inline.js";
import { sliceEnd, sliceLength } from "../long-text.js";
import type { MarkupOptions } from "../options.js";
import { isPlainFragment } from "../plain.js";
import { decodeReferences } from "./character-reference.js";
import { elementOfTag } from "./element.js";
import { serialization } from "./serialize.js";
import { createMarkupReader } from "./tag.js";

/** The number of tags read in a step. */
const tagsInStep = 1024;

/** Runs {@link readHtml} to its end at once. */
export function parseHtml(fragment: string, options: MarkupOptions): string {
	return isPlainFragment(fragment) ? fragment : finished(readHtml(fragment, options));
}

/**
 * Returns the canonical fragment of an HTML fragment, for an update. Spec §2.1, §4.2. Allowed elements stay,
 * and character references are decoded. All else becomes text exactly as typed, including white space. A
 * canonical fragment is returned unchanged. Linear in time.
 *
 * @param fragment - a text as `normalizeText` returns it
 */
export function* readHtml(fragment: string, options: MarkupOptions): Steps<string> {
	return yield* serialization(yield* inlinesOfHtml(fragment, options), options);
}

/** Returns the tags of an HTML fragment and the texts between them, with character references decoded. */
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

import { invalidArgument } from "../../errors.js";
import type { Steps } from "../../pace.js";
import type { InlineTag } from "../inline.js";
import { normalized } from "../long-text.js";
import type { MarkupOptions } from "../options.js";
import { isPlainFragment } from "../plain.js";
import { inlinesOfHtml, readHtml } from "./html.js";
import { dangerousSchemes } from "./link.js";

/** The number of inlines processed in a step. */
const inlinesInStep = 4096;

/** A part of a canonical fragment: an element or a decoded text. Texts aren't empty or adjacent. */
export type FragmentNode = string | FragmentElement;

/** An element of a canonical fragment. None contains its own kind, so nesting is at most six deep. */
export interface FragmentElement {
	readonly tag: InlineTag;
	/** The `href` or `datetime`, decoded; undefined for a tag that has neither. */
	readonly attribute: string | undefined;
	readonly children: FragmentNode[];
}

/**
 * Returns the canonical fragment of a name. A fragment that was read from an outline is returned unchanged,
 * no matter which link schemes its host allows. Linear in time.
 *
 * @param timeZone - the time zone of times without an offset; canonical fragments have no such times
 * @throws `invalid_argument` if it isn't a text
 */
export function* canonicalFragment(name: string, timeZone = "UTC"): Steps<string> {
	if (typeof name !== "string") {
		throw invalidArgument("The name", name, "a text, as a node has it");
	}
	const text = yield* normalized(name);
	return isPlainFragment(text) ? text : yield* readHtml(text, optionsOfAnyHost(timeZone));
}

/** Returns the nodes of a canonical fragment. */
export function* nodesOfFragment(fragment: string): Steps<FragmentNode[]> {
	const nodes: FragmentNode[] = [];
	const outer: FragmentNode[][] = [];
	let siblings = nodes;
	let count = 0;
	for (const inline of yield* inlinesOfHtml(fragment, optionsOfAnyHost("UTC"))) {
		if (++count % inlinesInStep === 0) yield;
		if (inline.type === "text") {
			const before = siblings.at(-1);
			if (typeof before === "string") siblings[siblings.length - 1] = before + inline.value;
			else siblings.push(inline.value);
		} else if (inline.type === "close") siblings = outer.pop()!;
		else {
			const { tag, attribute } = inline;
			const children: FragmentNode[] = [];
			siblings.push({ tag, attribute, children });
			outer.push(siblings);
			siblings = children;
		}
	}
	return nodes;
}

/** Returns the options of a host that allows all link schemes that can be safe. */
export function optionsOfAnyHost(timeZone: string): MarkupOptions {
	return { timeZone, linkSchemes: { has: (scheme) => !dangerousSchemes.has(scheme) } };
}

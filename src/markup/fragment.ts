import { OutlineError, quoted } from "../errors.js";
import { decodeReferences } from "./character-reference.js";
import { inlinesBetweenTags, parseHtml } from "./html.js";
import { type InlineTag, literal } from "./inline.js";
import { dangerousSchemes } from "./link.js";
import type { MarkupOptions } from "./options.js";
import { normalizeText } from "./text.js";

/** What a canonical fragment is made of: texts, decoded and never empty or side by side, and elements. */
export type FragmentNode = string | FragmentElement;

/** An element of a canonical fragment. None stands within one of its own kind, so nesting is at most six deep. */
export interface FragmentElement {
	readonly tag: InlineTag;
	/** The `href` or `datetime`, decoded; undefined for a tag that has neither. */
	readonly attribute: string | undefined;
	readonly children: FragmentNode[];
}

/**
 * The canonical fragment that a text is for an outline: one that was read from any outline is returned unchanged, whatever
 * link schemes its host allows. Linear in time.
 *
 * @param timeZone What a time without an offset is read in; no canonical fragment has one.
 * @throws `invalid_argument` for what is no text
 */
export function canonicalFragment(name: string, timeZone = "UTC"): string {
	if (typeof name !== "string") {
		throw new OutlineError("invalid_argument", `The name is ${quoted(name)}. It must be a text, as a node has it.`);
	}
	return parseHtml(normalizeText(name), optionsOfAnyHost(timeZone));
}

/** What a canonical fragment is made of. */
export function nodesOfFragment(fragment: string): FragmentNode[] {
	const nodes: FragmentNode[] = [];
	const siblings = [nodes];
	const decoded = (text: string) => literal(decodeReferences(text));
	for (const inline of inlinesBetweenTags(fragment, optionsOfAnyHost("UTC"), decoded)) {
		if (inline.type === "text") siblings.at(-1)?.push(inline.value);
		else if (inline.type === "close") siblings.pop();
		else {
			const { tag, attribute } = inline;
			const children: FragmentNode[] = [];
			siblings.at(-1)?.push({ tag, attribute, children });
			siblings.push(children);
		}
	}
	return nodes;
}

function optionsOfAnyHost(timeZone: string): MarkupOptions {
	return { timeZone, linkSchemes: { has: (scheme) => !dangerousSchemes.has(scheme) } };
}

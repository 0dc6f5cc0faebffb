import type { LayoutMode } from "../layout-mode.js";
import type { Block } from "./markdown.js";

/**
 * A beginning that a block could have, or white space; the white space and ends that would be cut off; what markup begins with.
 */
const marked = /^(?:[ \t#>+-]|\d{1,9}[.)])|[\n&<>*`[\\]|~~|[ \t]$/;

/**
 * Whether a text is one paragraph without any markup, or empty, so that parsing it would give the same text again. Quick, and on the
 * safe side: of texts that need no parsing it may miss some.
 */
export function isPlain(text: string): boolean {
	return !marked.test(text);
}

/** The block of a plain text: the same that parsing it would give. Undefined for a text that has to be parsed. */
export function plainBlock(text: string, layoutMode: LayoutMode = "bullets"): Block | undefined {
	return isPlain(text) ? { name: text, layoutMode, completed: false, depth: 0 } : undefined;
}

/** What makes a fragment more than text, and the escapes of a canonical one, which stand for themselves. */
const unescaped = /[<>]|&(?!(?:amp|lt|gt);)/;

/** Whether a fragment is canonical without any tag, so that parsing it would give the same text again. */
export function isPlainFragment(fragment: string): boolean {
	return !unescaped.test(fragment);
}

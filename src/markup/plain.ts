/** The most characters of a text that one step examines for markup. */
export const longestPlain = 65_536;

/** Matches white space or a block marker at the start, markup, and white space at the end. */
const marked = /^(?:[ \t#>+-]|\d{1,9}[.)])|[\n&<>*`[\\]|~~|[ \t]$/;

/**
 * Whether a text is empty, or a paragraph without markup. Parsing such a text returns the same text. The
 * check is quick, and returns false for some plain texts too.
 */
export function isPlain(text: string): boolean {
	return !marked.test(text);
}

/** Matches tags, and each `&` that doesn't begin an escape of a canonical fragment. */
const unescaped = /[<>]|&(?!(?:amp|lt|gt);)/;

/** Whether a fragment is canonical and has no tag. Parsing such a fragment returns the same text. */
export function isPlainFragment(fragment: string): boolean {
	return !unescaped.test(fragment);
}

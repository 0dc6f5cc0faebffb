/**
 * A beginning that a block could have, or white space; the white space and ends that would be cut off; what markup begins with.
 */
const marked = /^(?:[ \t#>+-]|\d{1,9}[.)])|[\n&<>*`[\\]|~~|[ \t]$/;

/**
 * Whether a text is one paragraph without any markup, so that parsing it would give the same text again. Quick, and on the
 * safe side: of texts that need no parsing it may miss some.
 */
export function isPlain(text: string): boolean {
	return text !== "" && !marked.test(text);
}

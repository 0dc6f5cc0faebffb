const unclean = /[\0\r\p{Surrogate}]/u;
const loneSurrogate = /\p{Surrogate}/gu;
const escapable = /[&<>]/;
const tagOrEscape = /<[^>]*>|&(?:amp|lt|gt);/g;

/**
 * The text as every storage returns it: without NUL, with U+FFFD for each lone surrogate, and LF for CRLF and CR. A text
 * that is so already is returned as it is.
 */
export function normalizeText(text: string): string {
	if (!unclean.test(text)) return text;
	return text.replaceAll("\0", "").replace(/\r\n?/g, "\n").replace(loneSurrogate, "\ufffd");
}

/** The text with `&`, `<` and `>` escaped, as it stands in a canonical fragment. */
export function escapeText(text: string): string {
	if (!escapable.test(text)) return text;
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The text as it stands between the double quotes of an attribute. */
export function escapeAttribute(text: string): string {
	return escapeText(text).replaceAll('"', "&quot;");
}

/** The text without these characters at either end. In time linear in what is cut off, which `/\s+$/` is not. */
export function trimCharacters(text: string, characters: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && characters.includes(text.charAt(start))) start++;
	while (end > start && characters.includes(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** The length of a canonical name's text in UTF-16 units: each escape counts as the one character it stands for, tags as none. */
export function textLength(name: string): number {
	let length = name.length;
	for (const [source] of name.matchAll(tagOrEscape))
		length -= source.startsWith("&") ? source.length - 1 : source.length;
	return length;
}

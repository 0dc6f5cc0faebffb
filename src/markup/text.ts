import { OutlineError, quoted } from "../errors.js";

// V8 compiles a range faster than the class with a name, and every outline begins with it.
const unclean = /[\0\r\ud800-\udfff]/u;
const loneSurrogate = /\p{Surrogate}/gu;
const escapable = /[&<>]/;

/**
 * Returns the text as every storage returns it: without NUL, with U+FFFD for each unpaired surrogate, and
 * with LF for CRLF and CR. If nothing changes, it returns the same text.
 */
export function normalizeText(text: string): string {
	if (!unclean.test(text)) return text;
	return text.replaceAll("\0", "").replace(/\r\n?/g, "\n").replace(loneSurrogate, "\ufffd");
}

/** Escapes `&`, `<` and `>`, as in a canonical fragment. */
export function escapeText(text: string): string {
	if (!escapable.test(text)) return text;
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes a text for the double quotes of an attribute. */
export function escapeAttribute(text: string): string {
	return escapeText(text).replaceAll('"', "&quot;");
}

/**
 * Returns the numbers of characters that two texts share at their beginnings and, behind that, at their ends.
 * Compares lists of parts in the same way.
 */
export function commonEnds(
	before: ArrayLike<string>,
	after: ArrayLike<string>,
): { readonly head: number; readonly tail: number } {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
	return { head, tail };
}

/** Removes these blanks and control characters at both ends. Takes time only for the removed part. */
export function trimCharacters(text: string, characters: string): string {
	const isCut = new Uint8Array(33);
	for (let at = 0; at < characters.length; at++) isCut[characters.charCodeAt(at)] = 1;
	let start = 0;
	let end = text.length;
	while (start < end && isCut[text.charCodeAt(start)] === 1) start++;
	while (end > start && isCut[text.charCodeAt(end - 1)] === 1) end--;
	return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Checks that the argument of a method is a text. @throws `invalid_argument` */
export function assertText(method: string, text: unknown): void {
	if (typeof text === "string") return;
	throw new OutlineError("invalid_argument", `${method} was given ${quoted(text)}. It takes a text.`);
}

/**
 * Checks the length of a text.
 *
 * @throws `invalid_argument`
 */
export function assertLength(parameter: string, length: number, longest: number): void {
	if (length <= longest) return;
	throw new OutlineError(
		"invalid_argument",
		`${parameter} has ${length} characters, and ${longest} are allowed. Shorten it, or split it over several nodes.`,
	);
}

/** The scripts without spaces between words, for a character class of a regular expression with the flag `u`. */
export const spacelessScripts =
	"\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}";

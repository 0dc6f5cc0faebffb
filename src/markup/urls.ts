import { assertText } from "./text.js";

/** A web address in a text. */
export interface UrlInText {
	/** The address that a link needs: as written, with `https://` before one that begins with `www.`. */
	readonly href: string;
	/** The offset at which it begins, in UTF-16 code units. */
	readonly start: number;
	/** The offset behind its last character. */
	readonly end: number;
}

const candidate =
	/(?<![\p{L}\p{N}_@/.-])(?:https?:\/\/(?:[\p{L}\p{N}]|\[[\da-f:.]+\])|www\.[\p{L}\p{N}])[^\s<>"“”„\ufffc]*/giu;
const closing = /[?!.,:;*_~'’…)\]]/;

/**
 * Returns the web addresses in a text, in their order: from `http://`, `https://` or `www.` to the next white
 * space, quotation mark or angle bracket. Punctuation at the end belongs to the sentence, and so does a
 * closing parenthesis or bracket whose partner isn't in the address. Linear in time.
 *
 * Markdown makes links of addresses in angle brackets alone. With this function, a host can make links of the
 * addresses that a person types or pastes.
 *
 * @throws `invalid_argument` if `text` isn't a text
 */
export function urlsIn(text: string): UrlInText[] {
	assertText("urlsIn", text);
	const found: UrlInText[] = [];
	for (const { 0: source, index } of text.matchAll(candidate)) {
		const written = source.slice(0, lengthWithoutEnd(source));
		const href = /^www\./i.test(written) ? `https://${written}` : written;
		found.push({ href, start: index, end: index + written.length });
	}
	return found;
}

/** Whether there is a web address in a text, as {@link urlsIn} finds them. Linear in time. */
export function hasUrl(text: string): boolean {
	return text.search(candidate) !== -1;
}

/** Returns the length of an address without the punctuation behind it. */
function lengthWithoutEnd(source: string): number {
	let round = count(source, ")") - count(source, "(");
	let square = count(source, "]") - count(source, "[");
	let length = source.length;
	for (; length > 0; length--) {
		const last = source.charAt(length - 1);
		if (!closing.test(last)) break;
		if (last === ")" && round-- <= 0) break;
		if (last === "]" && square-- <= 0) break;
	}
	return length;
}

function count(text: string, character: string): number {
	return text.split(character).length - 1;
}

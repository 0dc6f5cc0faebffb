import type { Steps } from "../pace.js";
import { normalizeText } from "./text.js";

/** How many characters of a long text are worked at in a step. */
export const sliceLength = 65_536;

/** How many texts are joined in a step. */
const textsInStep = 4096;

/** The length of the longest character reference, at least. */
const longestReference = 40;

/** The text with a change made to each of its characters, line endings and character references. */
export function* changed(text: string, change: (slice: string) => string): Steps<string> {
	if (text.length <= sliceLength) return change(text);
	const slices: string[] = [];
	let isSame = true;
	for (let start = 0; start < text.length; ) {
		const end = sliceEnd(text, start);
		const slice = text.slice(start, end);
		const result = change(slice);
		isSame &&= result === slice;
		slices.push(result);
		start = end;
		yield;
	}
	return isSame ? text : slices.join("");
}

/** {@link normalizeText} of a text of any length. */
export function* normalized(text: string): Steps<string> {
	// What a NUL parts belongs together once it is gone.
	const whole = text.includes("\0") ? yield* changed(text, (slice) => slice.replaceAll("\0", "")) : text;
	return yield* changed(whole, normalizeText);
}

/** Texts with a separator between them, as `join` puts them together. */
export function* joined(texts: readonly string[], separator: string): Steps<string> {
	if (texts.length <= textsInStep) return texts.join(separator);
	const parts: string[] = [];
	for (let start = 0; start < texts.length; start += textsInStep) {
		parts.push(texts.slice(start, start + textsInStep).join(separator));
		yield;
	}
	return parts.join(separator);
}

/** Where the slice that begins at an offset ends: within no character, line ending or character reference. */
export function sliceEnd(text: string, start: number): number {
	let end = start + sliceLength;
	if (end >= text.length) return text.length;
	const last = text.slice(end - longestReference, end);
	const ampersand = last.lastIndexOf("&");
	if (ampersand > last.lastIndexOf(";")) end -= longestReference - ampersand;
	const isLowSurrogate = (text.charCodeAt(end) & 0xfc00) === 0xdc00;
	const isInLineEnding = text[end] === "\n" && text[end - 1] === "\r";
	return isLowSurrogate || isInLineEnding ? end + 1 : end;
}

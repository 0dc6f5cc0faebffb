import type { Steps } from "../pace.js";
import { normalizeText } from "./text.js";

/** The number of characters of a long text that a step processes. */
export const sliceLength = 65_536;

/** The number of texts joined in a step. */
const textsInStep = 4096;

/** An upper bound for the length of a character reference. */
const longestReference = 40;

/** Applies a change to a text, slice by slice. The slices end as in {@link sliceEnd}. */
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

/** Applies {@link normalizeText} to a text of any length. */
export function* normalized(text: string): Steps<string> {
	// The NULs are removed first, because they may split a line ending or a surrogate pair.
	const whole = text.includes("\0") ? yield* changed(text, (slice) => slice.replaceAll("\0", "")) : text;
	return yield* changed(whole, normalizeText);
}

/** Joins texts with a separator, as `join` does. */
export function* joined(texts: readonly string[], separator: string): Steps<string> {
	if (texts.length <= textsInStep) return texts.join(separator);
	const parts: string[] = [];
	for (let start = 0; start < texts.length; start += textsInStep) {
		parts.push(texts.slice(start, start + textsInStep).join(separator));
		yield;
	}
	return parts.join(separator);
}

/** Returns the end of a slice. It splits no character, line ending or character reference. */
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

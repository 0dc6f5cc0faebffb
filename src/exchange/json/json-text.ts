import { OutlineError } from "../../errors.js";
import type { Steps } from "../../pace.js";

/** The length of a slice of a long text within JSON, and the number of quotation marks examined in a step. */
const sliceLength = 65_536;
const quotesInStep = 4096;

/** The maximum length of JSON that is parsed at once. */
const shortJson = 1_048_576;

/**
 * Parses a JSON text like `JSON.parse`, but parses long texts within it in slices.
 *
 * @param more - the characters that may be parsed at once beyond the usual length
 * @throws SyntaxError if it isn't JSON; `invalid_argument` if it is too long without these texts
 */
export function* parsedJson(json: string, more: number): Steps<unknown> {
	if (json.length <= shortJson) return JSON.parse(json);
	/** The prefix of the names that replace the long texts. */
	let marker = "text ";
	while (json.includes(marker)) marker = `long ${marker}`;
	const texts = new Map<string, string>();
	let short = "";
	let start = 0;
	let count = 0;
	for (let quote = json.indexOf('"'); quote !== -1; ) {
		if (++count % quotesInStep === 0) yield;
		const end = yield* textEnd(json, quote + 1);
		if (end - quote > sliceLength) {
			const name = `${marker}${texts.size}`;
			texts.set(name, yield* decoded(json, quote + 1, end));
			short += `${json.slice(start, quote + 1)}${name}`;
			start = end;
		}
		quote = json.indexOf('"', end + 1);
	}
	short += json.slice(start);
	if (short.length > shortJson + more) {
		throw new OutlineError(
			"invalid_argument",
			`This has ${short.length} characters without its long texts, and ${shortJson + more} are allowed. Give the node fewer properties.`,
		);
	}
	const value: unknown = JSON.parse(short, (_, each) => texts.get(each) ?? each);
	return value;
}

/** Returns the offset of a text's closing quotation mark, or the end of the JSON if there is none. */
function* textEnd(json: string, start: number): Steps<number> {
	let count = 0;
	for (let quote = json.indexOf('"', start); quote !== -1; quote = json.indexOf('"', quote + 1)) {
		if (backslashesBefore(json, quote, start) % 2 === 0) return quote;
		if (++count % quotesInStep === 0) yield;
	}
	return json.length;
}

/** Returns the text between two quotation marks. */
function* decoded(json: string, start: number, end: number): Steps<string> {
	const slices: string[] = [];
	for (let from = start; from < end; ) {
		const to = from + sliceLength < end ? outsideEscape(json, from + sliceLength, from) : end;
		slices.push(JSON.parse(`"${json.slice(from, to)}"`) as string);
		from = to;
		yield;
	}
	return slices.join("");
}

/** Returns the last offset outside an escape, at or before this one. An escape is up to six long. */
function outsideEscape(json: string, offset: number, start: number): number {
	for (let at = offset - 1; at > offset - 6; at--) {
		if (json[at] !== "\\" || backslashesBefore(json, at, start) % 2 === 1) continue;
		return at + (json[at + 1] === "u" ? 6 : 2) > offset ? at : offset;
	}
	return offset;
}

function backslashesBefore(json: string, offset: number, start: number): number {
	let at = offset;
	while (at > start && json[at - 1] === "\\") at--;
	return offset - at;
}

import { OutlineError, quoted } from "../../errors.js";

/** A part of a query between white space. */
export interface QueryTerm {
	/** The term as written in the query. */
	readonly source: string;
	/** Whether it begins with `-`. */
	readonly negated: boolean;
	/** Whether all of it is in quotation marks. */
	readonly quoted: boolean;
	/** Whether the value in it is in quotation marks, as in `status:"in progress"`. */
	readonly valueIsQuoted: boolean;
	/** The term without the dash and the quotation marks. */
	readonly text: string;
}

/** The beginning of a term such as `status:"in progress"`. */
const beforeQuote = /[^\s"“”„‟]+:(?=["“”„‟])/y;
const space = /\s/;
/** The keyboards of phones write curved quotation marks. */
const quote = /["“”„‟]/;

/**
 * Returns the terms of a query, in their order.
 *
 * @throws `invalid_argument` for a quotation mark that isn't closed, or that isn't around a whole term
 */
export function queryTerms(query: string): QueryTerm[] {
	const terms: QueryTerm[] = [];
	for (let at = 0; at < query.length; at++) {
		if (space.test(query.charAt(at))) continue;
		const start = at;
		const negated = query[at] === "-";
		if (negated) at += 1;
		beforeQuote.lastIndex = at;
		const [name = ""] = beforeQuote.exec(query) ?? [];
		const isQuoted = quote.test(query.charAt(at + name.length));
		const textStart = at + name.length + (isQuoted ? 1 : 0);
		const textEnd = endOf(query, textStart, isQuoted ? quote : space);
		const end = isQuoted ? endOf(query, textEnd, space) : textEnd;
		const source = query.slice(start, end);
		const text = name + query.slice(textStart, textEnd);
		if (isQuoted && textEnd === query.length) {
			throw refusal(source, "The quote is never closed");
		}
		if (isQuoted ? end !== textEnd + 1 : quote.test(text)) {
			throw refusal(source, "Quotes must stand around a whole term or its value, with white space before and after");
		}
		const quoted = isQuoted && name === "";
		terms.push({ source, negated, quoted, valueIsQuoted: isQuoted && !quoted, text });
		at = end;
	}
	return terms;
}

/** Returns the offset of the next character of a kind, or the end of the text. */
function endOf(text: string, from: number, kind: RegExp): number {
	let end = from;
	while (end < text.length && !kind.test(text.charAt(end))) end += 1;
	return end;
}

function refusal(source: string, reason: string): OutlineError {
	return new OutlineError(
		"invalid_argument",
		`The query has the term ${quoted(source)}. ${reason}. A phrase is "in quotes"; a quote itself can't be searched for.`,
	);
}

import { sliceLength } from "../long-text.js";
import { codeSpansOf } from "./code-span.js";
import { Delimiters } from "./delimiter.js";

/** An offset at which a text can be split. */
interface SplitPoint {
	readonly at: number;
	/** The cost of the delimiters before it. */
	readonly cost: number;
	/** Whether nothing is open there. */
	readonly isQuiet: boolean;
}

/** The number of delimiters read in a step. */
const delimitersInStep = 4096;

/**
 * Splits the text of a paragraph into pieces that are parsed one by one, so that each takes a bounded time. A
 * piece ends at a space with nothing open if possible, otherwise at any space, otherwise anywhere. It never
 * ends within a code span, a tag, a date or an escape. So if all formatting ends within some hundred
 * delimiters of its start, the result is the same as without splitting. Yields undefined where other work may
 * run before the next piece is found.
 */
export function* piecesOf(text: string): Generator<string | undefined, void, unknown> {
	if (text.length * Delimiters.dearest <= Delimiters.budget) {
		yield text;
		return;
	}
	const delimiters = new Delimiters(text, text.includes("`") ? yield* codeSpansOf(text) : undefined);
	let start: SplitPoint = { at: 0, cost: 0, isQuiet: true };
	let quiet = start;
	let space = start;
	let cost = 0;
	/** The end of the last delimiter. */
	let end = 0;
	let count = 0;

	for (let at = 0; at < text.length; ) {
		const limit = Math.min(text.length, at + sliceLength);
		at = delimiters.next(at, limit);
		if (++count % delimitersInStep === 0 || at - end >= sliceLength) yield;
		if (at === limit) continue;
		const { isQuiet } = delimiters;
		const spaceBefore = at === end ? -1 : end + text.slice(end, at).lastIndexOf(" ");
		if (spaceBefore >= end) {
			space = { at: spaceBefore, cost, isQuiet };
			if (isQuiet) quiet = space;
		}
		while (cost - start.cost > Delimiters.budget) {
			const cut = quiet.at > start.at ? quiet : space.at > start.at ? space : { at, cost, isQuiet };
			yield text.slice(start.at, cut.at);
			if (!cut.isQuiet) delimiters.reset();
			start = cut;
		}
		const delimiter = delimiters.read(at);
		cost += delimiter.cost;
		end = delimiter.end;
		at = end;
	}
	yield text.slice(start.at);
}

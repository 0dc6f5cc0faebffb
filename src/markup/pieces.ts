import { sliceLength } from "./long-text.js";
import { codeSpansOf } from "./read/code-span.js";
import { Delimiters } from "./read/delimiter.js";

/** A place where a text can be cut. */
interface Place {
	readonly at: number;
	/** What the delimiters before it cost. */
	readonly cost: number;
	/** Whether nothing is open there. */
	readonly isQuiet: boolean;
}

/** How many delimiters are read in a step. */
const delimitersInStep = 4096;

/**
 * The text of a paragraph in pieces that are read one by one, so that each takes a bounded time. Together they are the text.
 * They end, if it can be, at a space with nothing open, else at a space, else anywhere, but never within a code span, a tag,
 * a date or an escape. So a text whose formatting ends within some hundred delimiters of where it begins is parsed as if it
 * were in one piece. Yields undefined where other work may have its turn before the next piece is found.
 */
export function* piecesOf(text: string): Generator<string | undefined, void, unknown> {
	if (text.length * Delimiters.dearest <= Delimiters.budget) {
		yield text;
		return;
	}
	const delimiters = new Delimiters(text, text.includes("`") ? yield* codeSpansOf(text) : undefined);
	let start: Place = { at: 0, cost: 0, isQuiet: true };
	let quiet = start;
	let space = start;
	let cost = 0;
	/** Where the last delimiter ended. */
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

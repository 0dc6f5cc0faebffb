import { Delimiters } from "./delimiter.js";

/** A place where a text can be cut. */
interface Place {
	readonly at: number;
	/** What the delimiters before it cost. */
	readonly cost: number;
	/** Whether nothing is open there. */
	readonly isQuiet: boolean;
}

/**
 * The text of a paragraph in pieces that the inline parser is given one by one, since it takes quadratic time. Together
 * they are the text. They end, if it can be, at a space with nothing open, else at a space, else anywhere, but never within
 * a code span, a tag, a date or an escape. So a text whose formatting ends within some hundred delimiters of where it
 * begins is parsed as if it were in one piece.
 */
export function piecesOf(text: string): string[] {
	if (text.length * Delimiters.dearest <= Delimiters.budget) return [text];
	const pieces: string[] = [];
	const delimiters = new Delimiters(text);
	let start: Place = { at: 0, cost: 0, isQuiet: true };
	let quiet = start;
	let space = start;
	let cost = 0;
	let end = 0;

	for (let at = delimiters.next(0); at !== -1; at = delimiters.next(end)) {
		const here: Place = { at, cost, isQuiet: delimiters.isQuiet };
		const spaceBefore = end + text.slice(end, at).lastIndexOf(" ");
		if (spaceBefore >= end) {
			space = { ...here, at: spaceBefore };
			if (here.isQuiet) quiet = space;
		}
		while (cost - start.cost > Delimiters.budget) {
			const cut = [quiet, space].find((place) => place.at > start.at) ?? here;
			pieces.push(text.slice(start.at, cut.at));
			if (!cut.isQuiet) delimiters.reset();
			start = cut;
		}
		const delimiter = delimiters.read(at);
		cost += delimiter.cost;
		end = delimiter.end;
	}
	pieces.push(text.slice(start.at));
	return pieces;
}

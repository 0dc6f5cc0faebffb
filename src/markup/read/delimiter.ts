import { createMarkupReader, type Markup } from "../html/tag.js";
import { characterSet, firstOf, punctuation } from "./character-set.js";
import { type CodeSpans, runEnd } from "./code-span.js";

/** A part of a paragraph's text that is read as a unit. */
export interface Delimiter {
	/** The offset of its end. */
	readonly end: number;
	/** Its cost, which counts towards {@link Delimiters.budget}. */
	readonly cost: number;
}

/** The characters that begin a delimiter. */
const begins = characterSet("!&()*<[\\]_`~");
const date = /\[\d{4}-\d\d-\d\d(?: \d\d:\d\d)?\](?!\()/y;
const autolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>]*>/y;

/**
 * Follows the delimiters of a paragraph's text from left to right, to find places where nothing is open. It
 * is a heuristic, no parse.
 */
export class Delimiters {
	/** The maximum total cost of a piece's delimiters, so that no piece takes long. */
	static readonly budget = 1024;
	/** The highest cost of one character. */
	static readonly dearest = 16;

	readonly #text: string;
	readonly #codeSpans: CodeSpans | undefined;
	readonly #markupAt: (start: number) => Markup | undefined;
	#stars = 0;
	#brackets = 0;
	#isStruck = false;
	#isInTarget = false;

	/** @param codeSpans - undefined if the text has no backtick */
	constructor(text: string, codeSpans: CodeSpans | undefined) {
		this.#text = text;
		this.#codeSpans = codeSpans;
		this.#markupAt = createMarkupReader(text);
	}

	/** Whether everything that was opened has been closed. */
	get isQuiet(): boolean {
		return this.#stars === 0 && this.#brackets === 0 && !this.#isStruck && !this.#isInTarget;
	}

	/** Forgets everything that is open. */
	reset(): void {
		this.#stars = 0;
		this.#brackets = 0;
		this.#isStruck = false;
		this.#isInTarget = false;
	}

	/** Returns the offset of the next delimiter within a range, or the end of the range if there is none. */
	next(from: number, before: number): number {
		return firstOf(begins, this.#text, from, before);
	}

	/** Reads the delimiter at an offset. It must come after the delimiters already read. */
	read(at: number): Delimiter {
		switch (this.#text[at]) {
			case "\\":
				return { end: at + (punctuation.test(this.#text.charAt(at + 1)) ? 2 : 1), cost: 1 };
			case "`":
				return this.#readCode(at);
			case "<":
				return this.#readMarkup(at);
			case "[":
				return this.#readBracket(at);
			case "]":
				return this.#readClosingBracket(at);
			case ")":
				this.#isInTarget = false;
				return { end: at + 1, cost: 0 };
			case "*":
				return this.#readStars(at);
			case "~":
				return this.#readTildes(at);
			default:
				return { end: at + 1, cost: 1 };
		}
	}

	#readCode(at: number): Delimiter {
		const end = this.#codeSpans?.end(at) ?? -1;
		return { end: end === -1 ? runEnd(this.#text, at) : end, cost: 1 };
	}

	#readMarkup(at: number): Delimiter {
		const markup = this.#markupAt(at);
		if (markup !== undefined) return { end: markup.end, cost: 1 };
		autolink.lastIndex = at;
		return { end: autolink.test(this.#text) ? autolink.lastIndex : at + 1, cost: 1 };
	}

	#readBracket(at: number): Delimiter {
		date.lastIndex = at;
		if (date.test(this.#text)) return { end: date.lastIndex, cost: 8 };
		this.#brackets++;
		return { end: at + 1, cost: 4 };
	}

	#readClosingBracket(at: number): Delimiter {
		this.#brackets = Math.max(0, this.#brackets - 1);
		this.#isInTarget = this.#text[at + 1] === "(";
		return this.#isInTarget ? { end: at + 2, cost: Delimiters.dearest } : { end: at + 1, cost: 4 };
	}

	#readStars(at: number): Delimiter {
		const end = runEnd(this.#text, at);
		const closed = isSpaceOrEdge(this.#text, at - 1) ? 0 : Math.min(this.#stars, end - at);
		const opened = isSpaceOrEdge(this.#text, end) ? 0 : end - at - closed;
		this.#stars += opened - closed;
		return { end, cost: 4 * (end - at) };
	}

	#readTildes(at: number): Delimiter {
		const end = runEnd(this.#text, at);
		if (end - at === 2) {
			if (this.#isStruck) this.#isStruck = isSpaceOrEdge(this.#text, at - 1);
			else this.#isStruck = !isSpaceOrEdge(this.#text, end);
		}
		return { end, cost: 4 * (end - at) };
	}
}

function isSpaceOrEdge(text: string, at: number): boolean {
	const character = text[at];
	return character === undefined || character === " " || character === "\t";
}

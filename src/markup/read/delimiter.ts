import { characterSet, firstOf } from "../character-set.js";
import { createMarkupReader, type Markup } from "../html/tag.js";
import { type CodeSpans, runEnd } from "./code-span.js";

/** A stretch of a paragraph's text that is looked at as a whole. */
export interface Delimiter {
	/** Where it ends. */
	readonly end: number;
	/** What it costs, for {@link Delimiters.budget}. */
	readonly cost: number;
}

/** By its code, whether a character begins one. */
const begins = characterSet("!&()*<[\\]_`~");
const date = /\[\d{4}-\d\d-\d\d(?: \d\d:\d\d)?\](?!\()/y;
const autolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20<>]*>/y;
const punctuation = /[!-/:-@[-`{-~]/;

/** Follows the delimiters of a paragraph's text from left to right, to tell where nothing is open. A guess, not a parse. */
export class Delimiters {
	/** What the delimiters of a piece may cost together, so that none takes long. */
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

	/** Whether all that was opened is closed. */
	get isQuiet(): boolean {
		return this.#stars === 0 && this.#brackets === 0 && !this.#isStruck && !this.#isInTarget;
	}

	/** Forgets what is open. */
	reset(): void {
		this.#stars = 0;
		this.#brackets = 0;
		this.#isStruck = false;
		this.#isInTarget = false;
	}

	/** Where the next delimiter begins, from one offset on and before another; the second if none does. */
	next(from: number, before: number): number {
		return firstOf(begins, this.#text, from, before);
	}

	/** The delimiter that begins at an offset, which comes after those read before. */
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

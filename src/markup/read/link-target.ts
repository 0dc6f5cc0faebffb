import { finished } from "../../pace.js";
import { unescaped } from "../html/character-reference.js";

/** The part of a link after its label: `(url)`, or `(url "title")`. */
export interface LinkTarget {
	/** The offset of its end. */
	readonly end: number;
	readonly url: string;
	/** Empty if there is none. */
	readonly title: string;
}

/** A part of a target, and the offset of its end. */
interface Part {
	readonly value: string;
	readonly end: number;
}

/** The maximum number of nested parentheses in a URL without angle brackets. */
const deepest = 32;

/** The characters that need a closer look in each kind of part. */
const stops = { url: /[\0-\x20\x7f()\\]/g, "<": /[<>\\]/g, '"': /["\\]/g, "'": /['\\]/g, "(": /[)\\]/g };

/** Reads the link targets of a text, as CommonMark defines them. */
export class LinkTargetReader {
	readonly #text: string;
	/** The last range without such a character, for each kind of part, so that no range is searched twice. */
	readonly #clear = new Map<keyof typeof stops, { readonly from: number; readonly to: number }>();

	constructor(text: string) {
		this.#text = text;
	}

	/** Returns the target that begins at an offset; undefined if none does. */
	at(start: number): LinkTarget | undefined {
		if (this.#text[start] !== "(") return undefined;
		let at = this.#afterBlanks(start + 1);
		let url = "";
		let title = "";
		if (this.#text[at] !== ")") {
			const found = this.#text[at] === "<" ? this.#quoted("<", at, ">") : this.#url(at);
			if (found === undefined) return undefined;
			url = found.value;
			at = this.#afterBlanks(found.end);
			if (at > found.end) {
				const quote = this.#text[at];
				if (quote === '"' || quote === "'" || quote === "(") {
					const quoted = this.#quoted(quote, at, quote === "(" ? ")" : quote);
					if (quoted === undefined) return undefined;
					title = quoted.value;
					at = this.#afterBlanks(quoted.end);
				}
			}
		}
		return this.#text[at] === ")" ? { end: at + 1, url: meaning(url), title: meaning(title) } : undefined;
	}

	#url(start: number): Part | undefined {
		let open = 0;
		for (let at = this.#next("url", start); ; at = this.#next("url", at)) {
			const character = this.#text[at];
			if (character === "\\") at += "()\\".includes(this.#text.charAt(at + 1) || " ") ? 2 : 1;
			else if (character === "(" && open < deepest) {
				open += 1;
				at += 1;
			} else if (character === ")" && open > 0) {
				open -= 1;
				at += 1;
			} else {
				const isEnd = open === 0 && at > start && (character === ")" || character === " " || character === "\t");
				return isEnd ? { value: this.#text.slice(start, at), end: at } : undefined;
			}
		}
	}

	#quoted(quote: Exclude<keyof typeof stops, "url">, start: number, closing: string): Part | undefined {
		for (let at = this.#next(quote, start + 1); at < this.#text.length; at = this.#next(quote, at)) {
			const character = this.#text[at];
			if (character === closing) return { value: this.#text.slice(start + 1, at), end: at + 1 };
			if (character !== "\\") return undefined;
			const next = this.#text[at + 1];
			at += next === closing || next === "\\" || (quote === "<" && next === "<") ? 2 : 1;
		}
		return undefined;
	}

	#afterBlanks(start: number): number {
		let at = start;
		while (this.#text[at] === " " || this.#text[at] === "\t") at++;
		return at;
	}

	/** Returns the offset of the next character that needs a closer look, or the end of the text. */
	#next(part: keyof typeof stops, from: number): number {
		const clear = this.#clear.get(part);
		if (clear !== undefined && clear.from <= from && from <= clear.to) return clear.to;
		const stop = stops[part];
		stop.lastIndex = from;
		const to = stop.exec(this.#text)?.index ?? this.#text.length;
		this.#clear.set(part, { from, to });
		return to;
	}
}

function meaning(source: string): string {
	return source.includes("\\") || source.includes("&") ? finished(unescaped(source)) : source;
}

import type { OutlineNode } from "../../node.js";
import type { Steps } from "../../pace.js";
import { foldedInPieces } from "./fold.js";
import { FoldedText } from "./folded-text.js";
import { isMeant } from "./matcher.js";
import { isText, nameText } from "./name-text.js";
import type { HitRanges, TextRange } from "./options.js";
import type { Condition, Query } from "./query.js";
import { fallbacksOf, type WordSequence } from "./sequence-search.js";
import { eachTag, eachWordAt } from "./tokens.js";

type Texts = Pick<OutlineNode, "name" | "note" | "layoutMode">;
type TagCondition = Condition & { readonly type: "tag" };

/** The maximum number of ranges of a term in a text. */
const mostRanges = 1000;

/**
 * Returns the words, phrases and tags of a query in the texts of a node. A word that is the beginning of a longer
 * one is a range of its own letters. Linear in the length of the texts, for each term.
 */
export function* rangesOf(query: Query, { name, note, layoutMode }: Texts): Steps<HitRanges> {
	const conditions = query.groups.flat().filter(({ negated }) => !negated);
	const sequences = conditions.filter((condition) => condition.type === "words");
	const tags = conditions.filter((condition) => condition.type === "tag");
	const rangesIn = function* (text: string, prose: string): Steps<TextRange[]> {
		return united([...(yield* wordRanges(text, sequences)), ...(yield* tagRanges(prose, tags))]);
	};
	const isNamed = query.scope === "text";
	const { text, prose } = isText(name) || !isNamed ? { text: name, prose: name } : yield* nameText(name);
	return {
		name: isNamed ? yield* rangesIn(text, layoutMode === "code-block" ? "" : prose) : [],
		note: note === null ? [] : yield* rangesIn(note, note),
	};
}

function* wordRanges(text: string, sequences: readonly WordSequence[]): Steps<TextRange[]> {
	if (sequences.length === 0) return [];
	const found: TextRange[] = [];
	const folded = yield* FoldedText.of(text);
	const matchers = sequences.map((sequence) => new SequenceMatcher(sequence));
	yield* eachWordAt(folded.folded, (word, at) => {
		for (const matcher of matchers) {
			const range = matcher.next(word, at);
			if (range !== undefined) found.push({ start: folded.start(range.start), end: folded.end(range.end) });
		}
	});
	return found;
}

/** Finds a sequence of words in a text, word by word (Knuth-Morris-Pratt). */
class SequenceMatcher {
	readonly #before: readonly string[];
	readonly #last: string;
	readonly #lastIsPrefix: boolean;
	readonly #fallbacks: readonly number[];
	/** The number of words before the last one that match directly before the next word. */
	#matched = 0;
	/** The offsets of the last words, as many as the sequence has. */
	readonly #offsets: number[] = [];
	#found = 0;

	constructor({ words, lastIsPrefix }: WordSequence) {
		this.#before = words.slice(0, -1);
		this.#last = words.at(-1)!;
		this.#lastIsPrefix = lastIsPrefix;
		this.#fallbacks = fallbacksOf(this.#before);
	}

	/** Returns the match that ends with the next word, if it isn't one too many. */
	next(word: string, at: number): TextRange | undefined {
		const before = this.#before;
		const { length } = before;
		let range: TextRange | undefined;
		this.#offsets.push(at);
		if (this.#offsets.length > length + 1) this.#offsets.shift();
		if (this.#matched === length) {
			const isFound = this.#lastIsPrefix ? word.startsWith(this.#last) : word === this.#last;
			if (isFound && ++this.#found <= mostRanges) range = { start: this.#offsets[0]!, end: at + this.#last.length };
			this.#matched = this.#fallbacks[length]!;
		}
		while (this.#matched > 0 && before[this.#matched] !== word) this.#matched = this.#fallbacks[this.#matched]!;
		if (before[this.#matched] === word) this.#matched += 1;
		return range;
	}
}

function* tagRanges(text: string, tags: readonly TagCondition[]): Steps<TextRange[]> {
	const found: TextRange[] = [];
	if (tags.length === 0) return found;
	const written: { readonly tag: string; readonly start: number }[] = [];
	yield* eachTag(text, (tag, start) => written.push({ tag, start }));
	for (const { tag, start } of written) {
		if (found.length === mostRanges) break;
		const folded = yield* foldedInPieces(tag);
		if (tags.some((condition) => isMeant(condition, folded))) found.push({ start, end: start + tag.length });
		yield;
	}
	return found;
}

/** Joins ranges that overlap or touch. */
function united(ranges: readonly TextRange[]): TextRange[] {
	const joined: TextRange[] = [];
	for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
		const last = joined.at(-1);
		if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
		else joined.push({ start, end });
	}
	return joined;
}

import type { Steps } from "../../pace.js";
import type { Integers } from "./integers.js";
import type { Texts } from "./texts.js";
import type { Vocabulary, WordNumbers } from "./vocabulary.js";

/** Words that follow one another in the name or in the note. */
export interface WordSequence {
	/** At least one word, folded. */
	readonly words: readonly string[];
	/** Whether the last word may be the start of a longer word. */
	readonly lastIsPrefix: boolean;
}

/** The strength of a match. Whole words are stronger than word starts, and names than notes. */
const strength = { none: 0, prefixInNote: 1, prefixInName: 2, exactInNote: 3, exactInName: 4 };

/** Receives a slot that has the words, and the strength. May get a slot repeatedly, and dead slots too. */
type Visit = (slot: number, strength: number) => void;

/** The number of words examined in a step. */
const stride = 4096;

/** A search for words that follow one another. */
export class SequenceSearch {
	readonly #texts: Texts;
	readonly #vocabulary: Vocabulary;
	readonly #sequence: WordSequence;
	readonly #inNote: boolean;
	/** The words before the last one. */
	readonly #before: readonly number[];
	/** The last word, if the vocabulary has it, and all words that match it. */
	readonly #exact: number | undefined;
	readonly #lasts: WordNumbers;
	/** The index of the rarest word before the last one, and the number of its occurrences. */
	readonly #rarest: number;
	readonly #rarestCount: number;
	/** By matched words: how many still match after a mismatch (Knuth-Morris-Pratt). */
	readonly #fallbacks: readonly number[];

	/** @param inNote - whether to search the notes only */
	constructor(texts: Texts, vocabulary: Vocabulary, sequence: WordSequence, inNote: boolean) {
		this.#texts = texts;
		this.#vocabulary = vocabulary;
		this.#sequence = sequence;
		this.#inNote = inNote;
		const numbers = sequence.words.map((word) => vocabulary.find(word));
		const before = numbers.slice(0, -1).filter((number) => number !== undefined);
		this.#before = before;
		this.#exact = numbers.at(-1);
		if (before.length < numbers.length - 1) this.#lasts = [];
		else if (sequence.lastIsPrefix) this.#lasts = vocabulary.startingWith(sequence.words.at(-1)!);
		else this.#lasts = this.#exact === undefined ? [] : [this.#exact];
		const counts = before.map((number) => texts.occurrenceCount.values[number]!);
		this.#rarestCount = Math.min(...counts);
		this.#rarest = counts.indexOf(this.#rarestCount);
		this.#fallbacks = fallbacksOf(before);
	}

	/** A lower bound of {@link SequenceSearch.cost}, available without work. */
	get floor(): number {
		return Math.min(this.#rarestCount, this.#lasts.length);
	}

	/**
	 * Returns the number of occurrences that {@link SequenceSearch.everywhere} examines. If it exceeds the
	 * limit, the result may be any number above the limit.
	 */
	*cost(limit: number): Steps<number> {
		const enough = Math.min(limit, this.#rarestCount);
		let cost = 0;
		let steps = 0;
		for (const word of this.#lasts) {
			cost += this.#texts.occurrenceCount.values[word]!;
			if (cost > enough) break;
			if (++steps % stride === 0) yield;
		}
		return Math.min(cost, this.#rarestCount);
	}

	/** Finds all slots that have the words. */
	*everywhere(visit: Visit): Steps<void> {
		const { slotAt, nameStart, noteStart, lastOccurrence, previousOccurrence } = this.#texts;
		const byLast = (yield* this.cost(this.#rarestCount)) < this.#rarestCount;
		const anchors = byLast ? this.#lasts : [this.#before[this.#rarest]!];
		const offset = byLast ? this.#before.length : this.#rarest;
		let steps = 0;
		for (const anchor of anchors) {
			// The range to scan. Ranges around occurrences close to each other are merged.
			let from = 0;
			let to = 0;
			const isExact = anchor === this.#exact;
			for (let at = lastOccurrence.values[anchor]!; at !== -1; at = previousOccurrence.values[at]!) {
				if (++steps % stride === 0) yield;
				const slot = slotAt.values[at]!;
				const isNote = at >= noteStart.values[slot]!;
				if (this.#inNote && !isNote) continue;
				if (this.#before.length === 0) {
					visit(slot, strengthOf(isExact, isNote));
					continue;
				}
				const start = at - offset;
				const end = start + this.#before.length + 1;
				if (start < (isNote ? noteStart : nameStart).values[slot]!) continue;
				if (end > (isNote ? this.#texts.noteEnd(slot) : noteStart.values[slot]!)) continue;
				if (end <= from || from === to) {
					yield* this.#scan(from, to, visit);
					to = end;
				}
				from = start;
			}
			yield* this.#scan(from, to, visit);
		}
	}

	/** Finds the slots in a list that have the words. */
	*among(slots: Integers, visit: Visit): Steps<void> {
		const { nameStart, noteStart } = this.#texts;
		if (this.#lasts.length === 0) return;
		for (let index = 0; index < slots.length; index++) {
			if (index % 256 === 255) yield;
			const slot = slots.values[index]!;
			const name = nameStart.values[slot]!;
			const note = noteStart.values[slot]!;
			if (!this.#inNote) yield* this.#scan(name, note, visit);
			yield* this.#scan(note, this.#texts.noteEnd(slot), visit);
		}
	}

	/** Returns the score of a match in a slot. Short texts score a little higher. */
	score(slot: number, strengthThere: number): number {
		if (strengthThere === strength.none) return 0;
		const isNote = strengthThere === strength.exactInNote || strengthThere === strength.prefixInNote;
		const noteStart = this.#texts.noteStart.values[slot]!;
		const textLength = isNote ? this.#texts.noteEnd(slot) - noteStart : noteStart - this.#texts.nameStart.values[slot]!;
		return strengthThere + this.#sequence.words.length / (1 + textLength);
	}

	/** Scans part of a text for the words. Returns the remaining steps: none for a short part. */
	#scan(from: number, to: number, visit: Visit): Iterable<undefined> {
		if (to - from > stride) return this.#scanInSlices(from, to, visit);
		if (to - from > this.#before.length) this.#scanOn(from, to, 0, visit);
		return [];
	}

	*#scanInSlices(from: number, to: number, visit: Visit): Steps<void> {
		let matched = 0;
		for (let at = from; at < to && matched !== -1; at += stride) {
			matched = this.#scanOn(at, Math.min(at + stride, to), matched, visit);
			yield;
		}
	}

	/**
	 * Scans the next part of a text. Linear in its length, even if the words repeat.
	 *
	 * @param matched - the number of words that match directly before the part
	 * @returns the number of words that match at its end; -1 if no better match is possible in the text
	 */
	#scanOn(from: number, to: number, matched: number, visit: Visit): number {
		const wordAt = this.#texts.wordAt.values;
		const before = this.#before;
		const slot = this.#texts.slotAt.values[from]!;
		const isNote = from >= this.#texts.noteStart.values[slot]!;
		let count = matched;
		for (let at = from; at < to; at++) {
			const word = wordAt[at]!;
			if (count === before.length) {
				const found = this.#strengthOf(word, isNote);
				if (found !== strength.none) visit(slot, found);
				if (word === this.#exact) return -1;
				if (count === 0) continue;
				count = this.#fallbacks[count]!;
			}
			while (count > 0 && before[count] !== word) count = this.#fallbacks[count]!;
			if (before[count] === word) count += 1;
		}
		return count;
	}

	/** Returns the strength with which a word matches the last one. */
	#strengthOf(word: number, isNote: boolean): number {
		if (word === this.#exact) return strengthOf(true, isNote);
		const { words, lastIsPrefix } = this.#sequence;
		const isLonger = lastIsPrefix && this.#vocabulary.word(word).startsWith(words.at(-1)!);
		return isLonger ? strengthOf(false, isNote) : strength.none;
	}
}

function strengthOf(isExact: boolean, isNote: boolean): number {
	if (isExact) return isNote ? strength.exactInNote : strength.exactInName;
	return isNote ? strength.prefixInNote : strength.prefixInName;
}

/** Returns, by the number of matched words, the number that still match after a mismatch. */
export function fallbacksOf(words: readonly (number | string)[]): number[] {
	const fallbacks = [0, 0];
	let matched = 0;
	for (let count = 1; count < words.length; count++) {
		while (matched > 0 && words[matched] !== words[count]) matched = fallbacks[matched]!;
		if (words[matched] === words[count]) matched += 1;
		fallbacks.push(matched);
	}
	return fallbacks;
}

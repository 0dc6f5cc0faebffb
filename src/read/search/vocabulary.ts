import { type Steps, sorted } from "../../pace.js";
import { hashOf, SplitMap } from "./split-map.js";

/** The maximum number of unsorted words, which each search examines one by one. */
const freshLimit = 1000;

/** The numbers of some words, in any order, each once. */
export interface WordNumbers extends Iterable<number> {
	readonly length: number;
}

/** The words of an index. Each has a number, counted from 0 in the order of adding. */
export class Vocabulary {
	readonly #numbers = new SplitMap<string, number>(hashOf);
	readonly #words: string[] = [];
	/** The numbers of the words that were added first, sorted by these words in UTF-16 order. */
	#sorted = new Int32Array();

	/** The number of words. */
	get length(): number {
		return this.#words.length;
	}

	/** Returns the number of a word; undefined if the word isn't in the vocabulary. */
	find(word: string): number | undefined {
		return this.#numbers.get(word);
	}

	/** Returns the number of a word, and adds the word if necessary. */
	add(word: string): number {
		const known = this.#numbers.get(word);
		if (known !== undefined) return known;
		// Copies the word, because a word cut out of a text would keep the whole text in memory.
		const copy = JSON.parse(JSON.stringify(word)) as string;
		const number = this.#words.push(copy) - 1;
		this.#numbers.set(copy, number);
		return number;
	}

	/** Returns the word with a number. */
	word(number: number): string {
		return this.#words[number]!;
	}

	/** Returns the numbers of the words that begin with a text. The result is valid until a word is added. */
	startingWith(prefix: string): WordNumbers {
		const words = this.#words;
		const from = this.#firstSorted(0, (word) => word >= prefix);
		const end = this.#firstSorted(from, (word) => !word.startsWith(prefix));
		const numbers = this.#sorted.subarray(from, end);
		const fresh: number[] = [];
		for (let number = this.#sorted.length; number < words.length; number++) {
			if (words[number]!.startsWith(prefix)) fresh.push(number);
		}
		if (fresh.length === 0) return numbers;
		return {
			length: numbers.length + fresh.length,
			*[Symbol.iterator]() {
				yield* numbers;
				yield* fresh;
			},
		};
	}

	/** Sorts the words added after the last call, if many. Without it, a search examines each of them. */
	*prepare(): Steps<void> {
		const known = this.#sorted;
		const count = this.#words.length - known.length;
		if (count <= freshLimit) return;
		const byWord = (left: number, right: number) => (this.#words[left]! < this.#words[right]! ? -1 : 1);
		const numbers = Array.from({ length: count }, (_, index) => known.length + index);
		const fresh = yield* sorted(numbers, byWord);
		const merged = new Int32Array(this.#words.length);
		let copied = 0;
		for (const [index, number] of fresh.entries()) {
			const word = this.#words[number]!;
			const at = this.#firstSorted(copied, (other) => other > word);
			merged.set(known.subarray(copied, at), copied + index);
			merged[at + index] = number;
			copied = at;
			if (index % 256 === 0) yield;
		}
		merged.set(known.subarray(copied), copied + count);
		this.#sorted = merged;
	}

	/**
	 * Returns a vocabulary of some of the words, in the same order.
	 *
	 * @param numbers - by word: 1 to keep it, or 0. Each is replaced by the new number of the word, or by -1.
	 */
	*reduced(numbers: Int32Array): Steps<Vocabulary> {
		const reduced = new Vocabulary();
		for (let number = 0; number < numbers.length; number++) {
			if (numbers[number] === 1) numbers[number] = reduced.add(this.#words[number]!);
			else numbers[number] = -1;
			if (number % 1024 === 0) yield;
		}
		reduced.#sorted = this.#sorted.map((number) => numbers[number]!).filter((number) => number !== -1);
		return reduced;
	}

	/**
	 * Returns the first index, from this one on, whose word meets a condition. All words after it must
	 * meet the condition too. Fast if the index is near.
	 */
	#firstSorted(from: number, isOfKind: (word: string) => boolean): number {
		const is = (index: number) => isOfKind(this.#words[this.#sorted[index]!]!);
		let low = from;
		let high = from;
		for (let step = 1; high < this.#sorted.length && !is(high); step *= 2) {
			low = high + 1;
			high += step;
		}
		high = Math.min(high, this.#sorted.length);
		while (low < high) {
			const middle = (low + high) >> 1;
			if (is(middle)) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}

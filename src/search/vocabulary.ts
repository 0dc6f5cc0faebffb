/** So many words are looked through one by one before they are sorted in among the others. */
const freshLimit = 1000;

/** The words of an index, each with a number: 0, 1, 2 and so on in the order of their arrival. */
export class Vocabulary {
	readonly #numbers = new Map<string, number>();
	readonly #words: string[] = [];
	/** The first so many of the words, by UTF-16 units. */
	#sorted: string[] = [];

	/** The number of a word; undefined if it isn't there. */
	find(word: string): number | undefined {
		return this.#numbers.get(word);
	}

	/** The number of a word, which is added if need be. */
	add(word: string): number {
		const known = this.#numbers.get(word);
		if (known !== undefined) return known;
		// A copy, for a word that is cut out of a text would keep all of the text in memory.
		const copy = Array.from(word).join("");
		const number = this.#words.push(copy) - 1;
		this.#numbers.set(copy, number);
		return number;
	}

	/** The word with a number. */
	word(number: number): string {
		return this.#words[number]!;
	}

	/** The numbers of the words that begin with a text, in any order. */
	startingWith(prefix: string): number[] {
		if (this.#words.length - this.#sorted.length > freshLimit) this.#sorted = [...this.#words].sort();
		const found: number[] = [];
		for (let at = this.#firstFrom(prefix); at < this.#sorted.length; at++) {
			const word = this.#sorted[at]!;
			if (!word.startsWith(prefix)) break;
			found.push(this.#numbers.get(word)!);
		}
		for (let number = this.#sorted.length; number < this.#words.length; number++) {
			if (this.#words[number]!.startsWith(prefix)) found.push(number);
		}
		return found;
	}

	/** Where the first sorted word stands that doesn't come before a text. */
	#firstFrom(text: string): number {
		let low = 0;
		let high = this.#sorted.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.#sorted[middle]! < text) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

import { isId } from "../id.js";

/** The two hex digits of each byte. */
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The number of ids that fit at first. */
const firstRoom = 1024;

/**
 * Numbers ids from 0. An id takes 24 bytes, a tenth of a text in a map, so that outlines of millions of nodes
 * fit. A text that is no valid id gets a number too, and takes the memory of a text.
 */
export class IdNumbers {
	/** The 32 hex digits of each valid id, 8 in each word. */
	#words = new Uint32Array(4 * firstRoom);
	/** A hash table of the numbers, plus one, with open addressing. At least half of it is empty. */
	#slots = new Int32Array(2 * firstRoom);
	readonly #others = new Map<string, number>();
	readonly #otherIds = new Map<number, string>();
	/** The digits of the id that `find` read last. */
	readonly #read = new Uint32Array(4);
	#length = 0;

	/** The number of ids. */
	get length(): number {
		return this.#length;
	}

	/** The number of an id, a new one if it has none yet. */
	numberOf(id: string): number {
		const found = this.find(id);
		if (found >= 0) return found;
		if (4 * this.#length === this.#words.length) this.#grow();
		const number = this.#length++;
		if (isRightId(id)) {
			this.#words.set(this.#read, 4 * number);
			this.#slots[this.#indexOf(this.#read, 0)] = number + 1;
		} else {
			this.#others.set(id, number);
			this.#otherIds.set(number, id);
		}
		return number;
	}

	/** The number of an id; -1 if it has none. */
	find(id: string): number {
		if (!isRightId(id)) return this.#others.get(id) ?? -1;
		for (let word = 0; word < 4; word++) this.#read[word] = Number.parseInt(wordOf(id, word), 16);
		return this.#slots[this.#indexOf(this.#read, 0)]! - 1;
	}

	/** The id with a number. */
	idOf(number: number): string {
		const other = this.#otherIds.get(number);
		if (other !== undefined) return other;
		const at = 4 * number;
		const [first, second] = [this.#words[at]!, this.#words[at + 1]!];
		const [third, fourth] = [this.#words[at + 2]!, this.#words[at + 3]!];
		const middle = `${digits(second >>> 16)}-${digits(second)}-${digits(third >>> 16)}`;
		return `${digits(first >>> 16)}${digits(first)}-${middle}-${digits(third)}${digits(fourth >>> 16)}${digits(fourth)}`;
	}

	/** Whether the id with a number is valid. */
	isRight(number: number): boolean {
		return !this.#otherIds.has(number);
	}

	/** The short id of a number as an integer; NaN if the id isn't valid. */
	shortIdOf(number: number): number {
		if (!this.isRight(number)) return Number.NaN;
		return (this.#words[4 * number + 2]! & 0xffff) * 2 ** 32 + this.#words[4 * number + 3]!;
	}

	/** The index in the hash table of the id whose digits begin at `at`, or the free index for it. */
	#indexOf(words: Uint32Array, at: number): number {
		const mask = this.#slots.length - 1;
		let hash = 0;
		for (let word = 0; word < 4; word++) {
			hash = Math.imul(hash ^ words[at + word]!, 0x9e3779b1);
			hash ^= hash >>> 15;
		}
		for (let index = hash & mask; ; index = (index + 1) & mask) {
			const number = this.#slots[index]! - 1;
			if (number < 0 || this.#has(number, words, at)) return index;
		}
	}

	#has(number: number, words: Uint32Array, at: number): boolean {
		for (let word = 0; word < 4; word++) {
			if (this.#words[4 * number + word] !== words[at + word]) return false;
		}
		return true;
	}

	#grow(): void {
		const words = new Uint32Array(2 * this.#words.length);
		words.set(this.#words);
		this.#words = words;
		this.#slots = new Int32Array(2 * this.#slots.length);
		for (let number = 0; number < this.#length; number++) {
			if (this.isRight(number)) this.#slots[this.#indexOf(words, 4 * number)] = number + 1;
		}
	}
}

/** Whether a value is a full id as stored: UUID-style, in lower case. */
export function isRightId(id: unknown): id is string {
	return typeof id === "string" && isId(id) && id === id.toLowerCase();
}

/** The last four digits of a word. */
function digits(word: number): string {
	return bytes[(word >>> 8) & 0xff]! + bytes[word & 0xff]!;
}

/** The hex digits of a word of an id: the first 8, the next 8, and so on. */
function wordOf(id: string, word: number): string {
	switch (word) {
		case 0:
			return id.slice(0, 8);
		case 1:
			return id.slice(9, 13) + id.slice(14, 18);
		case 2:
			return id.slice(19, 23) + id.slice(24, 28);
		default:
			return id.slice(28);
	}
}

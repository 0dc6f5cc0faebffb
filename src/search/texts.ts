import { Integers } from "./integers.js";

/**
 * The words of names and notes, by their numbers in a vocabulary.
 *
 * All texts stand one after the other in one array of word numbers. Each occurrence of a word knows the one before it in that
 * array; so one walk gives all slots with a word, from the last to the first, and one look around shows what stands beside
 * it. Texts are only ever appended.
 */
export class Texts {
	/** By word: its last occurrence, and the number of its occurrences. */
	readonly lastOccurrence = new Integers();
	readonly occurrenceCount = new Integers();
	/** By occurrence: its word, its slot, and the occurrence of the same word before it, or -1. */
	readonly wordAt = new Integers();
	readonly slotAt = new Integers();
	readonly previousOccurrence = new Integers();
	/** By slot: where the name begins, and where the note does. The latter ends where the next name begins. */
	readonly nameStart = new Integers();
	readonly noteStart = new Integers();
	/** By slot: the number of characters that the words were read from. */
	readonly characters = new Integers();

	/** The number of slots. */
	get slots(): number {
		return this.nameStart.length;
	}

	/** Begins the next slot, for words that are then appended. */
	open(nameLength: number, characters: number): void {
		this.nameStart.push(this.wordAt.length);
		this.noteStart.push(this.wordAt.length + nameLength);
		this.characters.push(characters);
	}

	/** Appends a word to the slot that was begun last. */
	append(word: number): void {
		while (word >= this.lastOccurrence.length) {
			this.lastOccurrence.push(-1);
			this.occurrenceCount.push(0);
		}
		this.previousOccurrence.push(this.lastOccurrence.values[word]!);
		this.lastOccurrence.values[word] = this.wordAt.length;
		this.occurrenceCount.values[word]! += 1;
		this.wordAt.push(word);
		this.slotAt.push(this.slots - 1);
	}

	/** Where the note of a slot ends. */
	noteEnd(slot: number): number {
		return slot + 1 < this.slots ? this.nameStart.values[slot + 1]! : this.wordAt.length;
	}

	/** The number of words of a slot. */
	length(slot: number): number {
		return this.noteEnd(slot) - this.nameStart.values[slot]!;
	}
}

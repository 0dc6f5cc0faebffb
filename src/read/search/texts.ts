import { Integers } from "./integers.js";

/**
 * The words of names and notes, by their numbers in a vocabulary.
 *
 * One array of word numbers holds all texts, one after the other. Each occurrence of a word links to the
 * previous one. So a search walks over all occurrences of a word from the last to the first, and compares the
 * words next to each. Texts are only appended.
 */
export class Texts {
	/** By word: its last occurrence, and the number of its occurrences. */
	readonly lastOccurrence = new Integers();
	readonly occurrenceCount = new Integers();
	/** By occurrence: its word, its slot, and the previous occurrence of the same word, or -1. */
	readonly wordAt = new Integers();
	readonly slotAt = new Integers();
	readonly previousOccurrence = new Integers();
	/** By slot: the start of the name, and of the note. The note ends where the next name starts. */
	readonly nameStart = new Integers();
	readonly noteStart = new Integers();
	/** By slot: the number of characters from which the words were read. */
	readonly characters = new Integers();

	/** The number of slots. */
	get slots(): number {
		return this.nameStart.length;
	}

	/** Begins the next slot. Its words are appended afterwards. */
	open(nameLength: number, characters: number): void {
		this.nameStart.push(this.wordAt.length);
		this.noteStart.push(this.wordAt.length + nameLength);
		this.characters.push(characters);
	}

	/** Appends a word to the last slot. */
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

	/** Returns the end of a slot's note. */
	noteEnd(slot: number): number {
		return slot + 1 < this.slots ? this.nameStart.values[slot + 1]! : this.wordAt.length;
	}

	/** Returns the number of words of a slot. */
	length(slot: number): number {
		return this.noteEnd(slot) - this.nameStart.values[slot]!;
	}
}

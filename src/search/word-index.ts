import type { Steps } from "../pace.js";
import { Integers } from "./integers.js";
import { atOnce } from "./rest.js";
import { SequenceSearch, type WordSequence } from "./sequence-search.js";
import { Texts } from "./texts.js";
import { eachWord } from "./tokens.js";
import { Vocabulary } from "./vocabulary.js";

/** What has words in an index. */
export interface Indexed {
	/** Its place in the arrays of the index, which keeps it up to date; -1 while it isn't in the index. */
	slot: number;
}

/** Fewer dead words and slots than this aren't worth a compaction. */
const compactionFloor = 1024;

/** Room for more words than this isn't kept. */
const usualLength = 4096;

/**
 * The words of names and notes with their places, searched by words and sequences of words.
 *
 * Texts that were replaced stay, dead, until they are more than the living; then the index is written again.
 */
export class WordIndex<Node extends Indexed> {
	#vocabulary = new Vocabulary();
	#texts = new Texts();
	/** By slot: the node, or undefined where a text is dead. */
	#nodes: (Node | undefined)[] = [];
	#dead = 0;
	/** Room for the words that are read at present. */
	#read = new Integers();
	readonly #add = (word: string): void => this.#read.push(this.#vocabulary.add(word));

	/** The number of slots. */
	get slots(): number {
		return this.#nodes.length;
	}

	/** The node at a slot; undefined if its text is dead. */
	node(slot: number): Node | undefined {
		return this.#nodes[slot];
	}

	/** The number of words at a slot. */
	length(slot: number): number {
		return this.#texts.length(slot);
	}

	/** The number of characters that the words at a slot were read from. */
	characters(slot: number): number {
		return this.#texts.characters.values[slot]!;
	}

	/** Makes the words of these texts those of a node, which takes a new slot, unless they are its words already. */
	*put(node: Node, name: string, note: string): Steps<void> {
		const words = this.#read;
		words.length = 0;
		yield* eachWord(name, this.#add);
		const nameLength = words.length;
		yield* eachWord(note, this.#add);
		const characters = name.length + note.length;
		if (words.length > usualLength) this.#read = new Integers();
		if (node.slot !== -1 && this.#has(node.slot, nameLength, words)) {
			this.#texts.characters.values[node.slot] = characters;
			return;
		}
		this.#bury(node);
		node.slot = this.#nodes.push(node) - 1;
		this.#texts.open(nameLength, characters);
		for (let place = 0; place < words.length; place++) {
			this.#texts.append(words.values[place]!);
			if (place % 4096 === 4095) yield;
		}
		yield* this.#compactIfDue();
	}

	/** Takes a node out, if it is there: at once, or with the steps that it returns. */
	remove(node: Node): Iterable<undefined> {
		this.#bury(node);
		return this.#compactIfDue();
	}

	/** Prepares for searches, which take longer without it. To be called after many changes. */
	settle(): Steps<void> {
		return this.#vocabulary.settle();
	}

	/** A search for words, which holds until the next change. */
	search(sequence: WordSequence, inNote: boolean): SequenceSearch {
		return new SequenceSearch(this.#texts, this.#vocabulary, sequence, inNote);
	}

	#has(slot: number, nameLength: number, words: Integers): boolean {
		const { nameStart, noteStart, wordAt } = this.#texts;
		const start = nameStart.values[slot]!;
		if (noteStart.values[slot]! - start !== nameLength || this.#texts.length(slot) !== words.length) return false;
		for (let place = 0; place < words.length; place++) {
			if (wordAt.values[start + place] !== words.values[place]) return false;
		}
		return true;
	}

	#bury(node: Node): void {
		if (node.slot === -1) return;
		this.#nodes[node.slot] = undefined;
		this.#dead += 1 + this.#texts.length(node.slot);
		node.slot = -1;
	}

	/** Writes the index again without the dead, if they are more than the living. */
	#compactIfDue(): Iterable<undefined> {
		const total = this.#nodes.length + this.#texts.wordAt.length;
		return this.#dead > compactionFloor && 2 * this.#dead > total ? this.#compact() : atOnce;
	}

	*#compact(): Steps<void> {
		const { nameStart, noteStart, characters } = this.#texts;
		const numbers = new Int32Array(this.#vocabulary.length);
		yield* this.#eachLiving(
			() => {},
			(word) => {
				numbers[word] = 1;
			},
		);
		const vocabulary = yield* this.#vocabulary.reduced(numbers);
		const texts = new Texts();
		const nodes: Node[] = [];
		yield* this.#eachLiving(
			(node, slot) => {
				texts.open(noteStart.values[slot]! - nameStart.values[slot]!, characters.values[slot]!);
				node.slot = nodes.push(node) - 1;
			},
			(word) => texts.append(numbers[word]!),
		);
		this.#vocabulary = vocabulary;
		this.#texts = texts;
		this.#nodes = nodes;
		this.#dead = 0;
	}

	/** Calls back for each node, and then for each of its words. */
	*#eachLiving(visit: (node: Node, slot: number) => void, visitWord: (word: number) => void): Steps<void> {
		const { nameStart, wordAt } = this.#texts;
		let steps = 0;
		for (const [slot, node] of this.#nodes.entries()) {
			if (++steps % 4096 === 0) yield;
			if (node === undefined) continue;
			visit(node, slot);
			const end = this.#texts.noteEnd(slot);
			for (let at = nameStart.values[slot]!; at < end; at++) {
				visitWord(wordAt.values[at]!);
				if (++steps % 4096 === 0) yield;
			}
		}
	}
}

import type { Steps } from "../../pace.js";
import { Integers } from "./integers.js";
import { SequenceSearch, type WordSequence } from "./sequence-search.js";
import { Texts } from "./texts.js";
import { eachWord } from "./tokens.js";
import { Vocabulary } from "./vocabulary.js";

/** An item with words in an index. */
export interface Indexed {
	/** Its slot in the arrays of the index, which updates this field; -1 if it isn't in the index. */
	slot: number;
}

/** The minimum number of dead words and slots for a compaction. */
const compactionFloor = 1024;

/** The maximum capacity to keep for the words of the next text. */
const usualLength = 4096;

/**
 * The words of names and notes in their order, searched by words and sequences of words.
 *
 * The words of replaced texts stay as dead words. When the dead words outnumber the live ones, the index is
 * rebuilt.
 */
export class WordIndex<Node extends Indexed> {
	#vocabulary = new Vocabulary();
	#texts = new Texts();
	/** The node of each slot; undefined if the slot is dead. */
	#nodes: (Node | undefined)[] = [];
	#dead = 0;
	/** The words of the text that is being read. */
	#read = new Integers();
	readonly #add = (word: string): void => this.#read.push(this.#vocabulary.add(word));

	/** The number of slots. */
	get slots(): number {
		return this.#nodes.length;
	}

	/** Returns the node of a slot; undefined if the slot is dead. */
	node(slot: number): Node | undefined {
		return this.#nodes[slot];
	}

	/** Returns the number of words of a slot. */
	length(slot: number): number {
		return this.#texts.length(slot);
	}

	/** Returns the number of characters from which the words of a slot were read. */
	characters(slot: number): number {
		return this.#texts.characters.values[slot]!;
	}

	/** Indexes the words of a node's name and note. If its words have changed, it gets a new slot. */
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
		this.#discard(node);
		node.slot = this.#nodes.push(node) - 1;
		this.#texts.open(nameLength, characters);
		for (let index = 0; index < words.length; index++) {
			this.#texts.append(words.values[index]!);
			if (index % 4096 === 4095) yield;
		}
		yield* this.#compactIfDue();
	}

	/** Removes a node, if it is in the index. Returns the remaining steps. */
	remove(node: Node): Iterable<undefined> {
		this.#discard(node);
		return this.#compactIfDue();
	}

	/** Prepares for searches, which are slower without it. To be called after many changes. */
	prepare(): Steps<void> {
		return this.#vocabulary.prepare();
	}

	/** Returns a search for words. It is valid until the next change. */
	search(sequence: WordSequence, inNote: boolean): SequenceSearch {
		return new SequenceSearch(this.#texts, this.#vocabulary, sequence, inNote);
	}

	#has(slot: number, nameLength: number, words: Integers): boolean {
		const { nameStart, noteStart, wordAt } = this.#texts;
		const start = nameStart.values[slot]!;
		if (noteStart.values[slot]! - start !== nameLength || this.#texts.length(slot) !== words.length) return false;
		for (let index = 0; index < words.length; index++) {
			if (wordAt.values[start + index] !== words.values[index]) return false;
		}
		return true;
	}

	#discard(node: Node): void {
		if (node.slot === -1) return;
		this.#nodes[node.slot] = undefined;
		this.#dead += 1 + this.#texts.length(node.slot);
		node.slot = -1;
	}

	/** Rebuilds the index without the dead words, if they outnumber the live ones. */
	#compactIfDue(): Iterable<undefined> {
		const total = this.#nodes.length + this.#texts.wordAt.length;
		return this.#dead > compactionFloor && 2 * this.#dead > total ? this.#compact() : [];
	}

	*#compact(): Steps<void> {
		const { nameStart, noteStart, characters } = this.#texts;
		const numbers = new Int32Array(this.#vocabulary.length);
		yield* this.#eachLive(
			() => {},
			(word) => {
				numbers[word] = 1;
			},
		);
		const vocabulary = yield* this.#vocabulary.reduced(numbers);
		const texts = new Texts();
		const nodes: Node[] = [];
		yield* this.#eachLive(
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

	/** Visits each live node, and then each of its words. */
	*#eachLive(visit: (node: Node, slot: number) => void, visitWord: (word: number) => void): Steps<void> {
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

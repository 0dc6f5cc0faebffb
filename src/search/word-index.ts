import { Integers } from "./integers.js";
import { Vocabulary } from "./vocabulary.js";

/** What has words in an index. */
export interface Indexed {
	/** Its place in the arrays of the index, which keeps it up to date; -1 while it isn't in the index. */
	slot: number;
}

/** Words that follow one another, in the name or in the note. */
export interface WordSequence {
	/** At least one, folded. */
	readonly words: readonly string[];
	/** Whether the last may be the beginning of a longer word. */
	readonly lastIsPrefix: boolean;
}

/** How well a node answers; less than 1 is added for a short text, so that these remain in their order. */
const strength = { exactInName: 4, exactInNote: 3, prefixInName: 2, prefixInNote: 1 };

/** Fewer dead words and slots than this aren't worth a compaction. */
const compactionFloor = 1024;

/**
 * The words of names and notes with their places, searched by words and sequences of words.
 *
 * All texts stand one after the other in one array of word numbers. Each occurrence of a word knows the one before it in that
 * array; so one walk gives all nodes with a word, and one look around shows what stands beside it. Texts are only ever
 * appended. Those that were replaced stay, dead, until they are more than the living; then the index is written anew.
 */
export class WordIndex<Node extends Indexed> {
	#vocabulary = new Vocabulary();
	/** By word: its last occurrence, and how many there are, dead ones among them. */
	#lastOccurrence = new Integers();
	#occurrenceCount = new Integers();
	/** By occurrence: its word, its slot, and the occurrence of the same word before it, or -1. */
	#wordAt = new Integers();
	#slotAt = new Integers();
	#previousOccurrence = new Integers();
	/** By slot: where the name begins, and where the note does. The latter ends where the next name begins. */
	#nameStart = new Integers();
	#noteStart = new Integers();
	/** By slot: the node, or undefined where a text is dead; and 1 or 0 for the same. */
	#nodes: (Node | undefined)[] = [];
	#living = new Integers();
	#dead = 0;

	/** 1 for the slot of each node, 0 for a dead slot. To be changed at will. */
	slots(): Int32Array {
		return this.#living.values.slice(0, this.#living.length);
	}

	/** The node at a slot that isn't dead. */
	node(slot: number): Node {
		return this.#nodes[slot]!;
	}

	/** Makes these the words of a node, which takes a new slot, unless they are its words already. */
	put(node: Node, name: readonly string[], note: readonly string[]): void {
		if (node.slot !== -1 && this.#has(node.slot, name, note)) return;
		this.remove(node);
		this.#open(node, name.length);
		for (const word of name) this.#append(this.#vocabulary.add(word), node.slot);
		for (const word of note) this.#append(this.#vocabulary.add(word), node.slot);
	}

	/** Takes a node out, if it is there. */
	remove(node: Node): void {
		if (node.slot === -1) return;
		this.#nodes[node.slot] = undefined;
		this.#living.values[node.slot] = 0;
		this.#dead += 1 + this.#noteEnd(node.slot) - this.#nameStart.values[node.slot]!;
		node.slot = -1;
		if (this.#dead > compactionFloor && 2 * this.#dead > this.#nodes.length + this.#wordAt.length) this.#compact();
	}

	/**
	 * Scores, by slot, the nodes that hold a sequence of words: above 0, the more the better. A whole word counts more than
	 * the beginning of one, the name more than the note, a short text more than a long one. What dead slots get means nothing.
	 *
	 * @param inNote - whether only notes are looked at
	 * @param scores - as many zeros as there are slots, to be filled
	 */
	score({ words, lastIsPrefix }: WordSequence, inNote: boolean, scores: Float64Array): void {
		const last = words.at(-1)!;
		const exact = this.#vocabulary.find(last);
		const before = words.slice(0, -1).map((word) => this.#vocabulary.find(word));
		if (before.includes(undefined)) return;
		const known = before as readonly number[];
		const length = known.length + 1;
		const wordAt = this.#wordAt.values;
		const slotAt = this.#slotAt.values;
		const nameStarts = this.#nameStart.values;
		const noteStarts = this.#noteStart.values;

		const visit = (at: number): void => {
			const start = at - known.length;
			const slot = slotAt[at]!;
			const noteStart = noteStarts[slot]!;
			const isNote = at >= noteStart;
			if (inNote && !isNote) return;
			const textStart = isNote ? noteStart : nameStarts[slot]!;
			if (start < textStart) return;
			for (let offset = 0; offset < known.length; offset++) {
				if (wordAt[start + offset] !== known[offset]) return;
			}
			const isExact = wordAt[at] === exact;
			const textLength = (isNote ? this.#noteEnd(slot) : noteStart) - textStart;
			const score = strengthOf(isExact, isNote) + length / (1 + textLength);
			if (score > scores[slot]!) scores[slot] = score;
		};

		const rarest = this.#rarest(known);
		if (rarest === undefined) {
			const lasts = lastIsPrefix ? this.#vocabulary.startingWith(last) : exact === undefined ? [] : [exact];
			for (const word of lasts) this.#walk(word, visit);
			return;
		}
		const distance = known.length - known.indexOf(rarest);
		this.#walk(rarest, (occurrence) => {
			const at = occurrence + distance;
			if (at >= this.#noteEnd(slotAt[occurrence]!)) return;
			const word = wordAt[at]!;
			if (word === exact || (lastIsPrefix && this.#vocabulary.word(word).startsWith(last))) visit(at);
		});
	}

	/** Calls `visit` for each occurrence of a word. */
	#walk(word: number, visit: (occurrence: number) => void): void {
		const previous = this.#previousOccurrence.values;
		for (let at = this.#lastOccurrence.values[word]!; at !== -1; at = previous[at]!) visit(at);
	}

	#rarest(words: readonly number[]): number | undefined {
		const count = (word: number) => this.#occurrenceCount.values[word]!;
		return words.reduce<number | undefined>(
			(rarest, word) => (rarest === undefined || count(word) < count(rarest) ? word : rarest),
			undefined,
		);
	}

	/** Gives a node the next slot, for words that are then appended. */
	#open(node: Node, nameLength: number): void {
		node.slot = this.#nodes.push(node) - 1;
		this.#living.push(1);
		this.#nameStart.push(this.#wordAt.length);
		this.#noteStart.push(this.#wordAt.length + nameLength);
	}

	#append(word: number, slot: number): void {
		if (word === this.#lastOccurrence.length) {
			this.#lastOccurrence.push(-1);
			this.#occurrenceCount.push(0);
		}
		this.#previousOccurrence.push(this.#lastOccurrence.values[word]!);
		this.#lastOccurrence.values[word] = this.#wordAt.length;
		this.#occurrenceCount.values[word]! += 1;
		this.#wordAt.push(word);
		this.#slotAt.push(slot);
	}

	#noteEnd(slot: number): number {
		return slot + 1 < this.#nodes.length ? this.#nameStart.values[slot + 1]! : this.#wordAt.length;
	}

	#has(slot: number, name: readonly string[], note: readonly string[]): boolean {
		const start = this.#nameStart.values[slot]!;
		const noteStart = this.#noteStart.values[slot]!;
		if (noteStart - start !== name.length || this.#noteEnd(slot) - noteStart !== note.length) return false;
		const isAt = (place: number) => (word: string, offset: number) =>
			this.#vocabulary.word(this.#wordAt.values[place + offset]!) === word;
		return name.every(isAt(start)) && note.every(isAt(noteStart));
	}

	#compact(): void {
		const compacted = new WordIndex<Node>();
		const renumbered = new Int32Array(this.#lastOccurrence.length).fill(-1);
		for (const [slot, node] of this.#nodes.entries()) {
			if (node === undefined) continue;
			const nameStart = this.#nameStart.values[slot]!;
			const noteEnd = this.#noteEnd(slot);
			compacted.#open(node, this.#noteStart.values[slot]! - nameStart);
			for (let at = nameStart; at < noteEnd; at++) {
				const word = this.#wordAt.values[at]!;
				if (renumbered[word] === -1) renumbered[word] = compacted.#vocabulary.add(this.#vocabulary.word(word));
				compacted.#append(renumbered[word]!, node.slot);
			}
		}
		this.#vocabulary = compacted.#vocabulary;
		this.#lastOccurrence = compacted.#lastOccurrence;
		this.#occurrenceCount = compacted.#occurrenceCount;
		this.#wordAt = compacted.#wordAt;
		this.#slotAt = compacted.#slotAt;
		this.#previousOccurrence = compacted.#previousOccurrence;
		this.#nameStart = compacted.#nameStart;
		this.#noteStart = compacted.#noteStart;
		this.#nodes = compacted.#nodes;
		this.#living = compacted.#living;
		this.#dead = 0;
	}
}

function strengthOf(isExact: boolean, isNote: boolean): number {
	if (isExact) return isNote ? strength.exactInNote : strength.exactInName;
	return isNote ? strength.prefixInNote : strength.prefixInName;
}

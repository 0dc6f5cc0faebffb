import type { NodeRecord } from "../../../src/storage.js";
import { hashed, type PackedBlock } from "../snapshot/packed-block.js";
import { PackedNodes, recordsOf } from "../snapshot/packed-nodes.js";
import { Entry } from "./entry.js";

/** How many characters at the end of an id are its short id, by which nodes are found. */
const shortLength = 12;

/** A slot that nothing has stood in yet, and one that something has been taken out of. The others hold a number and one. */
const free = 0;
const left = -1;

/** What a table holds. */
export interface TableCopy {
	/** By number: null where there is none, undefined for a node that is packed still. */
	readonly entries: readonly (Entry | null | undefined)[];
	readonly packed: PackedNodes;
}

/**
 * The entries of an index by their ids and short ids: one hash table for both, since the short id is the end of the id. It
 * takes a fraction of the memory of two maps, and no text is made to look anything up. Nodes of a snapshot become entries a
 * block at a time, when one of them is looked up.
 */
export class NodeTable {
	/** By number: null where an entry has been taken out, undefined for a node that is packed still. */
	readonly #entries: (Entry | null | undefined)[] = [];
	readonly #packed = new PackedNodes();
	readonly #unpacked: (entry: Entry) => void;
	/** Numbers that may be given again. */
	readonly #spare: number[] = [];
	/** By number: what the short id hashes to, so that most nodes that aren't meant needn't be looked at. */
	#hashes = new Int32Array(16);
	/** Numbers and one, each behind the place that the short id hashes to. At least half of them are free. */
	#slots = new Int32Array(16);
	/** How many slots aren't free. */
	#used = 0;
	/** Nobody can choose ids that all hash to one place. */
	readonly #seed = Math.floor(Math.random() * 2 ** 31);

	/** @param unpacked - hears of each entry that is made of a packed node, before anybody gets it */
	constructor(unpacked: (entry: Entry) => void) {
		this.#unpacked = unpacked;
	}

	/** How many nodes there are. */
	get size(): number {
		return this.#entries.length - this.#spare.length;
	}

	/** The entry with an id. */
	get(id: string): Entry | undefined {
		const number = this.#find(id);
		if (number < 0) return undefined;
		const entry = this.at(number);
		return entry.record.id.length === id.length ? entry : undefined;
	}

	/** An entry with a short id. */
	withShortId(shortId: string): Entry | undefined {
		const number = this.#find(shortId);
		return number < 0 ? undefined : this.at(number);
	}

	/** The entry with an id, unless it is packed still. */
	unpacked(id: string): Entry | undefined {
		const number = this.#find(id);
		return (number < 0 ? undefined : this.#entries[number]) ?? undefined;
	}

	/** The entry with a number that nobody has taken out. */
	at(number: number): Entry {
		const known = this.#entries[number];
		if (known) return known;
		const place = this.#packed.placeOf(number);
		const start = this.#packed.startOf(place);
		const records = recordsOf(this.#packed.block(place), (parent) => this.#idOf(parent));
		for (const [row, record] of records.entries()) this.#entries[start + row] = new Entry(record, start + row, true);
		this.#packed.drop(place);
		for (let row = 0; row < records.length; row++) this.#unpacked(this.#entries[start + row]!);
		return this.#entries[number]!;
	}

	/** The entries of the children that a node, or the top level, had in the snapshot; in any order. */
	packedChildren(parent: number): Entry[] {
		return Array.from(this.#packed.childrenOf(parent), (number) => this.at(number));
	}

	/** Adds an entry for a record whose id has none. */
	add(record: NodeRecord): Entry {
		this.reserve(1);
		const entry = new Entry(record, this.#spare.pop() ?? this.#entries.length, false);
		this.#entries[entry.number] = entry;
		this.#note(this.#hash(record.id), entry.number);
		return entry;
	}

	/** Adds packed nodes whose ids nobody has. Only packed nodes may have been added before. Gives the number of the first. */
	addPacked(block: PackedBlock): number {
		const start = this.#packed.add(block);
		this.reserve(block.count);
		for (let row = 0; row < block.count; row++) {
			// Written down, for an array of holes is a slow one.
			this.#entries.push(undefined);
			this.#note(spread(block.hashOf(row, this.#seed)), start + row);
		}
		return start;
	}

	/** Makes room for so many more nodes. */
	reserve(more: number): void {
		if (2 * (this.#used + more) > this.#slots.length) this.#grow(this.size + more);
		const needed = this.#entries.length + more;
		if (needed <= this.#hashes.length) return;
		const before = this.#hashes;
		this.#hashes = new Int32Array(Math.max(needed, before.length * 2));
		this.#hashes.set(before);
	}

	/** Takes out an entry. */
	delete(entry: Entry): void {
		const slots = this.#slots;
		let at = this.#hashes[entry.number]! & (slots.length - 1);
		while (slots[at] !== entry.number + 1) at = (at + 1) & (slots.length - 1);
		slots[at] = left;
		this.#entries[entry.number] = null;
		this.#spare.push(entry.number);
	}

	/** The entries as they stand, and the packed nodes that have none. */
	copy(): TableCopy {
		return { entries: this.#entries.slice(), packed: this.#packed.copy() };
	}

	/** The number of a node whose id is this text or ends with it, and ends alike; -1 if there is none. */
	#find(id: string): number {
		const slots = this.#slots;
		const hash = this.#hash(id);
		for (let at = hash & (slots.length - 1); ; at = (at + 1) & (slots.length - 1)) {
			const slot = slots[at]!;
			if (slot === free) return -1;
			if (slot === left || this.#hashes[slot - 1] !== hash) continue;
			const entry = this.#entries[slot - 1];
			const found = entry ? entry.record.id === id || entry.record.id.endsWith(id) : this.#isPacked(slot - 1, id);
			if (found) return slot - 1;
		}
	}

	#isPacked(number: number, id: string): boolean {
		const place = this.#packed.placeOf(number);
		return this.#packed.block(place).endsWith(number - this.#packed.startOf(place), id);
	}

	#idOf(number: number): string {
		const entry = this.#entries[number];
		if (entry) return entry.record.id;
		const place = this.#packed.placeOf(number);
		return this.#packed.block(place).idAt(number - this.#packed.startOf(place));
	}

	#note(hash: number, number: number): void {
		this.#hashes[number] = hash;
		this.#enter(number);
	}

	#enter(number: number): void {
		const slots = this.#slots;
		let at = this.#hashes[number]! & (slots.length - 1);
		while (slots[at]! > free) at = (at + 1) & (slots.length - 1);
		if (slots[at] === free) this.#used += 1;
		slots[at] = number + 1;
	}

	#grow(count: number): void {
		const before = this.#slots;
		// A third, not a half, so that it takes a while until the next time.
		let length = 16;
		while (length < 3 * (count + 1)) length *= 2;
		this.#slots = new Int32Array(length);
		this.#used = 0;
		for (const slot of before) if (slot > free) this.#enter(slot - 1);
	}

	#hash(id: string): number {
		let hash = this.#seed;
		for (let at = Math.max(0, id.length - shortLength); at < id.length; at++) hash = hashed(hash, id.charCodeAt(at));
		return spread(hash);
	}
}

/** So that the lower bits, which say the slot, have something of all. */
function spread(hash: number): number {
	return hash ^ (hash >>> 15);
}

import type { NodeRecord } from "../../../src/storage.js";
import { hashed, type PackedBlock, PackedNodes, recordsOf } from "../packed/packed-nodes.js";
import { Entry } from "./entry.js";

/** The number of characters at the end of an id that are the short id. */
const shortLength = 12;

/*
 * An open-addressing hash table with linear probing. A slot is `empty`, `deleted`, or holds the number of a node
 * plus one in its lower bits, as many as the index of a slot has. Its higher bits are those of the hash, which a
 * lookup compares first.
 */
const empty = 0;
const deleted = -1;

/** The content of a table. */
export interface TableCopy {
	/** By number: null for a removed entry, undefined for a packed node. */
	readonly entries: readonly (Entry | null | undefined)[];
	readonly packed: PackedNodes;
}

/**
 * The entries of an index by their ids and short ids. One hash table serves both, because the short id is the
 * end of the id. It takes a fraction of the memory of two maps, and a lookup makes no strings. Nodes of a
 * snapshot become entries a block at a time, when one of them is looked up.
 */
export class NodeTable {
	/** By number: null for a removed entry, undefined for a packed node. */
	readonly #entries: (Entry | null | undefined)[] = [];
	readonly #packed = new PackedNodes();
	readonly #unpacked: (entry: Entry) => void;
	/** Numbers of removed entries, to use again. */
	readonly #spare: number[] = [];
	/** By number: the hash of the short id. */
	#hashes = new Int32Array(16);
	/**
	 * Each node is at or after the slot of its short id's hash. At least half of the slots are free, so a number
	 * fits into the lower bits. A slot has bits of the hash, so most other nodes in a slot needn't be looked at.
	 */
	#slots = new Int32Array(16);
	/** The number of slots that aren't free. */
	#used = 0;
	/** Random, so that no user can choose ids that all have the same hash. */
	readonly #seed = Math.floor(Math.random() * 2 ** 31);

	/** @param unpacked - called with each entry made of a packed node, before any caller gets the entry */
	constructor(unpacked: (entry: Entry) => void) {
		this.#unpacked = unpacked;
	}

	/** The number of nodes. */
	get size(): number {
		return this.#entries.length - this.#spare.length;
	}

	/** Returns the entry with an id. */
	get(id: string): Entry | undefined {
		const number = this.#find(id);
		if (number < 0) return undefined;
		const entry = this.at(number);
		return entry.record.id.length === id.length ? entry : undefined;
	}

	/** Returns an entry with a short id. */
	withShortId(shortId: string): Entry | undefined {
		const number = this.#find(shortId);
		return number < 0 ? undefined : this.at(number);
	}

	/** Returns the entry with an id, unless it is still packed. */
	unpacked(id: string): Entry | undefined {
		const number = this.#find(id);
		return (number < 0 ? undefined : this.#entries[number]) ?? undefined;
	}

	/** Returns the entry with a number; it must not have been removed. */
	at(number: number): Entry {
		const known = this.#entries[number];
		if (known) return known;
		const index = this.#packed.blockIndexOf(number);
		const start = this.#packed.startOf(index);
		const records = recordsOf(this.#packed.block(index), (parent) => this.#idOf(parent));
		// Copies, because V8 makes the objects of a literal in its old generation once most of them have lived long
		// (allocation-site pretenuring). A scan makes records by the same literal, and would leave them there.
		for (const [row, record] of records.entries()) {
			this.#entries[start + row] = new Entry({ ...record }, start + row, true);
		}
		this.#packed.drop(index);
		for (let row = 0; row < records.length; row++) this.#unpacked(this.#entries[start + row]!);
		return this.#entries[number]!;
	}

	/** Returns the entries of the children that a node, or the top level, had in the snapshot; in any order. */
	packedChildren(parent: number): Entry[] {
		return Array.from(this.#packed.childrenOf(parent), (number) => this.at(number));
	}

	/** Adds an entry for a record with a new id. */
	add(record: NodeRecord): Entry {
		this.reserve(1);
		const entry = new Entry(record, this.#spare.pop() ?? this.#entries.length, false);
		this.#entries[entry.number] = entry;
		this.#note(this.#hash(record.id), entry.number);
		return entry;
	}

	/**
	 * Adds packed nodes with new ids. Only packed nodes may have been added before. Returns the number of the
	 * first.
	 */
	addPacked(block: PackedBlock): number {
		const start = this.#packed.add(block);
		this.reserve(block.count);
		for (let row = 0; row < block.count; row++) {
			// Written, because engines handle an array with holes more slowly.
			this.#entries.push(undefined);
			this.#note(spread(block.hashOf(row, this.#seed)), start + row);
		}
		return start;
	}

	/** Reserves memory for this many more nodes. */
	reserve(more: number): void {
		// After deletions, numbers may be higher than the number of nodes.
		const numbers = Math.max(this.#entries.length, this.size + more);
		if (2 * (this.#used + more) > this.#slots.length) this.#grow(numbers);
		const needed = this.#entries.length + more;
		if (needed <= this.#hashes.length) return;
		const before = this.#hashes;
		this.#hashes = new Int32Array(Math.max(needed, before.length * 2));
		this.#hashes.set(before);
	}

	/** Removes an entry. */
	delete(entry: Entry): void {
		const slots = this.#slots;
		const mask = slots.length - 1;
		const hash = this.#hashes[entry.number]!;
		const slot = slotOf(hash, entry.number, mask);
		let at = hash & mask;
		while (slots[at] !== slot) at = (at + 1) & mask;
		slots[at] = deleted;
		this.#entries[entry.number] = null;
		this.#spare.push(entry.number);
	}

	/** Returns the present entries, and the nodes that are still packed. */
	copy(): TableCopy {
		return { entries: this.#entries.slice(), packed: this.#packed.copy() };
	}

	/** Returns the number of a node whose id is this text or ends with it; -1 if there is none. */
	#find(id: string): number {
		const slots = this.#slots;
		const mask = slots.length - 1;
		const hash = this.#hash(id);
		for (let at = hash & mask; ; at = (at + 1) & mask) {
			const slot = slots[at]!;
			if (slot === empty) return -1;
			if (slot === deleted || ((slot ^ hash) & ~mask) !== 0) continue;
			const number = (slot & mask) - 1;
			const entry = this.#entries[number];
			if (entry ? entry.record.id === id || entry.record.id.endsWith(id) : this.#packed.endsWith(number, id))
				return number;
		}
	}

	#idOf(number: number): string {
		return this.#entries[number]?.record.id ?? this.#packed.idAt(number);
	}

	#note(hash: number, number: number): void {
		this.#hashes[number] = hash;
		this.#enter(number);
	}

	#enter(number: number): void {
		const slots = this.#slots;
		const mask = slots.length - 1;
		const hash = this.#hashes[number]!;
		let at = hash & mask;
		while (slots[at] !== empty && slots[at] !== deleted) at = (at + 1) & mask;
		if (slots[at] === empty) this.#used += 1;
		slots[at] = slotOf(hash, number, mask);
	}

	#grow(count: number): void {
		const before = this.#slots;
		// A third, not a half, so that the table doesn't grow again soon.
		let length = 16;
		while (length < 3 * (count + 1)) length *= 2;
		this.#slots = new Int32Array(length);
		this.#used = 0;
		const mask = before.length - 1;
		for (const slot of before) if (slot !== empty && slot !== deleted) this.#enter((slot & mask) - 1);
	}

	#hash(id: string): number {
		let hash = this.#seed;
		for (let at = Math.max(0, id.length - shortLength); at < id.length; at++) hash = hashed(hash, id.charCodeAt(at));
		return spread(hash);
	}
}

/** @param mask - the lower bits */
function slotOf(hash: number, number: number, mask: number): number {
	return (hash & ~mask) | (number + 1);
}

/** Mixes the higher bits into the lower ones, which choose the slot. */
function spread(hash: number): number {
	return hash ^ (hash >>> 15);
}

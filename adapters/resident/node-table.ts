import type { NodeRecord } from "../../src/storage.js";
import { Entry } from "./entry.js";

/** How many characters at the end of an id are its short id, by which nodes are found. */
const shortLength = 12;

/** A slot that nothing has stood in yet, and one that something has been taken out of. The others hold a number and one. */
const free = 0;
const left = -1;

/**
 * The entries of an index by their ids and short ids: one hash table for both, since the short id is the end of the id. It
 * takes a fraction of the memory of two maps, and no text is made to look anything up.
 */
export class NodeTable {
	/** By number; undefined where an entry has been taken out. */
	readonly #entries: (Entry | undefined)[] = [];
	/** Numbers that may be given again. */
	readonly #spare: number[] = [];
	/** Numbers and one, each behind the place that the short id hashes to. At least half of them are free or left. */
	#slots = new Int32Array(16);
	/** How many slots aren't free. */
	#used = 0;
	/** Nobody can choose ids that all hash to one place. */
	readonly #seed = Math.floor(Math.random() * 2 ** 31);

	/** How many entries there are. */
	get size(): number {
		return this.#entries.length - this.#spare.length;
	}

	/** The entry with an id. */
	get(id: string): Entry | undefined {
		const slots = this.#slots;
		for (let at = this.#hash(id) & (slots.length - 1); ; at = (at + 1) & (slots.length - 1)) {
			const slot = slots[at]!;
			if (slot === free) return undefined;
			if (slot === left) continue;
			const entry = this.#entries[slot - 1]!;
			if (entry.record.id === id) return entry;
		}
	}

	/** An entry with a short id. */
	withShortId(shortId: string): Entry | undefined {
		const slots = this.#slots;
		for (let at = this.#hash(shortId) & (slots.length - 1); ; at = (at + 1) & (slots.length - 1)) {
			const slot = slots[at]!;
			if (slot === free) return undefined;
			if (slot === left) continue;
			const entry = this.#entries[slot - 1]!;
			if (entry.record.id.endsWith(shortId)) return entry;
		}
	}

	/** Adds an entry for a record whose id has none. */
	add(record: NodeRecord): Entry {
		if (2 * (this.#used + 1) > this.#slots.length) this.#grow();
		const entry = new Entry(record, this.#spare.pop() ?? this.#entries.length);
		this.#entries[entry.number] = entry;
		this.#enter(this.#hash(record.id), entry.number);
		return entry;
	}

	/** Takes out an entry. */
	delete(entry: Entry): void {
		const slots = this.#slots;
		let at = this.#hash(entry.record.id) & (slots.length - 1);
		while (slots[at] !== entry.number + 1) at = (at + 1) & (slots.length - 1);
		slots[at] = left;
		this.#entries[entry.number] = undefined;
		this.#spare.push(entry.number);
	}

	/** Every record, as it stands. */
	records(): NodeRecord[] {
		const records: NodeRecord[] = [];
		for (const entry of this.#entries) if (entry !== undefined) records.push(entry.record);
		return records;
	}

	#enter(hash: number, number: number): void {
		const slots = this.#slots;
		let at = hash & (slots.length - 1);
		while (slots[at]! > free) at = (at + 1) & (slots.length - 1);
		if (slots[at] === free) this.#used += 1;
		slots[at] = number + 1;
	}

	#grow(): void {
		let length = 16;
		while (length < 4 * (this.size + 1)) length *= 2;
		this.#slots = new Int32Array(length);
		this.#used = 0;
		for (const entry of this.#entries) if (entry !== undefined) this.#enter(this.#hash(entry.record.id), entry.number);
	}

	#hash(id: string): number {
		let hash = this.#seed;
		for (let at = Math.max(0, id.length - shortLength); at < id.length; at++) {
			hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
		}
		return hash ^ (hash >>> 15);
	}
}

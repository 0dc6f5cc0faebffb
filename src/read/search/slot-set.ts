import { Integers } from "./integers.js";

/** A set of slots. Each has an index in the set: 0, 1, 2 and so on in the order of adding. */
export class SlotSet {
	/** The slots, by index. */
	readonly slots = new Integers();
	/** The index of each slot. The entry of a slot that isn't in the set has no meaning. */
	readonly indexes: Int32Array;

	/** @param indexes - at least as long as the number of slots; its values don't matter */
	constructor(indexes: Int32Array) {
		this.indexes = indexes;
	}

	get length(): number {
		return this.slots.length;
	}

	/** Returns the index of a slot, and adds the slot if necessary. */
	add(slot: number): number {
		const known = this.indexOf(slot);
		if (known !== -1) return known;
		this.slots.push(slot);
		this.indexes[slot] = this.slots.length - 1;
		return this.slots.length - 1;
	}

	/** Returns the index of a slot; -1 if it isn't in the set. */
	indexOf(slot: number): number {
		const index = this.indexes[slot]!;
		return index < this.slots.length && this.slots.values[index] === slot ? index : -1;
	}
}

/** Creates sets of slots in constant time, by reusing arrays. */
export class SlotSets {
	/** The arrays that no set uses. */
	readonly #spare: Int32Array[] = [];

	/** Returns an empty set, for slots below a number. */
	take(slots: number): SlotSet {
		const indexes = this.#spare.pop();
		return new SlotSet(
			indexes !== undefined && indexes.length >= slots ? indexes : new Int32Array(Math.ceil(slots * 1.25)),
		);
	}

	/** Releases a set that is no longer used, so that its array can be reused. */
	release({ indexes }: SlotSet): void {
		if (this.#spare.length < 2) this.#spare.push(indexes);
	}
}

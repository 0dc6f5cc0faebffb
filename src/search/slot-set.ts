import { Integers } from "./integers.js";

/**
 * A set of slots. Each slot has a place in the set: 0, 1, 2 and so on in the order in which they were added.
 */
export class SlotSet {
	/** The slots, by place. */
	readonly slots = new Integers();
	/** The place of each slot. The entry of a slot that isn't in the set has no meaning. */
	readonly places: Int32Array;

	/** @param places - at least as long as the number of slots; its values don't matter */
	constructor(places: Int32Array) {
		this.places = places;
	}

	get length(): number {
		return this.slots.length;
	}

	/** Returns the place of a slot, and adds the slot if necessary. */
	add(slot: number): number {
		const known = this.placeOf(slot);
		if (known !== -1) return known;
		this.slots.push(slot);
		this.places[slot] = this.slots.length - 1;
		return this.slots.length - 1;
	}

	/** Returns the place of a slot; -1 if it isn't in the set. */
	placeOf(slot: number): number {
		const place = this.places[slot]!;
		return place < this.slots.length && this.slots.values[place] === slot ? place : -1;
	}
}

/** Creates sets of slots in constant time, by reusing arrays. */
export class SlotSets {
	/** The arrays that no set uses. */
	readonly #spare: Int32Array[] = [];

	/** Returns an empty set, for slots below a number. */
	take(slots: number): SlotSet {
		const places = this.#spare.pop();
		return new SlotSet(
			places !== undefined && places.length >= slots ? places : new Int32Array(Math.ceil(slots * 1.25)),
		);
	}

	/** Releases a set that is no longer used, so that its array can be reused. */
	release({ places }: SlotSet): void {
		if (this.#spare.length < 2) this.#spare.push(places);
	}
}

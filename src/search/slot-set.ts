import { Integers } from "./integers.js";

/** A set of slots, each with a place in it: 0, 1, 2 and so on in the order in which they come. */
export class SlotSet {
	/** The slots, by place. */
	readonly slots = new Integers();
	/** By slot: its place. The entry of a slot that isn't in the set means nothing. */
	readonly places: Int32Array;

	/** @param places - as long as there are slots; what it holds doesn't matter */
	constructor(places: Int32Array) {
		this.places = places;
	}

	get length(): number {
		return this.slots.length;
	}

	/** The place of a slot, which is added if need be. */
	add(slot: number): number {
		const known = this.placeOf(slot);
		if (known !== -1) return known;
		this.slots.push(slot);
		this.places[slot] = this.slots.length - 1;
		return this.slots.length - 1;
	}

	/** The place of a slot; -1 if it isn't in the set. */
	placeOf(slot: number): number {
		const place = this.places[slot]!;
		return place < this.slots.length && this.slots.values[place] === slot ? place : -1;
	}
}

/** Makes sets of slots that need no time for the slots that aren't in them. */
export class SlotSets {
	/** Arrays that no set uses at present. */
	readonly #spare: Int32Array[] = [];

	/** An empty set, for slots below a number. */
	take(slots: number): SlotSet {
		const places = this.#spare.pop();
		return new SlotSet(
			places !== undefined && places.length >= slots ? places : new Int32Array(Math.ceil(slots * 1.25)),
		);
	}

	/** Takes back a set that isn't used any more. */
	release({ places }: SlotSet): void {
		if (this.#spare.length < 2) this.#spare.push(places);
	}
}

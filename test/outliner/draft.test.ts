import fc from "fast-check";
import { expect, test } from "vitest";
import { Draft } from "../../examples/outliner/src/text/draft.js";
import { editsBetween, offsetAfter } from "../../src/markup/edits.js";
import { mergedText } from "../../src/markup/merge.js";

/** The stored text, which changes as `outline.update` with a base changes it. */
class Store {
	text: string;

	constructor(text: string) {
		this.text = text;
	}

	/** Returns whether the text is stored; otherwise another edit has changed the same words. */
	update(text: string, base: string): boolean {
		const merged = mergedText(base, text, this.text);
		if (merged !== undefined) this.text = merged;
		return merged !== undefined;
	}
}

/** A person who types, as a field and its draft work together. */
class Person {
	shown: string;
	caret: number;
	readonly #store: Store;
	#draft: Draft | undefined;
	/** The answer of the storage to the current write. */
	#answer: { readonly isStored: boolean; readonly text: string } | undefined;

	/** Whether the field doesn't show the draft yet, as while an input method composes. */
	#isBehind = false;

	constructor(store: Store, caret: number) {
		this.#store = store;
		this.shown = store.text;
		this.caret = caret;
	}

	get isBusy(): boolean {
		return this.#isBehind || this.#draft !== undefined;
	}

	/** Types a letter, or takes one back. */
	press(key: string): void {
		const before = this.shown;
		const [start, letter] = key === "Backspace" ? [this.caret - 1, ""] : [this.caret, key];
		this.shown = before.slice(0, start) + letter + before.slice(this.caret);
		this.caret = start + letter.length;
		this.#draft ??= new Draft(before);
		this.#draft.type(this.shown, before);
	}

	/** The next thing that happens without the person: a write, its answer, or the text shows. */
	go(): void {
		if (this.#isBehind || this.#draft === undefined) this.#show(this.#draft?.text ?? this.#store.text);
		else if (this.#answer === undefined) {
			const { text, base } = this.#draft.send();
			const isStored = this.#store.update(text, base);
			this.#answer = { isStored, text: this.#store.text };
		} else {
			const { isStored, text } = this.#answer;
			this.#answer = undefined;
			if (isStored) this.#draft.store(text);
			else this.#draft.refuse(text);
			if (this.#draft.isStored) this.#draft = undefined;
			this.#isBehind = true;
		}
	}

	#show(text: string): void {
		this.#isBehind = false;
		this.caret = offsetAfter(editsBetween(this.shown, text), this.caret);
		this.shown = text;
	}
}

/** Keys that write a text, and perhaps take back letters of it. */
function keysFor(letters: string, ...others: string[]): fc.Arbitrary<{ keys: string[]; text: string }> {
	const key = fc.constantFrom(...letters, ...letters, ...others);
	return fc.array(key, { maxLength: 12 }).map((keys) => {
		const typed: string[] = [];
		const pressed = keys.filter((each) => {
			if (each !== "Backspace") typed.push(each);
			else if (typed.pop() === undefined) return false;
			return true;
		});
		return { keys: pressed, text: typed.join("") };
	});
}

const keysOfThree = (...others: string[]) => {
	return fc.tuple(keysFor("ab", ...others), keysFor("12", ...others), keysFor("XY", ...others));
};
/** The order of events: the index of a person, and whether that person presses a key. */
const order = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.boolean()), { maxLength: 150 });

/** Lets people write into one text at the same time, in some order. Returns the text that all of them see then. */
function meet(people: readonly Person[], written: readonly { keys: string[] }[], turns: readonly [number, boolean][]) {
	const left = written.map(({ keys }) => [...keys]);
	for (const [who, presses] of turns) {
		const key = presses ? left[who]!.shift() : undefined;
		if (key === undefined) people[who]!.go();
		else people[who]!.press(key);
	}
	for (const [who, keys] of left.entries()) for (const key of keys) people[who]!.press(key);
	for (let rounds = 0; people.some(({ isBusy }) => isBusy); rounds++) {
		expect(rounds).toBeLessThan(200);
		for (const person of people) person.go();
	}
	for (const person of people) person.go();
	for (const { shown } of people) expect(shown).toBe(people[0]!.shown);
	return people[0]!.shown;
}

const base = "MIDWORT";
const place = fc.nat({ max: base.length });

test("texts that three people type at places of their own stay there, and so do their carets", () => {
	const places = fc.uniqueArray(place, { minLength: 3, maxLength: 3 });
	fc.assert(
		fc.property(places, keysOfThree(" ", "Backspace"), order, (carets, written, turns) => {
			const store = new Store(base);
			const people = carets.map((caret) => new Person(store, caret));
			let meant = base;
			const inOrder = [0, 1, 2].sort((left, right) => carets[right]! - carets[left]!);
			for (const who of inOrder) {
				meant = meant.slice(0, carets[who]) + written[who]!.text + meant.slice(carets[who]);
			}
			expect(meet(people, written, turns)).toBe(meant);
			for (const [who, person] of people.entries()) {
				const before = carets
					.filter((caret) => caret <= carets[who]!)
					.map((caret) => written[carets.indexOf(caret)]!.text);
				expect(person.caret).toBe(carets[who]! + before.join("").length);
			}
		}),
		{ numRuns: 500 },
	);
});

test("texts that three people type at one place stay whole, one behind the other", () => {
	fc.assert(
		fc.property(place, keysOfThree(), order, (caret, written, turns) => {
			const store = new Store(base);
			const people = written.map(() => new Person(store, caret));
			const text = meet(people, written, turns);
			const [first, second, third] = written.map((each) => each.text);
			const orders = [first! + second! + third!, first! + third! + second!, second! + first! + third!];
			orders.push(second! + third! + first!, third! + first! + second!, third! + second! + first!);
			expect(orders.map((between) => base.slice(0, caret) + between + base.slice(caret))).toContain(text);
		}),
		{ numRuns: 500 },
	);
});

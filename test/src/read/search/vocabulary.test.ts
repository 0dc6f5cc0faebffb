import fc from "fast-check";
import { expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { Vocabulary } from "../../../../src/read/search/vocabulary.js";

test("finds words by their number and by their start, in any order of additions", () => {
	const letters = fc.string({ unit: fc.constantFrom("a", "b", "\uffff", "🎉"), maxLength: 6 });
	fc.assert(
		fc.property(
			fc.array(fc.array(letters, { maxLength: 40 }), { maxLength: 6 }),
			fc.oneof(letters, fc.constantFrom("", "a1")),
			fc.boolean(),
			fc.boolean(),
			(batches, prefix, many, settles) => {
				const vocabulary = new Vocabulary();
				const all = new Set<string>();
				for (const [place, batch] of batches.entries()) {
					const extra = many ? Array.from({ length: 1200 }, (_, index) => `a${index}${place}`) : [];
					for (const word of [...batch, ...extra]) {
						const number = vocabulary.add(word);
						all.add(word);
						expect(vocabulary.word(number)).toBe(word);
						expect(vocabulary.add(word)).toBe(number);
						expect(vocabulary.find(word)).toBe(number);
					}
					if (settles) finished(vocabulary.prepare());
					const numbers = vocabulary.startingWith(prefix);
					const found = Array.from(numbers, (number) => vocabulary.word(number));
					expect(numbers.length).toBe(found.length);
					expect(found.sort()).toEqual([...all].filter((word) => word.startsWith(prefix)).sort());
				}
				expect(vocabulary.find("none")).toBeUndefined();
			},
		),
		{ numRuns: 20 },
	);
});

test("a reduced vocabulary has only these words, under new numbers in the same order", () => {
	const places = fc.uniqueArray(fc.nat(2999), { maxLength: 60 });
	fc.assert(
		fc.property(places, fc.boolean(), (places, settles) => {
			const vocabulary = new Vocabulary();
			for (let number = 0; number < 3000; number++) vocabulary.add(`w${(number * 7919) % 3000}`);
			if (settles) finished(vocabulary.prepare());
			const numbers = new Int32Array(3000);
			for (const place of places) numbers[place] = 1;
			const reduced = finished(vocabulary.reduced(numbers));
			const kept = places.sort((left, right) => left - right).map((place) => vocabulary.word(place));
			expect(kept.map((word) => reduced.find(word))).toEqual([...kept.keys()]);
			expect([...numbers].filter((number) => number !== -1)).toEqual([...kept.keys()]);
			reduced.add("w1 more");
			const found = Array.from(reduced.startingWith("w1"), (number) => reduced.word(number));
			expect(found.sort()).toEqual([...kept, "w1 more"].filter((word) => word.startsWith("w1")).sort());
		}),
		{ numRuns: 50 },
	);
});

test("sorts words in steps, only if there are many, and only once", () => {
	const vocabulary = new Vocabulary();
	const add = (count: number) => {
		for (let left = count; left > 0; left--) vocabulary.add(`w${vocabulary.length}`);
		return [...vocabulary.prepare()].length;
	};
	expect(add(900)).toBe(0);
	expect(add(20_000)).toBeGreaterThan(40);
	expect(add(0)).toBe(0);
	expect(add(1500)).toBeLessThan(20);
});

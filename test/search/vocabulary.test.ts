import fc from "fast-check";
import { expect, test } from "vitest";
import { Vocabulary } from "../../src/search/vocabulary.js";

test("words are found by number, and by how they begin, however many there are and whenever they came", () => {
	const letters = fc.string({ unit: fc.constantFrom("a", "b", "\uffff", "🎉"), maxLength: 6 });
	fc.assert(
		fc.property(
			fc.array(fc.array(letters, { maxLength: 40 }), { maxLength: 6 }),
			letters,
			fc.boolean(),
			(batches, prefix, many) => {
				const vocabulary = new Vocabulary();
				const all = new Set<string>();
				for (const [place, batch] of batches.entries()) {
					const extra = many ? Array.from({ length: 600 }, (_, index) => `a${place}${index}`) : [];
					for (const word of [...batch, ...extra]) {
						const number = vocabulary.add(word);
						all.add(word);
						expect(vocabulary.word(number)).toBe(word);
						expect(vocabulary.add(word)).toBe(number);
						expect(vocabulary.find(word)).toBe(number);
					}
					const found = vocabulary.startingWith(prefix).map((number) => vocabulary.word(number));
					expect(found.sort()).toEqual([...all].filter((word) => word.startsWith(prefix)).sort());
				}
				expect(vocabulary.find("none")).toBeUndefined();
			},
		),
		{ numRuns: 20 },
	);
});

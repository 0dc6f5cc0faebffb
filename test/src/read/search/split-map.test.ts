import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf, SplitMap } from "../../../../src/read/search/split-map.js";
import { numberedId } from "../../../support/ids.js";

test("a split map has the same entries as a map, before and after the split", () => {
	const step = fc.record({ key: fc.nat(30), value: fc.option(fc.nat(), { nil: undefined }) });
	const fillings = fc.array(fc.constantFrom(0, 70_000), { maxLength: 2 });
	fc.assert(
		fc.property(fc.array(step), fillings, fc.array(step), (before, fillings, after) => {
			const split = new SplitMap<string, number>(hashOf);
			const map = new Map<string, number>();
			const take = (steps: typeof before) => {
				for (const { key, value } of steps) {
					const text = `${key}`;
					if (value === undefined) {
						split.delete(text);
						map.delete(text);
					} else {
						split.set(text, value);
						map.set(text, value);
					}
					expect(split.get(text)).toBe(map.get(text));
				}
			};
			take(before);
			for (const filling of fillings) {
				for (let key = 0; key < filling; key++) {
					split.set(`filling ${key}`, key);
					map.set(`filling ${key}`, key);
				}
			}
			take(after);
			expect(new Map(split.entries())).toEqual(map);
			expect(split.get("none")).toBeUndefined();
		}),
		{ numRuns: 20 },
	);
});

test("the hashes distribute ids and words over the parts", () => {
	for (const textOf of [numberedId, (number: number) => `w${number}`, (number: number) => `${number}`]) {
		const counts = new Array<number>(64).fill(0);
		for (let number = 0; number < 64_000; number++) counts[hashOf(textOf(number)) >>> 26]! += 1;
		expect(Math.max(...counts), textOf(1)).toBeLessThan(1300);
	}
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { finished } from "../../src/pace.js";
import { sorted } from "../../src/sorted.js";

test("items are sorted as the language sorts them, equal ones as they stood, and the given ones stay as they are", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 5000 }),
			fc.integer({ min: 1, max: 3000 }),
			fc.nat(),
			(count, range, seed) => {
				const items = Array.from({ length: count }, (_, place) => ({
					key: Math.abs(Math.imul(place + seed, 2_654_435_761)) % range,
					place,
				}));
				const given = [...items];
				const byKey = (left: { key: number }, right: { key: number }) => left.key - right.key;
				expect(finished(sorted(items, byKey))).toEqual(items.toSorted(byKey));
				expect(items).toEqual(given);
			},
		),
	);
});

test("many items are sorted in slices", () => {
	const items = Array.from({ length: 100_000 }, (_, place) => (place * 7919) % 100_003);
	expect([...sorted(items, (left, right) => left - right)].length).toBeGreaterThan(300);
});

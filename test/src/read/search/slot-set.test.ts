import fc from "fast-check";
import { expect, test } from "vitest";
import { SlotSets } from "../../../../src/read/search/slot-set.js";

test("a set has the added slots, in order, no matter what earlier sets left in its array", () => {
	const slots = fc.nat(40);
	fc.assert(
		fc.property(fc.array(fc.array(slots), { maxLength: 6 }), fc.array(fc.nat(5)), (additions, releases) => {
			const sets = new SlotSets();
			for (const [place, added] of additions.entries()) {
				const set = sets.take(41);
				const naive = new Set<number>();
				for (const slot of added) {
					naive.add(slot);
					expect(set.add(slot)).toBe([...naive].indexOf(slot));
				}
				expect([...set.slots.values.slice(0, set.length)]).toEqual([...naive]);
				for (let slot = 0; slot <= 40; slot++) expect(set.indexOf(slot)).toBe([...naive].indexOf(slot));
				if (releases.includes(place)) sets.release(set);
			}
		}),
	);
});

test("reuses an array, unless it is too small", () => {
	const sets = new SlotSets();
	const first = sets.take(1000);
	sets.release(first);
	const second = sets.take(1100);
	expect(second.indexes).toBe(first.indexes);
	sets.release(second);
	expect(sets.take(5000).indexes.length).toBeGreaterThanOrEqual(5000);
});

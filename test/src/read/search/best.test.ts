import fc from "fast-check";
import { expect, test } from "vitest";
import { Best } from "../../../../src/read/search/best.js";

test("keeps the items that come first after sorting all of them", () => {
	const items = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 60, size: "max" });
	fc.assert(
		fc.property(items, fc.integer({ min: 1, max: 20 }), (items, limit) => {
			const ascending = (left: number, right: number) => left - right;
			const best = new Best<number>(limit, ascending);
			for (const item of items) best.add(item);
			expect(best.inOrder()).toEqual(items.toSorted(ascending).slice(0, limit));
		}),
	);
});

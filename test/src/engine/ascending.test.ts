import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { firstFrom, SortedIds } from "../../../src/engine/ascending.js";

test("finds the first value that isn't less", () => {
	for (const length of [0, 1, 2, 7, 8]) {
		const ascending = Array.from({ length }, (_, at) => 2 * at);
		for (let value = -1; value <= 2 * length; value++) {
			const found = ascending.findIndex((each) => each >= value);
			expect(firstFrom(ascending, value)).toBe(found < 0 ? length : found);
		}
	}
	expect(firstFrom(["a", "c"], "b")).toBe(1);
});

test("gives ids in order after any number of changes, and leaves earlier arrays as they were", () => {
	const change = fc.record({ isAdded: fc.boolean(), id: fc.integer({ min: 0, max: 30 }).map(String) });
	fc.assert(
		fc.property(fc.array(fc.array(change, { maxLength: 15 }), { maxLength: 10 }), (rounds) => {
			const ids = new SortedIds();
			const expected = new Set<string>();
			const given: { readonly array: readonly string[]; readonly copy: readonly string[] }[] = [];
			for (const round of rounds) {
				for (const { isAdded, id } of round) {
					if (!isAdded) ids.delete(id);
					else if (!expected.has(id)) ids.add(id);
					if (isAdded) expected.add(id);
					else expected.delete(id);
				}
				expect(ids.empty).toBe(expected.size === 0);
				expect(ids.sorted).toEqual([...expected].sort());
				given.push({ array: ids.sorted, copy: [...ids.sorted] });
			}
			for (const { array, copy } of given) expect(array).toEqual(copy);
		}),
	);
});

test("sorts ids again after many changes, but not after a move, which deletes one and adds it", () => {
	const ids = new SortedIds();
	for (let id = 100; id < 200; id++) ids.add(String(id));
	const sort = vi.spyOn(Array.prototype, "sort");
	onTestFinished(() => sort.mockRestore());
	for (let round = 0; round < 10; round++) {
		expect(ids.sorted).toHaveLength(100);
		ids.delete("150");
		ids.add("150");
	}
	expect(sort).toHaveBeenCalledOnce();
	for (let id = 200; id < 300; id++) ids.add(String(id));
	expect(ids.sorted).toHaveLength(200);
	expect(sort).toHaveBeenCalledTimes(2);
});

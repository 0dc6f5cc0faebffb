import { expect, test } from "vitest";
import { SlotSets } from "../../../../src/read/search/slot-set.js";

test("reuses an array, unless it is too small", () => {
	const sets = new SlotSets();
	const first = sets.take(1000);
	sets.release(first);
	const second = sets.take(1100);
	expect(second.indexes).toBe(first.indexes);
	sets.release(second);
	expect(sets.take(5000).indexes.length).toBeGreaterThanOrEqual(5000);
});

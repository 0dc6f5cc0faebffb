import { expect, test } from "vitest";
import { sliceLength } from "../../src/markup/long-text.js";
import { lineLength } from "../../src/sync/protocol.js";
import { allPortions, exceptions, smallValue } from "../setup/small-portions.js";
import { seed } from "../setup/soak.js";

test("the rule for the names of portions finds them, and each of its exceptions", () => {
	const portions = allPortions();
	expect(portions.size).toBeGreaterThan(190);
	expect(Object.keys(exceptions).filter((portion) => !portions.has(portion))).toEqual([]);
});

test(`portions are small in the project of that name, from seed ${seed}`, () => {
	const isSmall = process.env.OUTLINE_SMALL_PORTIONS === "1";
	const expected = (portion: string, usual: string) => Number(isSmall ? smallValue(portion, usual) : usual);
	expect(lineLength).toBe(expected("src/sync/protocol.ts lineLength", "262144"));
	expect(sliceLength).toBe(expected("src/markup/long-text.ts sliceLength", "65536"));
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparePriorities, numberOf } from "../../../../src/verify/audit-table.js";
import { isPriority } from "../../../../src/verify/record-rules.js";
import { distinctPriorities } from "../../../../src/verify/repair/mend-priorities.js";

const gap = 2 ** 20;
const limit = 3 * 2 ** 50;

describe("distinct priorities", () => {
	test.each<[number[], number[]]>([
		[[], []],
		[
			[-3, 0, 7],
			[-3, 0, 7],
		],
		[
			[5, 5, 5, 6, 9],
			[5, 6, 7, 8, 9],
		],
		[
			[1.5, 2],
			[1, 2],
		],
		[
			[1, 1.5, 1.7],
			[1, 2, 3],
		],
		[
			[-Infinity, -(2 ** 53), 3, 2 ** 53, Infinity],
			[3 - 2 * gap, 3 - gap, 3, 3 + gap, 3 + 2 * gap],
		],
		[
			[Infinity, Infinity],
			[0, gap],
		],
		[
			[limit, limit],
			[0, gap],
		],
	])("of %j are %j", (given, right) => {
		expect(distinctPriorities(given)).toEqual(right);
	});

	test("are valid and ascending, and the same for valid and distinct priorities", () => {
		const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }), fc.constantFrom(limit, -limit));
		fc.assert(
			fc.property(fc.array(value), (values) => {
				const given = values.toSorted(comparePriorities);
				const right = distinctPriorities(given);
				expect(right.length).toBe(given.length);
				for (const [place, priority] of right.entries()) {
					expect(isPriority(priority)).toBe(true);
					if (place > 0) expect(priority).toBeGreaterThan(right[place - 1]!);
				}
				expect(distinctPriorities(right)).toEqual(right);
			}),
		);
	});
});

test("a priority is an integer within the range, and other values sort last", () => {
	for (const right of [0, -1, limit, -limit]) expect(isPriority(right)).toBe(true);
	for (const wrong of [0.5, limit + 1, -limit - 1, Number.NaN, Infinity, "1", null])
		expect(isPriority(wrong)).toBe(false);
	expect([Number.NaN, "1", null, undefined].map(numberOf)).toEqual(Array(4).fill(Infinity));
	expect(["x", 3, Number.NaN, -2].toSorted(comparePriorities).slice(0, 2)).toEqual([-2, 3]);
	expect(comparePriorities(1, 1)).toBe(0);
	expect(comparePriorities("x", null)).toBe(0);
});

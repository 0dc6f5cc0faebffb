import fc from "fast-check";
import { expect, test } from "vitest";
import { Heights } from "../../examples/outliner/src/view/heights.js";

const height = fc.integer({ min: 1, max: 90 });
const change = fc.oneof(
	fc.record({ at: fc.nat(), count: fc.nat(40), heights: fc.array(height, { maxLength: 40 }) }),
	// Many rows at once, as if a large node were unfolded or folded.
	fc.record({ at: fc.nat(), count: fc.nat(3000), heights: fc.nat(3000).map((count) => Array(count).fill(32)) }),
	fc.record({ at: fc.nat(), height }),
);

test("after any changes, the heights tell the same places as a plain list", () => {
	fc.assert(
		fc.property(fc.array(change, { maxLength: 12 }), fc.array(fc.nat(), { minLength: 4 }), (changes, places) => {
			const heights = new Heights();
			let plain: number[] = [];
			for (const each of changes) {
				if ("height" in each) {
					if (plain.length === 0) continue;
					const index = each.at % plain.length;
					heights.set(index, each.height);
					plain[index] = each.height;
				} else {
					const start = each.at % (plain.length + 1);
					const count = Math.min(each.count, plain.length - start);
					heights.replace(start, count, each.heights);
					plain = plain.toSpliced(start, count, ...each.heights);
				}
			}
			const tops = [0];
			for (const each of plain) tops.push(tops.at(-1)! + each);
			expect(heights.total).toBe(tops.at(-1));
			expect(heights.topOf(plain.length)).toBe(heights.total);
			for (const place of places) {
				const index = place % (plain.length + 1);
				expect(heights.topOf(index)).toBe(tops[index]);
				expect(heights.of(index)).toBe(plain[index] ?? 0);
				const distance = place % (heights.total + 1);
				const above = tops.findLastIndex((top, at) => top <= distance && at < plain.length);
				expect(heights.at(distance)).toBe(Math.max(above, 0));
			}
		}),
		{ numRuns: 60 },
	);
});

test("beyond the list is its first or its last row", () => {
	const heights = new Heights();
	expect([heights.total, heights.at(5), heights.topOf(0), heights.of(0)]).toEqual([0, 0, 0, 0]);
	heights.replace(0, 0, [10, 20, 30]);
	expect([heights.at(-5), heights.at(60), heights.at(1000)]).toEqual([0, 2, 2]);
});

import { expect, test } from "vitest";
import { firstNotBefore } from "../../../src/engine/binary-search.js";

test("finds the first entry that isn't before a place, or the end", () => {
	for (const count of [0, 1, 2, 7, 8]) {
		for (let place = 0; place <= count; place++) {
			expect(firstNotBefore(count, (index) => index < place)).toBe(place);
		}
	}
});

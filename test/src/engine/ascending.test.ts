import { expect, test } from "vitest";
import { firstFrom } from "../../../src/engine/ascending.js";

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

import { describe, expect, test } from "vitest";
import { newOutline, noon } from "../../support/outline.js";

describe("with `groupLength`, typing without a pause", () => {
	const typed = async (text: string, groupLength: number) => {
		const outline = newOutline({ now: () => noon, history: { groupWithin: 1000, groupLength } });
		const { id } = await outline.create({ name: "old " });
		for (let length = 1; length <= text.length; length++) {
			await outline.update(id, { note: text.slice(0, length) });
		}
		const left: (string | null)[] = [];
		while (outline.history.undo > 1) {
			await outline.undo();
			left.push((await outline.get(id)).note);
		}
		return left;
	};

	test("is steps that end with words", async () => {
		expect(await typed("one two three four five six", 12)).toEqual(["one two three four ", "one two ", null]);
	});

	test("is steps of that length if there are no words", async () => {
		expect(await typed("abcdefghijkl", 5)).toEqual(["abcdefghij", "abcde", null]);
	});

	test("is one step if it is short", async () => {
		expect(await typed("one two", 12)).toEqual([null]);
	});
});

test("counts what is deleted too", async () => {
	const outline = newOutline({ now: () => noon, history: { groupWithin: 1000, groupLength: 3 } });
	const { id } = await outline.create({ name: "abcdefg" });
	for (let length = 6; length > 0; length--) await outline.update(id, { name: "abcdefg".slice(0, length) });
	await outline.undo();
	expect((await outline.get(id)).name).toBe("abcd");
});

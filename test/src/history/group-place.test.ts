import { describe, expect, test } from "vitest";
import type { Outline } from "../../../src/index.js";
import { newOutline, noon, planted } from "../../support/outline.js";

/** Writes texts into a name without a pause. Returns what undo leaves, step by step. */
async function undone(...texts: readonly string[]): Promise<string[]> {
	const outline = newOutline({ now: () => noon, history: { groupWithin: 1000 } });
	const { id } = await outline.create({ name: "" });
	for (const name of texts) await outline.update(id, { name });
	return leftBy(outline, id);
}

async function leftBy(outline: Outline, id: string): Promise<string[]> {
	const left: string[] = [];
	while (outline.history.undo > 1) {
		await outline.undo();
		left.push((await outline.get(id)).name);
	}
	return left;
}

/** The beginnings of a text, each longer by a character. */
const typing = (text: string, before = "", behind = "") =>
	Array.from(text, (_, index) => before + text.slice(0, index + 1) + behind);

describe("with `groupWithin`, quick edits of a text are a step", () => {
	test("if each touches the place of the one before", async () => {
		expect(await undone(...typing("hello"))).toEqual([""]);
		expect(await undone("hello", "hell", "hel", "help")).toEqual([""]);
		expect(await undone("aaa", "aaaa", "aaaaa")).toEqual([""]);
	});

	test("and end where an edit is at another place", async () => {
		expect(await undone(...typing("hello world"), ...typing("XY ", "", "hello world"))).toEqual(["hello world", ""]);
		expect(await undone("one two", "one tw", "ne tw", "ne tow")).toEqual(["ne tw", "one tw", ""]);
		expect(await undone("one two three", "one 2 three", "one 22 three", "one 22 3")).toEqual(["one 22 three", ""]);
	});

	test("and none if they set the text back, so that each undo changes something", async () => {
		expect(await undone("x", "")).toEqual([]);
		expect(await undone("one", "one two", "one", "two")).toEqual([""]);
		const outline = newOutline({ now: () => noon, history: { groupWithin: 1000 } });
		const { id } = await outline.create({ name: "" });
		await outline.update(id, { name: "a" });
		outline.endUndoStep();
		for (const name of ["ab", "a", "ac"]) await outline.update(id, { name });
		expect(await leftBy(outline, id)).toEqual(["a", ""]);
	});

	test("if they change something without a place", async () => {
		const { outline, id } = await planted("a #id", { now: () => noon, history: { groupWithin: 1000 } });
		for (const due of [1, 2, 3]) await outline.update(id, { properties: { due } });
		expect(outline.history.undo).toBe(2);
	});
});

test("endUndoStep keeps the next edit out of the step before", async () => {
	const outline = newOutline({ now: () => noon, history: { groupWithin: 1000 } });
	const { id } = await outline.create({ name: "" });
	await outline.update(id, { name: "a" });
	outline.endUndoStep();
	await outline.update(id, { name: "ab" });
	await outline.update(id, { name: "abc" });
	expect(await leftBy(outline, id)).toEqual(["a", ""]);
});

test("endUndoStep leaves the steps as they are", async () => {
	const outline = newOutline({ history: { groupWithin: 1000, keep: true } });
	outline.endUndoStep();
	const { id } = await outline.create({ name: "a" });
	await outline.update(id, { name: "b" });
	await outline.undo();
	outline.endUndoStep();
	expect(outline.history).toEqual({ undo: 1, redo: 1 });
	await outline.redo();
	expect((await outline.get(id)).name).toBe("b");
});

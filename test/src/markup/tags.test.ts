import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { tagsIn } from "../../../src/markup/tags.js";
import { Outline } from "../../../src/outline.js";

test("tags have their offsets, and none are in words, web addresses and blanks", () => {
	expect(tagsIn("#a, é (@Bo/x-y) c#d me@x.org https://x.org/#e # #_f")).toEqual([
		{ tag: "#a", start: 0, end: 2 },
		{ tag: "@Bo/x-y", start: 7, end: 14 },
		{ tag: "#_f", start: 48, end: 51 },
	]);
	expect(tagsIn("")).toEqual([]);
	expect(() => tagsIn(undefined as never)).toThrow("tagsIn was given undefined. It takes a text");
});

test("an outline counts the same tags", async () => {
	const outline = new Outline({ storage: createMemoryStorage() });
	const text = "#α ＃全 a@b #x#y ,@z. /#w \ufffc#v";
	await outline.create({ name: text, format: "text" });
	const counted = (await outline.tags()).map(({ tag }) => tag);
	expect(counted.sort()).toEqual(
		tagsIn(text)
			.map(({ tag }) => tag)
			.sort(),
	);
	expect(counted.length).toBeGreaterThan(3);
	await outline.close();
});

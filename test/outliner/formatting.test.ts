import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test.each(["2*3*4", "2*3*", "10**2**3", "2*3*4*5"])("%s is arithmetic", async (text) => {
	const tab = await app.open();
	await tab.type(text);
	expect(await tab.rows()).toEqual([text]);
});

test("undo takes back the formatting alone, and leaves the characters as they were typed", async () => {
	const tab = await app.open();
	await tab.type("some *words* here");
	expect(await tab.rows()).toEqual(["some <i>words</i> here"]);
	const undone = async () => {
		await tab.press("Control+z");
		return { rows: await tab.rows(), caret: await tab.caret() };
	};
	expect(await undone()).toEqual({ rows: ["some <i>words</i>"], caret: "some words|" });
	expect(await undone()).toEqual({ rows: ["some *words*"], caret: "some *words*|" });
	for (const row of ["some <i>words</i>", "some <i>words</i> here"]) {
		await tab.press("Control+Shift+z");
		expect(await tab.rows()).toEqual([row]);
	}
	await undone();
	await undone();
	await tab.type(" stay");
	expect(await tab.rows()).toEqual(["some *words* stay"]);
});

test("Backspace right behind what was formatted does so too", async () => {
	const tab = await app.open();
	await tab.type("2 and **a*b*");
	expect(await tab.rows()).toEqual(["2 and **a<i>b</i>"]);
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["2 and **a*b*"]);
	expect(await tab.caret()).toBe("2 and **a*b*|");
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["2 and **a*b"]);

	// Once something else has happened, it deletes characters as usual.
	await tab.type("* c");
	await tab.press("Backspace", "Backspace");
	expect(await tab.rows()).toEqual(["2 and **a<i>b</i>"]);
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["2 and **a"]);
	await tab.press("Enter");
	await tab.type("*d*");
	await tab.press("Tab", "Backspace");
	expect(await tab.rows()).toEqual(["2 and **a", "  "]);
});

test("undo makes the text of a typed address plain again, and leaves the address", async () => {
	const tab = await app.open();
	await tab.type("see https://example.org now");
	expect(await tab.rows()).toEqual(['see <a href="https://example.org">https://example.org</a> now']);
	await tab.press("Control+z", "Control+z");
	expect(await tab.rows()).toEqual(["see https://example.org "]);
});

test("text typed behind formatted text isn't formatted, also in the middle of a row", async () => {
	const tab = await app.open();
	await tab.type("one two");
	await tab.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
	await tab.type("*is* here ");
	expect(await tab.rows()).toEqual(["one <i>is</i> here two"]);
});

test.each([
	["a heading", "# one two", [], "Control+b", "b"],
	["a quote", "> one two", [], "Control+i", "i"],
	["a completed node", "one two", ["Control+Enter"], "Control+Shift+x", "s"],
	["the title", "one two", ["Control+."], "Control+b", "b"],
])("a word of %s can be formatted, and be plain again", async (_, text, before, keys, tag) => {
	const tab = await app.open();
	await tab.type(text);
	await tab.press(...before);
	if (before.includes("Control+.")) await tab.page.waitForSelector(".title");
	await tab.saved();
	await tab.press("End", "Control+Shift+ArrowLeft");
	const name = () => tab.page.evaluate(() => document.activeElement!.innerHTML.replaceAll("strike>", "s>"));
	await tab.press(keys);
	await expect.poll(name).toBe(`one <${tag}>two</${tag}>`);
	await tab.press(keys);
	await expect.poll(name).toBe("one two");
	await tab.press(keys, "ArrowRight");
	await tab.type(" three");
	await expect.poll(name).toContain("three");
	await tab.saved();
	await tab.page.reload();
	await tab.ready();
	expect(await tab.page.locator(".name").first().innerHTML()).toBe(`one <${tag}>two three</${tag}>`);
});

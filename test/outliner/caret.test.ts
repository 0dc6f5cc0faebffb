import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("the caret goes from line to line and from node to node, and keeps its column", async () => {
	const tab = await app.openWith("first line", "second line", "third line");
	await tab.press("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp");
	expect(await tab.caret()).toMatch(/^sec\|ond|^seco\|nd|^se\|cond/);
	await tab.press("ArrowUp", "ArrowUp");
	expect(await tab.caret()).toBe("|first line");
	await tab.press("ArrowLeft", "End", "ArrowRight");
	expect(await tab.caret()).toBe("|second line");
	await tab.press("ArrowLeft");
	expect(await tab.caret()).toBe("first line|");
	// Wrapped to three lines, it takes as many steps.
	await tab.type(" that is much longer than a line on the screen".repeat(4));
	await tab.press("Control+Home", "ArrowDown", "ArrowDown");
	expect(await tab.caret()).toMatch(/^first/);
	await tab.press("ArrowDown");
	expect(await tab.caret()).toBe("|second line");
	await tab.press("ArrowUp", "ArrowUp");
	expect(await tab.caret()).toMatch(/^first line that.*\|/);
});

test("on a Mac, Alt with left and right moves the caret by words, and no rows", async () => {
	const context = await app.profile();
	await context.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
	const tab = await app.open(context);
	await tab.write("a", "b");
	await tab.press("Alt+ArrowRight", "Alt+Shift+ArrowRight");
	expect([await tab.title(), await tab.rows()]).toEqual([null, ["a", "b"]]);
	await tab.press("Meta+.");
	await expect.poll(() => tab.title()).toBe("b");
});

test("from the end of a line that wraps, the caret goes to the line below or above, as from the middle", async () => {
	const tab = await app.openWith("above", "word ".repeat(30).trim(), "below");
	await tab.press("Control+Home", "ArrowDown", "ArrowRight", "End", "ArrowDown");
	expect(await tab.caret()).toMatch(/word\|$/);
	await tab.press("Control+Home", "ArrowDown", "ArrowRight", "End", "ArrowUp");
	expect(await tab.caret()).toBe("above|");
	await tab.press("Control+Home", "ArrowDown", "ArrowRight", "End", "Shift+ArrowDown");
	expect(await tab.caret()).toMatch(/^word .*\[word .*word\]$/);
	await tab.press("Control+Home", "ArrowDown", "ArrowRight", "Shift+End", "Shift+ArrowDown");
	expect(await tab.caret()).toMatch(/^w\[.*word\]$/);
});

test("up and down keep the column over shorter rows, until the caret goes elsewhere", async () => {
	const tab = await app.openWith("abcdefghijklmnop", "xy", "", "abcdefghijklmnop");
	await tab.press("Home", ...Array.from({ length: 10 }, () => "ArrowRight"));
	await tab.press("ArrowUp", "ArrowUp");
	expect(await tab.caret()).toBe("xy|");
	await tab.press("ArrowUp");
	expect(await tab.caret()).toBe("abcdefghij|klmnop");
	await tab.press("ArrowDown", "ArrowDown", "ArrowDown");
	expect(await tab.caret()).toBe("abcdefghij|klmnop");
	await tab.press("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowUp");
	expect(await tab.caret()).toMatch(/^ab?\|/);
	await tab.press("ArrowDown", "End");
	await tab.type("z");
	await tab.press("ArrowUp");
	expect(await tab.caret()).toMatch(/^abcd?\|/);
});

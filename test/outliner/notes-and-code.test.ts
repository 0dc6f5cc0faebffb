import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("a blank text shows its purpose while it is blank", async () => {
	const tab = await app.open();
	const hint = (field: string) =>
		tab.page.$eval(`.row .${field}`, (element) => getComputedStyle(element, "::before").content.slice(0, 11));
	expect(await hint("name")).toBe('"Write here');
	await tab.type("a");
	expect(await hint("name")).toBe("none");
	await tab.press("Shift+Enter");
	expect(await hint("note")).toBe('"Note"');
	await tab.type("n");
	expect(await hint("note")).toBe("none");
	await tab.saved();
	await tab.reload();
	expect(await hint("note")).toBe("none");
	await tab.press("Shift+Enter", "Backspace");
	expect(await hint("note")).toBe('"Note"');
});

test("up and down pass the blank lines of a note", async () => {
	const tab = await app.openWith("a", "b");
	await tab.press("ArrowUp", "Shift+Enter");
	await tab.type("one\n\nthree\n");
	await tab.press("ArrowUp", "ArrowUp", "ArrowUp");
	await tab.type("1");
	expect(await tab.caret()).toContain("1|one\n\nthree");
	await tab.press("ArrowDown", "ArrowDown", "ArrowDown");
	await tab.type("4");
	expect(await tab.caret()).toContain("three\n4|");
});

test("arrows and Backspace lead through notes, and out of them", async () => {
	const tab = await app.open();
	await tab.type("a");
	await tab.press("Shift+Enter");
	await tab.type("note");
	await tab.press("Escape", "Enter");
	await tab.type("b");
	await tab.press("Home");
	const seen: (string | undefined)[] = [];
	for (const key of ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
		await tab.press(key);
		seen.push(await tab.caret());
	}
	expect(seen).toEqual(["|note", "|a", "|note", "|b", "note|", "|b"]);
	await tab.press("ArrowUp", "Control+a", "Backspace", "Backspace");
	await expect.poll(() => tab.caret()).toBe("a|");
	expect(await tab.page.locator(".note").count()).toBe(0);
	await tab.press("ArrowDown");
	expect(await tab.caret()).toBe("b|");
});

test("Enter on a blank last line leaves a code block, and so does the arrow down at its end", async () => {
	const tab = await app.open();
	await tab.type("``` let x = 1\nlet y\n\nbelow");
	expect(await tab.rows()).toEqual(["let x = 1\nlet y", "below"]);
	expect(await tab.page.$$eval(".row.code-block", (rows) => rows.length)).toBe(1);
	await tab.press("ArrowUp", "End", "Enter", "ArrowDown", "Home");
	expect(await tab.caret()).toBe("|below");
	expect(await tab.rows()).toEqual(["let x = 1\nlet y\n", "below"]);
	await tab.press("ArrowUp", "Control+Enter", "Control+Enter", "Enter");
	await tab.type("child");
	expect(await tab.rows()).toEqual(["let x = 1\nlet y", "child", "below"]);
});

test("the arrow down at the end of the last code block makes a row below", async () => {
	const tab = await app.open();
	await tab.type("``` one\ntwo");
	await tab.press("ArrowUp", "ArrowDown", "ArrowDown");
	await tab.type("next");
	expect(await tab.rows()).toEqual(["one\ntwo", "next"]);
	await tab.press("ArrowDown");
	expect(await tab.rows()).toEqual(["one\ntwo", "next"]);
});

import { expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { App } from "./app.js";

const app = new App();

/** Longer than the pause that ends a step. */
const pause = 1100;

test("after undo and redo the caret is where the text has changed", async () => {
	const tab = await app.open();
	await tab.type("hello world foo");
	await tab.page.waitForTimeout(pause);
	for (let count = 0; count < 9; count++) await tab.press("ArrowLeft");
	await tab.type("XY");
	expect(await tab.caret()).toBe("hello XY|world foo");
	await tab.press("Control+z");
	await expect.poll(() => tab.caret()).toBe("hello |world foo");
	await tab.press("Control+y");
	await expect.poll(() => tab.caret()).toBe("hello XY|world foo");
});

test.runIf(!short)("undo takes back some words, however long one types without a pause", async () => {
	const tab = await app.open();
	const words = Array.from({ length: 40 }, (_, word) => `word${word}`);
	const text = words.join(" ");
	for (const [index, word] of words.entries()) {
		await tab.type(index === 0 ? word : ` ${word}`);
		// On a busy machine, a whole burst of keys would be stored at once, as one step.
		await tab.saved();
	}
	for (let taken = 0, length = text.length; taken < 3; taken++) {
		await tab.press("Control+z");
		const [row] = await tab.rows();
		expect(row!.length).toBeLessThan(length);
		expect(row!.length).toBeGreaterThanOrEqual(length - 31);
		expect(text.startsWith(row!)).toBe(true);
		length = row!.length;
	}
});

test("undo works after the page is loaded again", async () => {
	const tab = await app.openWith("one", "two");
	await tab.reload();
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["one", ""]);
	await tab.press("Control+Shift+z");
	await expect.poll(() => tab.rows()).toEqual(["one", "two"]);
});

test.runIf(!short)("undo takes back the deletion of 10,000 nodes", async () => {
	const tab = await app.open();
	const lines = Array.from({ length: 10_000 }, (_, index) => `\trow ${index} with the text of a usual line of notes`);
	await tab.type("first");
	await tab.press("Enter");
	await tab.paste(`Big\n${lines.join("\n")}\n`);
	await tab.page.getByText("row 9999 with").waitFor();
	await tab.press("Control+Home", "ArrowDown", "Control+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["first", "Big"]);
	await tab.press("Control+Shift+Backspace");
	await expect.poll(() => tab.rows()).toEqual(["first"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["first", "Big"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["first", ""]);
});

test("undo takes back what was typed at one place, although one goes on elsewhere without a pause", async () => {
	const tab = await app.open();
	await tab.type("hello world");
	await tab.press("Home");
	await tab.type("XY ");
	expect(await tab.caret()).toBe("XY |hello world");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["hello world"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual([""]);
});

test("undo takes back what was typed at one place, although the page was too busy to store it", async () => {
	const tab = await app.openWith("a");
	await tab.pressAtOnce(..."bcd", "Home", "x", "y");
	await expect.poll(() => tab.rows()).toEqual(["xyabcd"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["abcd"]);
});

test("undo takes back what was typed after one has been elsewhere", async () => {
	const tab = await app.openWith("one", "two");
	await tab.press("ArrowUp", "ArrowDown", "End");
	await tab.type("!");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["one", "two"]);
	await tab.type("?");
	await tab.press("Control+.");
	await expect.poll(() => tab.caret()).toBe("two?|");
	await tab.type(" more");
	await tab.press("Control+z");
	await expect.poll(() => tab.title()).toBe("two?");
});

test.runIf(!short).each([
	["a German keyboard, which has Y and Z the other way round", "z", "KeyY", "y", "KeyZ"],
	["a French keyboard, which has Z in the place of W", "z", "KeyW", "y", "KeyY"],
	["a Russian keyboard, which has no such letters", "я", "KeyZ", "н", "KeyY"],
])("undo and redo are where their letters are: %s", async (_, undo, undoCode, redo, redoCode) => {
	const tab = await app.openWith("a", "b");
	const session = await tab.page.context().newCDPSession(tab.page);
	const press = (key: string, code: string) =>
		session.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, modifiers: 2 });
	await press(undo, undoCode);
	await expect.poll(() => tab.rows()).toEqual(["a", ""]);
	await press(redo, redoCode);
	await expect.poll(() => tab.rows()).toEqual(["a", "b"]);
});

import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** Whether no element has the focus. */
const isLost = ({ page }: Tab) => page.evaluate(() => document.activeElement === document.body);

test("undoing the row with the caret moves the caret to the row before it", async () => {
	const tab = await app.openWith("a", "b");
	await tab.press("Enter", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b"]);
	expect(await tab.caret()).toBe("b|");
});

test("of a fresh outline nothing can be undone", async () => {
	const tab = await app.open();
	await tab.press("Control+z");
	await tab.page.getByText("There is nothing to undo.").waitFor();
	await tab.type("a");
	expect(await tab.rows()).toEqual(["a"]);
});

test("when everything is deleted a blank line remains, and undo restores everything", async () => {
	const tab = await app.open();
	await tab.press("Backspace", "Control+Shift+Backspace");
	expect(await tab.caret()).toBe("|");
	await tab.write("a", "  b", "c");
	await tab.press("Control+a", "Control+a", "Control+a");
	expect(await tab.selected()).toEqual(["a", "b", "c"]);
	await tab.press("Backspace");
	await expect.poll(() => tab.rows()).toEqual([""]);
	expect(await tab.caret()).toBe("|");
	await tab.type("x");
	await tab.press("Control+z", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "c"]);
	expect(await isLost(tab)).toBe(false);
});

test("when all below a node is deleted the caret goes to its title", async () => {
	const tab = await app.openWith("a", "  b");
	await tab.press("ArrowUp", "Control+.", "ArrowDown");
	await expect.poll(() => tab.caret()).toBe("|b");
	await tab.press("Control+Shift+Backspace");
	await expect.poll(() => tab.rows()).toEqual([]);
	expect(await tab.caret()).toBe("a|");
});

test("completing a row while completed nodes are hidden moves the caret to the next row, else before, else above", async () => {
	const tab = await app.openWith("top", "  a", "  b", "    below", "  c", "end");
	await tab.press("Control+o");
	await tab.row("b").locator(".name").click();
	await tab.press("Control+Enter");
	await expect.poll(() => tab.rows()).toEqual(["top", "  a", "  c", "end"]);
	expect(await tab.caret()).toBe("c|");
	await tab.press("Control+Enter");
	await expect.poll(() => tab.rows()).toEqual(["top", "  a", "end"]);
	expect(await tab.caret()).toBe("a|");
	await tab.press("Control+Enter");
	await expect.poll(() => tab.rows()).toEqual(["top", "end"]);
	expect(await tab.caret()).toBe("top|");
	// Letters that come at once go on there.
	await tab.pressAtOnce("Control+Enter", "!");
	await expect.poll(() => tab.rows()).toEqual(["end!"]);
	await tab.press("Control+Enter");
	await expect.poll(() => tab.rows()).toEqual([]);
	await tab.press("Enter");
	await expect.poll(() => tab.caret()).toBe("|");
});

test("keys that go or delete by words do so too when they wait for a new row", async () => {
	const tab = await app.open();
	await tab.pressAtOnce("Enter", ..."ab cd ef", "Control+Backspace", "Control+ArrowLeft", "x", "Control+Delete", "y");
	await expect.poll(() => tab.rows()).toEqual(["", "ab xy "]);
});

test("the row behind selected rows gets the caret when they are completed and hidden, also by a click", async () => {
	const tab = await app.openWith("a", "[] b", "c", "d", "e");
	await tab.row("c").locator(".name").click();
	await tab.press("Control+o", "Escape", "Shift+ArrowDown", "Control+Enter");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "e"]);
	expect(await tab.caret()).toBe("e|");
	await tab.row("b").locator("input[type=checkbox]").click();
	await expect.poll(() => tab.rows()).toEqual(["a", "e"]);
	expect(await tab.caret()).toBe("e|");
});

test("a branch that is folded takes the caret to its top", async () => {
	const tab = await app.openWith("a", "  b", "    c");
	await tab.page.hover(".row");
	await tab.page.locator(".row .fold").first().click();
	await expect.poll(() => tab.rows()).toEqual(["a"]);
	expect(await tab.caret()).toBe("a|");
});

test("a command that goes elsewhere takes the caret along", async () => {
	const tab = await app.openWith("a", "  b");
	await tab.press("Control+.");
	await expect.poll(() => tab.title()).toBe("b");
	await tab.command("top level");
	await expect.poll(() => tab.rows()).toEqual(["a", "  b"]);
	expect(await tab.caret()).toBe("a|");
});

test("when the focus has left all texts the arrow keys lead back", async () => {
	const tab = await app.openWith("a", "b");
	await tab.page.evaluate(() => (document.activeElement as HTMLElement).blur());
	expect(await tab.caret()).toBe(undefined);
	await tab.press("ArrowUp");
	expect(await tab.caret()).toBe("b|");
});

test("when the row with the caret is deleted elsewhere, what is typed goes nowhere, and the arrow keys lead on", async () => {
	const [tab, other] = await app.twoTabs(["a", "b", "c"]);
	await tab.press("ArrowUp");
	await other.press("ArrowDown", "Control+Shift+Backspace");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	await tab.type("x");
	await tab.press("ArrowDown");
	expect(await tab.caret()).toBe("a|");
	expect(await tab.rows()).toEqual(["a", "c"]);
});

test("keys reach and answer a message, and the caret returns", async () => {
	const tab = await app.open();
	await tab.press("Control+z");
	await tab.page.getByText("There is nothing to undo.").waitFor();
	await tab.type("a");
	await tab.press("F6", "F6");
	expect(await tab.page.evaluate(() => document.activeElement!.closest(".notices") !== null)).toBe(true);
	await tab.press("Enter");
	await expect.poll(() => tab.message()).toBe(null);
	expect(await tab.caret()).toBe("a|");
});

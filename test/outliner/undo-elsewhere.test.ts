import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

const show = (tab: Tab) => tab.page.locator(".notice button", { hasText: "Show" }).click();

test("undo unfolds the row whose text it takes back", async () => {
	const tab = await app.openWith("one", "  two", "    three");
	await tab.press("ArrowUp", "ArrowDown", "End");
	await tab.type("!");
	await tab.press("ArrowUp", "ArrowUp", "Control+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["one"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["one", "  two", "    three"]);
	expect(await tab.caret()).toBe("three|");
	await tab.press("ArrowUp", "ArrowUp", "Control+ArrowUp", "Control+y");
	await expect.poll(() => tab.caret()).toBe("three!|");
	expect(await tab.message()).toBe(null);
});

test("undo in another part of the outline says so, and leads there", async () => {
	const tab = await app.openWith("one", "  below one", "two");
	await tab.press("ArrowUp", "ArrowDown", "End");
	await tab.type("!");
	await tab.press("ArrowUp", "ArrowUp", "Control+.");
	await expect.poll(() => tab.title()).toBe("one");
	await tab.press("Control+z");
	await expect.poll(() => tab.message()).toBe("Undone in “two”.");
	await show(tab);
	await expect.poll(() => tab.rows()).toEqual(["one", "  below one", "two"]);
	expect(await tab.caret()).toBe("two|");
});

test("undo of a row in another part of the outline names the node above it", async () => {
	const tab = await app.openWith("one", "two", "  three");
	await tab.press("Enter", "ArrowUp", "ArrowUp", "ArrowUp", "Control+.");
	await expect.poll(() => tab.title()).toBe("one");
	await tab.press("Control+z");
	await expect.poll(() => tab.message()).toBe("Undone in “two”.");
	await tab.press("Control+y");
	await expect.poll(() => tab.message()).toBe("Redone in “two”.");
	await show(tab);
	await expect.poll(() => tab.title()).toBe("two");
	expect(await tab.rows()).toEqual(["three", ""]);
	expect(await tab.caret()).toBe("|");
});

test("undo of the title's text puts the caret into it, and undo of a visible row shows no message", async () => {
	const tab = await app.openWith("one", "  two");
	await tab.press("ArrowUp", "Control+.");
	await expect.poll(() => tab.caret()).toBe("one|");
	await tab.type("!");
	await tab.press("ArrowDown", "Control+z");
	await expect.poll(() => tab.caret()).toBe("one|");
	await tab.press("ArrowDown", "Enter", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["two"]);
	expect(await tab.message()).toBe(null);
});

test("undo of a row that a query leaves out says so, and leads there", async () => {
	const tab = await app.openWith("one", "two");
	await tab.press("ArrowUp", "ArrowDown", "End");
	await tab.type("!");
	await tab.filter("one");
	await expect.poll(() => tab.rows()).toEqual(["one"]);
	await tab.press("Enter", "Control+z");
	await expect.poll(() => tab.message()).toBe("Undone in “two”.");
	await show(tab);
	await expect.poll(() => tab.caret()).toBe("two|");
});

test("undo that takes away the visible node leads to the top level", async () => {
	const tab = await app.openWith("one");
	await tab.paste("- two\n- three");
	await expect.poll(() => tab.caret()).toBe("three|");
	await tab.press("Control+.");
	await expect.poll(() => tab.title()).toBe("three");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["one"]);
	expect(await tab.title()).toBe(null);
	expect(await tab.page.locator(".notice.error").count()).toBe(0);
});

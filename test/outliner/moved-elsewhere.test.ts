import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** Two tabs of one profile: the first is in the row `two`, the second in the row `three`. */
async function twoTabs(): Promise<[Tab, Tab]> {
	const [tab, other] = await app.twoTabs(["one", "two", "three"]);
	await tab.into("two");
	return [tab, other];
}

/** The same with `two` below `one`, which the first shows. Both are in the row `two`. */
async function twoTabsInRow(): Promise<[Tab, Tab]> {
	const [tab, other] = await twoTabs();
	await tab.press("Tab", "ArrowUp", "Control+.", "ArrowDown");
	await expect.poll(() => tab.caret()).toBe("two|");
	await other.row("one").locator(".name").click();
	await other.press("Control+ArrowDown", "ArrowDown");
	return [tab, other];
}

test("a row that another tab moves below a folded row stays in sight, and takes all letters", async () => {
	const [tab, other] = await twoTabs();
	await other.row("two").locator(".name").click();
	const typing = tab.page.keyboard.type("abcdefghijklmnopqrst", { delay: 30 });
	await other.press("Tab");
	await typing;
	for (const each of [tab, other]) {
		await expect.poll(() => each.rows()).toEqual(["one", "  twoabcdefghijklmnopqrst", "three"]);
	}
	expect(await tab.caret()).toBe("twoabcdefghijklmnopqrst|");
});

test.each([
	["the row up", "two", "Alt+Shift+ArrowUp", ["two!", "one", "three"]],
	["the row down", "two", "Alt+Shift+ArrowDown", ["one", "three", "two!"]],
	["the row above it down", "one", "Alt+Shift+ArrowDown", ["two!", "one", "three"]],
	["the row below it up", "three", "Alt+Shift+ArrowUp", ["one", "three", "two!"]],
])("the caret stays in its place when another tab moves %s", async (_, name, keys, rows) => {
	const [tab, other] = await twoTabs();
	await other.row(name).locator(".name").click();
	await other.press(keys);
	await expect.poll(() => tab.rows()).toEqual(rows.map((row) => row.replace("!", "")));
	expect(await tab.caret()).toBe("two|");
	await tab.type("!");
	expect(await tab.rows()).toEqual(rows);
});

test("the page follows other tabs that delete the selected row, and then more rows", async () => {
	const [tab, other] = await twoTabs();
	await tab.press("ArrowDown", "Escape");
	await expect.poll(() => tab.selected()).toEqual(["three"]);
	await other.remove("three");
	await expect.poll(() => tab.rows()).toEqual(["one", "two"]);
	await other.press("Control+Shift+Backspace");
	await expect.poll(() => tab.rows()).toEqual(["one"]);
	await other.type("!");
	await expect.poll(() => tab.rows()).toEqual(["one!"]);
});

test("a row goes along below the row that another tab moves", async () => {
	const [tab, other] = await twoTabs();
	await tab.press("Tab");
	await expect.poll(() => other.rows()).toEqual(["one", "three"]);
	await other.row("one").locator(".name").click();
	await other.press("Alt+Shift+ArrowDown", "Tab");
	await expect.poll(() => tab.rows()).toEqual(["three", "  one", "    two"]);
	await tab.type("!");
	expect(await tab.caret()).toBe("two!|");
});

test("the page follows a row out of the visible node, says so, and leads back", async () => {
	const [tab, other] = await twoTabsInRow();
	await tab.press("Home");
	await other.press("Shift+Tab");
	await expect.poll(() => tab.message()).toBe("“two”, which you are in, was moved or completed elsewhere.");
	expect(await tab.rows()).toEqual(["one", "two", "three"]);
	await tab.type("!");
	expect(await tab.caret()).toBe("!|two");
	await tab.page.click("text=Go back");
	await expect.poll(() => tab.title()).toBe("one");
});

test("letters typed into a row that another tab moves out of the visible node, and then deletes, are kept", async () => {
	const [tab, other] = await twoTabsInRow();
	const letters = "abcdefghijklmnopqrstuvwxyz".repeat(3);
	await Promise.all([tab.type(letters), other.press("Shift+Tab", "Control+Shift+Backspace")]);
	await tab.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => other.rows()).toContain(`two${letters}`);
});

test("a dialog takes all letters while the page follows a row out of the visible node", async () => {
	const [tab, other] = await twoTabsInRow();
	await tab.search("thr");
	await other.press("Shift+Tab");
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "three"]);
	await tab.type("ee");
	expect(await tab.page.locator("dialog input").inputValue()).toBe("three");
	await tab.press("Escape");
	await tab.type("!");
	expect(await tab.caret()).toBe("two!|");
});

import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("the palette does a command with what was selected when it opened", async () => {
	const tab = await app.openWith("one two");
	await tab.press("Control+Shift+ArrowLeft", "Control+Shift+k");
	expect(await tab.dialog()).toBe("Commands");
	await tab.type("bold\n");
	await expect.poll(() => tab.rows()).toEqual(["one <b>two</b>"]);
	expect(await tab.caret()).toBe("one [two]");
});

test("it does a command with the rows that were selected", async () => {
	const tab = await app.openWith("a", "b", "c");
	await tab.press("Escape", "Shift+ArrowUp", "Control+Shift+k");
	await tab.type("todos");
	await expect.poll(() => tab.page.textContent("dialog .picker-status")).toContain("No command matches “todos”");
	await tab.page.fill("dialog input", "to-do");
	await tab.press("Enter");
	await tab.saved();
	const classes = () => tab.page.$$eval(".row", (rows) => rows.map(({ className }) => className.split(" ")[1]));
	await expect.poll(classes).toEqual(["bullets", "todo", "todo"]);
});

test("shows only possible commands, with their keys, and finds them by any of their words", async () => {
	const tab = await app.open();
	await tab.press("Control+Shift+k");
	const all = (await tab.choices()).map((choice) => choice.replace("› ", ""));
	expect(all).toEqual(expect.arrayContaining(["Bold", "Indent", "Search", "Undo", "Mirror here…"]));
	for (const absent of ["Go to the origin", "Zoom out", "Follow the link, date or tag at the caret"]) {
		expect(all).not.toContain(absent);
	}
	await tab.type("out");
	expect((await tab.choices())[0]).toBe("› Outdent");
	expect(await tab.page.textContent('dialog [aria-selected="true"] kbd')).toBe("Shift+Tab");
	await tab.page.fill("dialog input", "node select");
	expect(await tab.choices()).toEqual(["› Select the node"]);
});

test("the button of the bar opens it for the row that was written in, and the caret stays there", async () => {
	const tab = await app.openWith("title");
	await tab.page.click('[aria-label="Commands"]');
	await tab.type("heading 2\n");
	await expect.poll(() => tab.page.$$eval(".row.h2", (rows) => rows.length)).toBe(1);
	expect(await tab.caret()).toBe("title|");
});

test("keys are listed, from the palette too, and what opens a dialog works in each", async () => {
	const tab = await app.open();
	await tab.press("Control+Shift+k");
	await tab.page.click("text=All keys");
	await expect.poll(() => tab.dialog()).toBe("Keys");
	const lines = await tab.page.$$eval("dialog dl > div", (all) => all.map((line) => line.textContent));
	expect(lines).toEqual(expect.arrayContaining(["BoldCtrl+B", "SearchCtrl+K", "IndentTabAlt+Shift+→"]));
	expect(lines).toContain("Select nodesShift+↑Shift+↓");
	await tab.press("Control+k");
	expect(await tab.dialog()).toBe("Search");
	await tab.press("Escape", "F1");
	expect(await tab.dialog()).toBe("Keys");
	await tab.press("Escape");
	expect(await tab.caret()).toBe("|");
});

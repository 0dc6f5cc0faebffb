import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** A tab with a list, a node beside it, and the caret in a blank row at the end. */
const written = () => app.openWith("List", "  milk", "Notes", "");

/** Which rows are mirrors, by their names. */
function mirrors(tab: Tab): Promise<string[]> {
	return tab.page.$$eval(".row.mirror .name", (names) => names.map(({ textContent }) => textContent!));
}

/** Does a command by the palette. */
async function command(tab: Tab, label: string): Promise<void> {
	await tab.press("Control+Shift+k");
	await tab.page.fill("dialog input", label);
	expect((await tab.choices())[0]).toBe(`› ${label}`);
	await tab.press("Enter");
}

test("(( in a blank row becomes a mirror, which shows the origin's text and changes it", async () => {
	const tab = await written();
	await tab.type("((lis\n");
	await expect.poll(() => mirrors(tab)).toEqual(["List"]);
	expect(await tab.rows()).toEqual(["List", "  milk", "Notes", "List"]);
	expect(await tab.caret()).toBe("List|");
	await tab.type(" of mine");
	expect(await tab.rows()).toEqual(["List of mine", "  milk", "Notes", "List of mine"]);
	await tab.page.click(".row >> nth=0 >> .name");
	await tab.press("End");
	await tab.type("!");
	expect(await tab.rows()).toEqual(["List of mine!", "  milk", "Notes", "List of mine!"]);
	expect(await tab.page.textContent(".mirrors")).toBe("2 places");
	await tab.press("Control+z", "Control+z", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["List", "  milk", "Notes", ""]);
	expect(await mirrors(tab)).toEqual([]);
});

test("each undo after (( changes something, also if one typed and deleted something before it", async () => {
	const tab = await written();
	await tab.type("x");
	await tab.press("Backspace");
	await tab.type("((milk\n");
	await expect.poll(() => mirrors(tab)).toEqual(["milk"]);
	// On a busy machine, the keys before the mirror are more than a second apart, and then they are steps.
	for (let before = await tab.rows(); before.length > 3; before = await tab.rows()) {
		await tab.press("Control+z");
		await expect.poll(() => tab.rows()).not.toEqual(before);
	}
	expect(await tab.rows()).toEqual(["List", "  milk", "Notes"]);
});

test("an undo below a mirror leaves the caret there, and not at the origin", async () => {
	const tab = await written();
	await tab.type("((lis\n");
	await expect.poll(() => mirrors(tab)).toEqual(["List"]);
	await tab.press("Control+Space", "ArrowDown", "Shift+Tab");
	await expect.poll(() => tab.rows()).toEqual(["List", "Notes", "List", "milk"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["List", "  milk", "Notes", "List", "  milk"]);
	await expect.poll(() => tab.caret()).toBe("milk|");
	await tab.press("ArrowUp");
	expect(await mirrors(tab)).toEqual(["List"]);
	expect(await tab.page.evaluate(() => document.activeElement!.closest(".row")!.classList.contains("mirror"))).toBe(
		true,
	);
});

test("(( behind other text puts the mirror below, and Escape leaves what was typed", async () => {
	const tab = await written();
	await tab.press("ArrowUp", "End");
	await tab.type(" see ((");
	expect(await tab.dialog()).toBe("Mirror a node here");
	await tab.press("Escape");
	expect(await tab.caret()).toBe("Notes see ((|");
	await tab.type("(");
	await tab.press("Backspace");
	expect(await tab.dialog()).toBeNull();
	await tab.press("Backspace");
	await tab.type("(milk\n");
	await expect.poll(() => mirrors(tab)).toEqual(["milk"]);
	expect(await tab.rows()).toEqual(["List", "  milk", "Notes see ", "milk", ""]);
});

test("(( in the title puts the mirror on top of what is below it", async () => {
	const tab = await written();
	await tab.press("ArrowUp", "Alt+ArrowRight");
	await expect.poll(() => tab.title()).toBe("Notes");
	await tab.type("((milk\n");
	await expect.poll(() => mirrors(tab)).toEqual(["milk"]);
	expect(await tab.title()).toBe("Notes");
});

test("(( in code is code", async () => {
	const tab = await app.open();
	await tab.type("``` ((a))");
	expect(await tab.dialog()).toBe(null);
	expect(await tab.rows()).toEqual(["((a))"]);
});

test("a node can't be mirrored directly below itself, and a message says so", async () => {
	const tab = await written();
	await tab.page.click(".row >> nth=1 >> .name");
	await tab.press("End");
	await command(tab, "Mirror here…");
	await tab.type("list\n");
	await expect.poll(() => tab.message()).toBe("“List” can't be directly below itself. Put the mirror somewhere else.");
	expect(await tab.rows()).toEqual(["List", "  milk", "Notes", ""]);
});

test("a mirror can't be indented directly below its origin, and a message says so", async () => {
	const tab = await written();
	await tab.press("ArrowUp", "Control+Shift+Backspace");
	await tab.press("Control+End");
	await tab.type("((list\n");
	await expect.poll(() => mirrors(tab)).toEqual(["List"]);
	await tab.press("Tab");
	await expect
		.poll(() => tab.message())
		.toBe("Nothing was changed: a node can’t go below itself, nor a mirror directly below its origin.");
	expect(await tab.rows()).toEqual(["List", "  milk", "List"]);
	expect(await tab.caret()).toBe("List|");
});

test("a mirror further down in its origin is folded, and a sign says why", async () => {
	const tab = await written();
	await tab.page.click(".row >> nth=1 >> .name");
	await tab.press("End", "Enter", "Tab");
	await tab.type("((list\n");
	await expect.poll(() => mirrors(tab)).toEqual(["List"]);
	expect(await tab.rows()).toEqual(["List", "  milk", "    List", "Notes", ""]);
	expect(await tab.page.getAttribute(".row.mirror .recurring", "title")).toContain("shown above already");
	expect(await tab.page.isVisible(".row.mirror .fold")).toBe(false);
	expect(await tab.violations()).toEqual([]);
});

test("from a mirror one goes to the origin and to its other places, and it goes while the origin stays", async () => {
	const tab = await written();
	await tab.type("((milk\n");
	await expect.poll(() => mirrors(tab)).toEqual(["milk"]);
	await command(tab, "Go to the origin");
	await expect.poll(() => tab.title()).toBe("List");
	expect(await tab.caret()).toBe("milk|");
	await tab.page.click("button.mirrors");
	await expect.poll(() => tab.dialog()).toBe("Places of this node");
	await expect.poll(() => tab.choices()).toEqual(["› milk", "milk"]);
	expect(await tab.page.$$eval("dialog .picker-heading", (all) => all.map((each) => each.textContent))).toEqual([
		"Origin",
		"Mirrors",
	]);
	await tab.press("ArrowDown", "Enter");
	await expect.poll(() => tab.title()).toBe(null);
	expect(await mirrors(tab)).toEqual(["milk"]);
	await command(tab, "Show all its mirrors");
	await expect.poll(() => tab.choices()).toEqual(["› milk", "milk"]);
	await tab.press("Escape");
	await command(tab, "Remove the mirror");
	await expect.poll(() => mirrors(tab)).toEqual([]);
	expect(await tab.rows()).toEqual(["List", "  milk", "Notes"]);
	expect(await tab.caret()).toBe("Notes|");
});

test("an origin and its mirror that are selected together are deleted in one step", async () => {
	const tab = await written();
	await tab.type("((lis\n");
	await expect.poll(() => tab.rows()).toEqual(["List", "  milk", "Notes", "List"]);
	await tab.press("Escape", "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp");
	await expect.poll(() => tab.selected()).toEqual(["List", "milk", "Notes", "List"]);
	await tab.press("Delete");
	await expect.poll(() => tab.rows()).toEqual([""]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["List", "  milk", "Notes", "List"]);
	expect(await mirrors(tab)).toEqual(["List"]);
});

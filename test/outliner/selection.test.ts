import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

const lines = ["a", "  a1", "  a2", "    a2x", "b", "  b1", "c"];

/** A tab with some rows, and the caret at the end of one. */
async function at(name: string, rows = lines): Promise<Tab> {
	const tab = await app.openWith(...rows);
	await tab.into(name);
	return tab;
}

test("Shift with arrows selects whole rows, grows over levels, and shrinks as it has grown", async () => {
	const tab = await at("a1");
	const seen: string[] = [];
	for (const key of ["Down", "Down", "Down", "Down", "Down", "Up", "Up", "Up", "Up"]) {
		await tab.press(`Shift+Arrow${key}`);
		seen.push((await tab.selected()).join(" "));
	}
	expect(seen).toEqual([
		"a1",
		"a1 a2 a2x",
		"a a1 a2 a2x b b1",
		"a a1 a2 a2x b b1 c",
		"a a1 a2 a2x b b1 c",
		"a a1 a2 a2x b b1",
		"a1 a2 a2x",
		"a1",
		"a a1 a2 a2x",
	]);
});

test("upwards it grows by the rows above, and leads back into them", async () => {
	const tab = await at("b1");
	const seen: string[] = [];
	for (const key of ["Up", "Up", "Up", "Down", "Down", "Down"]) {
		await tab.press(`Shift+Arrow${key}`);
		seen.push((await tab.selected()).join(" "));
	}
	expect(seen).toEqual(["b1", "b b1", "a a1 a2 a2x b b1", "b b1", "b1", "b b1 c"]);
});

test("a folded row counts for one, and takes along what is below it", async () => {
	const tab = await at("a");
	await tab.press("Control+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
	await tab.press("Escape", "Shift+ArrowDown");
	expect(await tab.selected()).toEqual(["a", "b", "b1"]);
	await tab.press("Shift+ArrowUp");
	expect(await tab.selected()).toEqual(["a"]);
	await tab.press("Shift+ArrowDown", "Backspace");
	await expect.poll(() => tab.rows()).toEqual(["c"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
});

test("Mod+A selects the text, the row, its siblings, the row above, and at last all", async () => {
	const tab = await at("a1");
	await tab.press("Control+a");
	expect(await tab.caret()).toBe("[a1]");
	const seen: string[] = [];
	for (let time = 0; time < 5; time++) {
		await tab.press("Control+a");
		seen.push((await tab.selected()).join(" "));
	}
	const all = "a a1 a2 a2x b b1 c";
	expect(seen).toEqual(["a1", "a1 a2 a2x", "a a1 a2 a2x", all, all]);
	// From the title on, it is all rows below it.
	await tab.into("a");
	await tab.press("Control+.");
	await expect.poll(() => tab.caret()).toBe("a|");
	await tab.press("Control+a", "Control+a");
	expect(await tab.selected()).toEqual(["a1", "a2", "a2x"]);
	await tab.press("Control+,");
	await expect.poll(() => tab.rows()).toEqual(lines);
	// A field without text has none to select.
	await tab.into("c");
	await tab.press("Enter", "Control+a");
	await expect.poll(() => tab.selected()).toEqual([""]);
});

test("the mouse selects: with Shift from the caret, with Mod one row, and by dragging from text to text", async () => {
	const tab = await at("a1");
	const name = (of: string) => tab.row(of).locator(".name");
	await name("a2").click({ modifiers: ["Shift"] });
	expect(await tab.selected()).toEqual(["a1", "a2", "a2x"]);
	await name("b1").click({ modifiers: ["Shift"] });
	expect(await tab.selected()).toEqual(["a", "a1", "a2", "a2x", "b", "b1"]);
	await name("b1").click({ modifiers: ["Control"] });
	expect(await tab.selected()).toEqual(["b1"]);
	await name("b1").click({ modifiers: ["Control"] });
	expect(await tab.selected()).toEqual([]);
	// Within a row, dragging selects text.
	const [from, to] = [(await name("a1").boundingBox())!, (await name("b").boundingBox())!];
	await tab.page.mouse.move(from.x + 2, from.y + 8);
	await tab.page.mouse.down();
	await tab.page.mouse.move(from.x + 60, from.y + 10, { steps: 3 });
	expect(await tab.selected()).toEqual([]);
	expect(await tab.caret()).toBe("[a1]");
	await tab.page.mouse.move(to.x + 30, to.y + 8, { steps: 3 });
	expect(await tab.selected()).toEqual(["a", "a1", "a2", "a2x", "b", "b1"]);
	expect(await tab.page.evaluate(() => String(getSelection()))).toBe("");
	await tab.page.mouse.move(from.x + 30, from.y + 8, { steps: 3 });
	expect(await tab.selected()).toEqual(["a1"]);
	await tab.page.mouse.up();
	expect(await tab.selected()).toEqual(["a1"]);
	// A click elsewhere ends it, and so does Escape.
	await tab.page.mouse.click(20, 600);
	expect(await tab.selected()).toEqual([]);
	await name("a1").click();
	await tab.press("End", "Escape");
	expect(await tab.selected()).toEqual(["a1"]);
	await tab.press("Escape");
	expect(await tab.selected()).toEqual([]);
	expect(await tab.caret()).toBe("a1|");
	await tab.press("Escape");
	await name("b").click();
	expect(await tab.selected()).toEqual([]);
});

test("deleting the only row when it is blank leaves the caret in it", async () => {
	const tab = await app.open();
	await tab.press("Escape", "Backspace");
	await tab.type("a");
	expect(await tab.rows()).toEqual(["a"]);
});

test("each command does with all selected rows what it does with one, and is undone in one step", async () => {
	const tab = await at("b", ["a", "b", "  b1", "c", "d"]);
	await tab.press("Escape", "Shift+ArrowDown");
	const before = ["a", "b", "  b1", "c", "d"];
	const tried: [string, string[]][] = [
		["Tab", ["a", "  b", "    b1", "  c", "d"]],
		["Alt+Shift+ArrowUp", ["b", "  b1", "c", "a", "d"]],
		["Alt+Shift+ArrowDown", ["a", "d", "b", "  b1", "c"]],
		["Control+d", ["a", "b", "  b1", "c", "b", "  b1", "c", "d"]],
		["Control+Shift+Backspace", ["a", "d"]],
		["Delete", ["a", "d"]],
	];
	for (const [key, after] of tried) {
		await tab.press(key);
		await expect.poll(() => tab.rows(), { message: key }).toEqual(after);
		if (!/Backspace|Delete/.test(key)) expect(await tab.selected(), key).toEqual(["b", "b1", "c"]);
		await tab.press("Control+z");
		await expect.poll(() => tab.rows(), { message: `${key}, undone` }).toEqual(before);
		await tab.into("b");
		await tab.press("Escape", "Shift+ArrowDown");
	}
	await tab.press("Tab", "Shift+Tab");
	await expect.poll(() => tab.rows()).toEqual(before);
	expect(await tab.selected()).toEqual(["b", "b1", "c"]);
	await tab.press("Control+Enter");
	const completed = () => tab.page.locator(".row.completed .name").allInnerTexts();
	await expect.poll(completed).toEqual(["b", "c"]);
	await tab.press("Control+z");
	await expect.poll(completed).toEqual([]);
});

test("Duplicate copies a row with all below it, also what is folded, and keeps mirrors what they are", async () => {
	const tab = await at("b", ["x", "a", "  a1", "b"]);
	const [mirrored, target] = [
		(await tab.row("x").locator(".bullet").boundingBox())!,
		(await tab.row("a1").boundingBox())!,
	];
	await tab.page.mouse.move(mirrored.x + 10, mirrored.y + 14);
	await tab.page.mouse.down();
	await tab.page.mouse.move(mirrored.x + 36, target.y + target.height * 0.75, { steps: 4 });
	await tab.page.keyboard.down("Alt");
	await tab.page.mouse.up();
	await tab.page.keyboard.up("Alt");
	await expect.poll(() => tab.rows()).toEqual(["x", "a", "  a1", "  x", "b"]);
	await tab.into("a");
	await tab.press("Control+d");
	await expect.poll(() => tab.rows()).toEqual(["x", "a", "  a1", "  x", "a", "  a1", "  x", "b"]);
	expect(await tab.caret()).toBe("a|");
	expect(await tab.page.locator(".row.mirror .name").allInnerTexts()).toEqual(["x", "x"]);
	await tab.press("Control+ArrowUp", "Control+d");
	await expect.poll(() => tab.rows()).toEqual(["x", "a", "  a1", "  x", "a", "a", "b"]);
	await tab.press("Control+ArrowDown");
	await expect.poll(() => tab.rows()).toEqual(["x", "a", "  a1", "  x", "a", "a", "  a1", "  x", "b"]);
	await tab.press("Control+z", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["x", "a", "  a1", "  x", "b"]);
	// A mirror becomes another mirror, on the top level too.
	await tab.into("b");
	await tab.press("Control+d");
	await expect.poll(() => tab.rows()).toEqual(["x", "a", "  a1", "  x", "b", "b"]);
});

test("a selection survives changes of other tabs, and never includes rows that they move into it", async () => {
	const [tab, other] = await app.twoTabs(["a", "b", "c", "d", "e"]);
	await tab.into("b");
	await tab.press("Escape", "Shift+ArrowDown", "Shift+ArrowDown");
	expect(await tab.selected()).toEqual(["b", "c", "d"]);
	await other.into("d");
	await other.type("!");
	await expect.poll(() => tab.selected()).toEqual(["b", "c", "d!"]);
	// The last of them goes below another row.
	await other.into("d!");
	await other.press("Alt+Shift+ArrowDown", "Tab");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "c", "e"]);
	await expect.poll(() => tab.selected()).toEqual(["b", "c"]);
	await other.into("b");
	await other.press("Control+Shift+Backspace");
	await expect.poll(() => tab.selected()).toEqual(["c"]);
	await tab.press("Delete");
	await expect.poll(() => tab.rows()).toEqual(["a", "e"]);
});

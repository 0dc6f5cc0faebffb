import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** Two tabs with the same rows. Neither learns of a change of the other before it writes itself. */
async function twoTabs(...rows: string[]): Promise<[Tab, Tab]> {
	const context = await app.profile();
	await context.addInitScript(() => {
		Object.assign(globalThis, { BroadcastChannel: undefined });
	});
	return app.twoTabs(rows, context);
}

/** Writes at the end of a row. */
async function writeAtEnd(tab: Tab, index: number, text: string): Promise<void> {
	await tab.page.locator(".row .name").nth(index).click();
	await tab.press("End");
	await tab.type(text);
	await tab.saved();
}

async function deleteRow(tab: Tab, index: number): Promise<void> {
	await tab.page.locator(".row .name").nth(index).click();
	await tab.press("Control+Shift+Backspace");
	await tab.saved();
}

test("Enter in a row keeps what another tab has just written behind the caret", async () => {
	const [first, second] = await twoTabs("one two");
	await first.press("Control+ArrowLeft");
	await writeAtEnd(second, 0, " three");
	await first.press("Enter");
	await expect.poll(() => first.rows()).toEqual(["one ", "two three"]);
});

test("Enter in a row keeps what another tab has just written before the caret", async () => {
	const [first, second] = await twoTabs("one two");
	await first.press("Control+ArrowLeft");
	await second.press("Home");
	await second.type("zero ");
	await second.saved();
	await first.press("Enter");
	await expect.poll(() => first.rows()).toEqual(["zero one ", "two"]);
});

test("Enter in the title keeps what another tab has just written there", async () => {
	const [first, second] = await twoTabs("one two");
	for (const tab of [first, second]) await tab.press("Control+.");
	await first.press("Control+ArrowLeft");
	await second.press("Home");
	await second.type("zero ");
	await second.saved();
	await first.press("Enter");
	await expect.poll(() => first.rows()).toEqual(["two"]);
	expect(await first.title()).toBe("zero one ");
});

test("joining two rows keeps what another tab has just written in either", async () => {
	const [first, second] = await twoTabs("a", "b");
	await first.press("Home");
	await writeAtEnd(second, 0, " one");
	await writeAtEnd(second, 1, " two");
	await first.press("Backspace");
	await expect.poll(() => first.rows()).toEqual(["a oneb two"]);
	expect(await first.caret()).toBe("a one|b two");
});

test("joining two rows puts a row with a note that another tab has just written into the trash", async () => {
	const [first, second] = await twoTabs("a", "b");
	await first.press("Home");
	await second.page.locator(".row .name").nth(1).click();
	await second.writeNote("note");
	await second.saved();
	await first.press("Backspace");
	await expect.poll(() => first.rows()).toEqual(["ab"]);
	await first.command("trash");
	await first.page.getByRole("button", { name: "Put back “b”" }).click();
	await first.press("Escape");
	await expect.poll(() => first.rows()).toEqual(["ab", "b"]);
	expect(await first.page.locator(".note").allTextContents()).toEqual(["note"]);
});

test("a layout mode typed as Markdown keeps what another tab has just written", async () => {
	const [first, second] = await twoTabs("a");
	await first.press("Home");
	await first.type("#");
	await first.saved();
	await writeAtEnd(second, 0, " one");
	await first.type(" ");
	await expect.poll(() => first.rows()).toEqual(["a one"]);
	expect(await first.page.locator(".row.h1").count()).toBe(1);
});

test("a command on rows of which another tab has just deleted one works on the others", async () => {
	const [first, second] = await twoTabs("a", "b", "c", "d");
	await first.page.locator(".row .name").nth(1).click();
	await first.press("Escape", "Shift+ArrowDown");
	expect(await first.selected()).toEqual(["b", "c"]);
	await deleteRow(second, 2);
	await first.press("Backspace");
	await expect.poll(() => first.rows()).toEqual(["a", "d"]);
	expect(await first.message()).toBeNull();
});

test("a command on the row that another tab has just deleted changes no other row", async () => {
	const [first, second] = await twoTabs("a", "b", "c");
	await first.page.locator(".row .name").nth(1).click();
	await deleteRow(second, 1);
	await first.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a", "c"]);
	expect(await first.message()).toBe("“b”, which you were in, was deleted elsewhere.");
});

test("a text that wasn't stored yet when another tab deleted its row shows, and can be put back", async () => {
	const [first, second] = await twoTabs("a", "b", "c");
	await first.page.locator(".row .name").nth(1).click();
	await first.press("End");
	await deleteRow(second, 1);
	// The caret goes on at once, as after a quick key.
	await first.page.evaluate(() => {
		document.execCommand("insertText", false, " mine");
		document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
	});
	await first.page.getByText("“b mine”, in which you had just written, was deleted elsewhere.").waitFor();
	expect(await first.rows()).toEqual(["a", "c"]);
	expect(await first.caret()).toBe("c|");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["a", "b mine", "c"]);
	expect(await first.caret()).toBe("b mine|");
});

for (const [key, name, note] of [
	["Enter", "b, mine", []],
	["Tab", "b, mine", []],
	["Shift+Enter", "b", [", mine"]],
] as const) {
	test(`letters typed right after ${key} in the row that another tab has just deleted go into no other row`, async () => {
		const [first, second] = await twoTabs("a", "b", "c");
		await first.page.locator(".row .name").nth(1).click();
		await deleteRow(second, 1);
		await first.page.keyboard.press(key);
		await first.page.keyboard.type(", mine");
		await first.page.getByText("“b”, which you were in, was deleted elsewhere.").waitFor();
		expect(await first.rows()).toEqual(["a", "c"]);
		await first.page.getByRole("button", { name: "Put it back" }).click();
		await expect.poll(() => first.rows()).toEqual(["a", name, "c"]);
		expect(await first.page.locator(".note").allTextContents()).toEqual(note);
	});
}

test("what is pasted right after another tab has deleted the row goes behind the row before", async () => {
	const [first, second] = await twoTabs("a", "b", "c");
	await first.page.locator(".row .name").nth(1).click();
	await deleteRow(second, 1);
	await first.press("Tab");
	await first.page.getByText("“b”, which you were in, was deleted elsewhere.").waitFor();
	await first.paste("one\ntwo");
	await expect.poll(() => first.rows()).toEqual(["a", "one", "two", "c"]);
});

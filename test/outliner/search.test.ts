import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** A tab with some nodes in three levels. */
async function written(): Promise<Tab> {
	const tab = await app.openWith("Projects", "");
	await tab.press("Tab");
	await tab.type("Boat\n");
	await tab.press("Tab");
	await tab.type("paint the hull #work\n");
	await tab.saved();
	// A letter that this keyboard has no key for comes without one.
	await tab.type("Élan rope\n[] buy paint\n");
	await tab.press("Shift+Tab", "Shift+Tab");
	await tab.type("Garden");
	expect(await tab.rows()).toEqual([
		"Projects",
		"  Boat",
		"    paint the hull #work",
		"    Élan rope",
		"    buy paint",
		"Garden",
	]);
	return tab;
}

test("search finds beginnings of words anywhere, with the way to them, and Enter goes to the row", async () => {
	const tab = await written();
	await tab.search("pai");
	await expect.poll(() => tab.choices()).toEqual(["› buy paint", "paint the hull #work"]);
	const path = await tab.page.textContent('dialog [aria-selected="true"] .choice-path');
	expect(path).toBe("Projects › Boat");
	expect(await tab.page.$$eval("dialog mark", (marks) => marks.map((mark) => mark.textContent))).toEqual([
		"pai",
		"pai",
	]);
	await tab.press("ArrowDown", "Enter");
	await expect.poll(() => tab.title()).toBe("Boat");
	await expect.poll(() => tab.caret()).toBe("paint the hull #work|");
	expect(await tab.dialog()).toBe(null);
	await tab.type("!");
	expect(await tab.rows()).toEqual(["paint the hull #work!", "Élan rope", "buy paint"]);
});

test("highlights the beginnings of words that match, whatever their case and accents", async () => {
	const tab = await app.openWith("Élan, elan and relaneelan");
	await tab.search("elan");
	await expect
		.poll(() => tab.page.$$eval("dialog mark", (marks) => marks.map((mark) => mark.textContent)))
		.toEqual(["Élan", "elan"]);
});

test("Shift+Enter and Control+Enter go into the node", async () => {
	for (const key of ["Shift+Enter", "Control+Enter"]) {
		const tab = await written();
		await tab.search("boat");
		await tab.press(key);
		await expect.poll(() => tab.title()).toBe("Boat");
		expect(await tab.caret()).toBe("Boat|");
	}
});

test("text typed without a pause goes to the right place, before, in and after the search", async () => {
	const tab = await written();
	await tab.type("!\n");
	await tab.search("elan\n");
	await tab.type(" (blue)");
	await expect.poll(() => tab.title()).toBe("Boat");
	expect(await tab.caret()).toBe("Élan rope (blue)|");
	await tab.press("Alt+ArrowLeft", "Alt+ArrowLeft");
	await expect.poll(() => tab.title()).toBe(null);
	expect(await tab.rows()).toContain("Garden!");
});

test("keys that come before the answer wait for it: Enter takes what was typed, and the rest goes there", async () => {
	const tab = await written();
	await tab.pressAtOnce("!", "Control+k", ..."elan", "Enter", ..." (blue)");
	await expect.poll(() => tab.title()).toBe("Boat");
	await expect.poll(() => tab.caret()).toBe("Élan rope (blue)|");
	await tab.pressAtOnce("!", "Control+k", ..."zebra", "Enter", "s", "Escape", "?");
	await expect.poll(() => tab.caret()).toBe("Élan rope (blue)!?|");
});

test("tags, states and phrases narrow a search; a message names unreadable queries and missing results", async () => {
	const tab = await written();
	await tab.press("Control+k");
	await tab.page.keyboard.insertText("#work");
	await expect.poll(() => tab.choices()).toEqual(["› paint the hull #work"]);
	await tab.page.fill("dialog input", "is:todo");
	const todos = async () => (await tab.choices()).map((choice) => choice.replace("› ", "")).sort();
	await expect.poll(todos).toEqual(["Garden", "buy paint"]);
	await tab.page.fill("dialog input", "is:nothing");
	await expect.poll(() => tab.page.textContent("dialog .picker-status")).toContain("todo, completed, mirror");
	await tab.page.fill("dialog input", "zebra");
	await expect.poll(() => tab.page.textContent("dialog .picker-status")).toBe("Nothing found for “zebra”.");
	expect(await tab.choices()).toEqual([]);
	await tab.press("Enter");
	expect(await tab.dialog()).toBe("Search");
});

test("the keys of the list go around, by pages and to its ends, and the caret stays in the line", async () => {
	const tab = await app.open();
	await tab.type(Array.from({ length: 20 }, (_, index) => `item ${index}`).join("\n"));
	await tab.saved();
	await tab.search("item");
	await expect.poll(async () => (await tab.choices()).length).toBe(20);
	const active = async () => (await tab.choices()).findIndex((choice) => choice.startsWith("› "));
	const places: number[] = [];
	for (const key of ["ArrowUp", "ArrowDown", "ArrowDown", "PageDown", "End", "PageUp", "Home", "PageUp"]) {
		await tab.press(key);
		places.push(await active());
	}
	expect(places).toEqual([19, 0, 1, 9, 19, 11, 0, 0]);
	await tab.press("End");
	const seen = await tab.page.$eval('dialog [aria-selected="true"]', (option) => {
		const [inner, outer] = [option, option.closest('[role="listbox"]')!].map((each) => each.getBoundingClientRect());
		return inner!.bottom <= outer!.bottom && inner!.top >= outer!.top;
	});
	expect(seen).toBe(true);
	const said = await tab.page.$eval("dialog input", (input) => {
		const active = document.getElementById(input.getAttribute("aria-activedescendant")!);
		return [document.activeElement === input, active?.ariaSelected];
	});
	expect(said).toEqual([true, "true"]);
});

test("an empty search offers today and the inbox, and creates them on the way", async () => {
	const tab = await app.open();
	await tab.press("Control+k");
	await expect.poll(() => tab.choices()).toEqual(["› Today", "Tomorrow", "Next week", "Inbox"]);
	await tab.press("End", "Enter");
	await expect.poll(() => tab.title()).toBe("Inbox");
	await tab.type("call Ada");
	expect(await tab.rows()).toEqual(["call Ada"]);
	await tab.search("tod\n");
	await expect.poll(() => tab.title()).toMatch(/, \d{4}$/);
});

test("Escape, a click beside it and its button close it, and the caret is where it was", async () => {
	const tab = await written();
	await tab.press("ArrowLeft", "ArrowLeft");
	for (const close of [
		() => tab.press("Escape"),
		() => tab.page.mouse.click(5, 300),
		() => tab.page.click("dialog .dialog-close"),
	]) {
		await tab.press("Control+k");
		expect(await tab.dialog()).toBe("Search");
		await tab.type("x");
		await close();
		expect(await tab.dialog()).toBe(null);
		expect(await tab.caret()).toBe("Gard|en");
	}
	await tab.press("Shift+ArrowLeft");
	await tab.press("Control+k", "Escape");
	expect(await tab.caret()).toBe("Gar[d]en");
});

test("a click on a result goes there; a search finds hidden completed nodes", async () => {
	const tab = await written();
	await tab.press("ArrowUp", "Control+Enter", "Control+o");
	await expect.poll(() => tab.rows()).not.toContain("    buy paint");
	await tab.search("buy");
	await expect.poll(() => tab.choices()).toEqual(["› buy paint"]);
	await tab.page.click('dialog [role="option"]');
	await expect.poll(() => tab.title()).toBe("buy paint");
});

test("results follow the changes of other tabs", async () => {
	const context = await app.profile();
	const [one, other] = [await app.open(context), await app.open(context)];
	await one.search("zebra");
	await expect.poll(() => one.page.textContent("dialog .picker-status")).toContain("Nothing");
	await other.type("Zebra");
	await expect.poll(() => one.choices()).toEqual(["› Zebra"]);
});

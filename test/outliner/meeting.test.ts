import { describe, expect, test } from "vitest";
import { App, type Tab } from "./app.js";
import { Devices, says, synced } from "./devices.js";

const app = new App();

/** Two tabs with one row: the caret of the first is at its end, that of the second at its start. */
async function twoTabs(name: string): Promise<[Tab, Tab]> {
	const [first, second] = await app.twoTabs([name]);
	await second.page.locator(".row .name").click();
	await second.press("Home");
	return [first, second];
}

function type(tab: Tab, text: string, delay: number): Promise<void> {
	return tab.page.keyboard.type(text, { delay });
}

/** The letters typed at the end and at the start, and the text that both mean. */
const [atEnd, atStart] = [" ff gg hh ii jj", "aa bb cc dd ee "];
const meant = `${atStart}MID${atEnd}`;

async function expectBoth(first: Tab, second: Tab): Promise<void> {
	// Exchanges with a server wait up to a few seconds after a failure.
	for (const tab of [first, second]) await expect.poll(() => tab.rows(), { timeout: 30_000 }).toEqual([meant]);
	expect(await first.caret()).toBe(`${meant}|`);
	expect(await second.caret()).toBe(`${atStart}|MID${atEnd}`);
}

test.each([
	[40, 35],
	[110, 90],
	[170, 150],
])("two tabs type into one row, with %i and %i ms between keys, and it holds what both mean", async (slow, fast) => {
	const [first, second] = await twoTabs("MID");
	await Promise.all([type(first, atEnd, slow), type(second, atStart, fast)]);
	await expectBoth(first, second);
});

test("texts typed at one place stay whole, and a note takes two writers as well", async () => {
	const [first, second] = await twoTabs("x");
	await second.press("End");
	await Promise.all([type(first, "abcdefghij", 40), type(second, "0123456789", 35)]);
	const [row] = await first.rows();
	expect(["xabcdefghij0123456789", "x0123456789abcdefghij"]).toContain(row);
	await expect.poll(() => second.rows()).toEqual([row]);
	expect(await first.caret()).toBe(row!.replace("j", "j|"));
	expect(await second.caret()).toBe(row!.replace("9", "9|"));

	await first.writeNote("MID");
	await first.saved();
	// Otherwise Shift+Enter may begin an empty note, and the caret stays before the text that arrives then.
	await expect.poll(() => second.page.locator(".note").textContent()).toBe("MID");
	await second.press("Shift+Enter");
	await expect.poll(() => second.caret()).toBe("MID|");
	await second.press("Home");
	await Promise.all([type(first, atEnd, 40), type(second, atStart, 35)]);
	for (const tab of [first, second]) await expect.poll(() => tab.page.locator(".note").textContent()).toBe(meant);
	expect(await first.caret()).toBe(`${meant}|`);
	expect(await second.caret()).toBe(`${atStart}|MID${atEnd}`);
});

test("bold text stays bold, and text typed behind it isn't, after another tab has typed before it", async () => {
	const [first, second] = await twoTabs("so **bold**");
	await type(second, "this is ", 35);
	await expect.poll(() => first.caret()).toBe("this is so bold|");
	await type(first, " but not this", 40);
	for (const tab of [first, second]) {
		await expect.poll(() => tab.rows()).toEqual(["this is so <b>bold</b> but not this"]);
	}
});

test("letters that an input method composes stay together while another tab types", async () => {
	const [first, second] = await twoTabs("MID");
	const session = await first.page.context().newCDPSession(first.page);
	const compose = (text: string) =>
		session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
	await compose("k");
	await type(second, "aa ", 35);
	await compose("か");
	await type(second, "bb ", 35);
	await expect.poll(() => second.caret()).toMatch(/^aa bb \|MID/);
	await compose("かn");
	await session.send("Input.insertText", { text: "漢" });
	for (const tab of [first, second]) await expect.poll(() => tab.rows()).toEqual(["aa bb MID漢"]);
	expect(await first.caret()).toBe("aa bb MID漢|");
});

describe("with a server", () => {
	const devices = new Devices(new App());

	test.each([
		[40, 35],
		[170, 150],
	])("two devices type into one row, with %i and %i ms between keys", async (slow, fast) => {
		const [first, second] = [await devices.deviceWith("MID"), await devices.device()];
		expect(await second.rows()).toEqual(["MID"]);
		await second.press("Home");
		await Promise.all([type(first, atEnd, slow), type(second, atStart, fast)]);
		await expectBoth(first, second);
		await synced(first, second);
		for (const tab of [first, second]) await says(tab, /^Synced$/);
	});
});

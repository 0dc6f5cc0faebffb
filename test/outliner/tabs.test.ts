import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** Two tabs of one profile, with the caret of each in a row of its own. */
async function twoTabs(...names: string[]): Promise<[Tab, Tab]> {
	const context = await app.profile();
	const first = await app.open(context);
	await first.type(names.join("\n"));
	await first.saved();
	const second = await app.open(context);
	await expect.poll(() => second.rows()).toEqual(names);
	return [first, second];
}

async function goTo(tab: Tab, index: number): Promise<void> {
	await tab.page.locator(".row .name").nth(index).click();
	await tab.press("End");
}

/** Notes in a tab when each text comes to be shown: in milliseconds since 1970, by the text. */
async function watch({ page }: Tab): Promise<() => Promise<Record<string, number>>> {
	await page.evaluate(() => {
		const times: Record<string, number> = {};
		Object.assign(globalThis, { times });
		const look = () => {
			for (const { textContent } of document.querySelectorAll(".name")) {
				times[textContent!] ??= performance.timeOrigin + performance.now();
			}
		};
		new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
		look();
	});
	return () => page.evaluate(() => (globalThis as unknown as { times: Record<string, number> }).times);
}

function median(numbers: readonly number[]): number {
	return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
}

test("what is typed in one tab shows in the other at once", async () => {
	const [first, second] = await twoTabs("a", "b");
	await goTo(first, 0);
	const [here, there] = [await watch(first), await watch(second)];
	for (const letter of "abcdefghijklmnopqrst") {
		await first.type(letter);
		await expect.poll(async () => (await second.rows())[0]?.at(-1), { interval: 10 }).toBe(letter);
	}
	const [typed, shown] = [await here(), await there()];
	const texts = Array.from({ length: 20 }, (_, index) => `a${"abcdefghijklmnopqrst".slice(0, index + 1)}`);
	const delays = texts.map((text) => shown[text]! - typed[text]!);
	console.log(`From one tab to the other: ${median(delays).toFixed(1)} ms (median of ${delays.length} edits)`);
	expect(median(delays)).toBeLessThan(500);
});

test("while both write, each in a row of its own, nothing is lost and both see the same", async () => {
	const [first, second] = await twoTabs("a", "b");
	await goTo(first, 0);
	await goTo(second, 1);
	const letters = "abcdefghijklmnopqrst";
	const [here, there] = [await watch(first), await watch(second)];
	await Promise.all([
		first.page.keyboard.type(letters, { delay: 20 }),
		second.page.keyboard.type(letters, { delay: 20 }),
	]);
	for (const tab of [first, second]) await expect.poll(() => tab.rows()).toEqual([`a${letters}`, `b${letters}`]);
	expect(await first.caret()).toBe(`a${letters}|`);
	expect(await second.caret()).toBe(`b${letters}|`);
	const [one, other] = [await here(), await there()];
	// Some in between are never shown elsewhere: of texts that come fast, only the newest is stored.
	const delays = [...letters].flatMap((_, index) => {
		const text = letters.slice(0, index + 1);
		return [other[`a${text}`]! - one[`a${text}`]!, one[`b${text}`]! - other[`b${text}`]!];
	});
	const shown = delays.filter((delay) => !Number.isNaN(delay));
	console.log(`While both write: ${median(shown).toFixed(1)} ms (median of ${shown.length} edits)`);
	expect(median(shown)).toBeLessThan(500);
});

test("what changes elsewhere in the row with the caret leaves the caret between the same letters", async () => {
	const [first, second] = await twoTabs("one two");
	await first.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
	expect(await first.caret()).toBe("one |two");
	await goTo(second, 0);
	await second.press("Home");
	await second.type("zero, ");
	await expect.poll(() => first.caret()).toBe("zero, one |two");
	await second.press("End");
	await second.type(" three");
	await expect.poll(() => first.caret()).toBe("zero, one |two three");
	await first.type("and ");
	await expect.poll(() => second.rows()).toEqual(["zero, one and two three"]);
	await second.press("Control+Enter");
	await first.page.waitForSelector(".row.completed");
	expect(await first.caret()).toBe("zero, one and |two three");
});

test("rows that come and go elsewhere leave the caret where it is", async () => {
	const [first, second] = await twoTabs("a", "b", "c");
	await goTo(first, 1);
	await goTo(second, 0);
	await second.press("Home");
	await second.press("Enter");
	await second.type("x");
	await goTo(second, 3);
	await second.press("Control+Shift+Backspace");
	await first.type("!");
	await expect.poll(() => first.rows()).toEqual(["", "xa", "b!"]);
	expect(await first.caret()).toBe("b!|");
});

test("a node that is deleted elsewhere while one writes in it can be put back, with what was written", async () => {
	const [first, second] = await twoTabs("a", "b", "c");
	await goTo(first, 1);
	await first.type(" **mine** and");
	await first.saved();
	await goTo(second, 1);
	await second.press("Control+Shift+Backspace");
	await first.page.getByText("“b mine and”, which you were in, was deleted in another tab.").waitFor();
	expect(await first.rows()).toEqual(["a", "c"]);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["a", "b <b>mine</b> and", "c"]);
	expect(await first.caret()).toBe("b mine and|");
	await first.type(" more");
	await expect.poll(() => second.rows()).toEqual(["a", "b <b>mine</b> and more", "c"]);
	expect(await first.page.locator(".notice").count()).toBe(0);
});

test("what is typed until the moment when a node is deleted elsewhere can be put back", async () => {
	const [first, second] = await twoTabs("a", "b");
	await goTo(first, 1);
	await goTo(second, 1);
	const shown = await watch(first);
	await Promise.all([
		first.page.keyboard.type("bcdefghijklmnopqrstuvwxyz".repeat(4), { delay: 5 }),
		second.page.keyboard.press("Control+Shift+Backspace"),
	]);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	const texts = Object.keys(await shown()).filter((text) => text.startsWith("b"));
	const longest = texts.reduce((long, text) => (text.length > long.length ? text : long));
	await expect.poll(() => second.rows()).toEqual(["a", longest]);
	expect(await first.rows()).toEqual(["a", longest]);
});

test("a node whose parent is deleted elsewhere too is put back where there is a place", async () => {
	const [first, second] = await twoTabs("a", "b");
	await goTo(first, 1);
	await first.press("Tab");
	await goTo(second, 0);
	await expect.poll(async () => (await second.rows()).length).toBe(1);
	await first.type("!");
	await first.saved();
	await second.press("Control+Shift+Backspace");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["b!"]);
	expect(await first.caret()).toBe("b!|");
});

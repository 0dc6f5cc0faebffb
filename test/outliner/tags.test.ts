import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The texts that show in another style, by its name. */
function painted(tab: Tab): Promise<{ [name: string]: string[] }> {
	return tab.page.evaluate(() => {
		const entries = [...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map((range) => `${range}`).sort()]);
		return Object.fromEntries(entries.filter(([, texts]) => texts!.length > 0));
	});
}

/** Clicks in the middle of a text that is part of a field. */
async function click(tab: Tab, text: string, modifiers: "Control"[] = []): Promise<void> {
	const { x, y } = await tab.page.evaluate((wanted) => {
		const all = [...CSS.highlights.values()].flatMap((ranges) => [...ranges] as Range[]);
		const { left, top, width, height } = all.find((range) => `${range}` === wanted)!.getBoundingClientRect();
		return { x: left + width / 2, y: top + height / 2 };
	}, text);
	for (const key of modifiers) await tab.page.keyboard.down(key);
	await tab.page.mouse.click(x, y);
	for (const key of modifiers) await tab.page.keyboard.up(key);
}

const query = (tab: Tab) => tab.page.inputValue(".filter input");

test("tags and names have a style, where the search finds them, and the text stays as it is", async () => {
	const tab = await app.open();
	await tab.type("#w**or**k for @Ann, a#b `#code` [#label](https://x.org/#c) \n``` #block\n\nx");
	await tab.writeNote("see #note at https://x.org/a, www.y.org");
	await expect
		.poll(() => painted(tab))
		.toEqual({
			tag: ["#note", "#work"],
			person: ["@Ann"],
			address: ["https://x.org/a", "www.y.org"],
		});
	expect(await tab.rows()).toEqual([
		'#w<b>or</b>k for @Ann, a#b <code>#code</code> <a href="https://x.org/#c">#label</a> ',
		"#block",
		"x",
	]);
	await tab.press("ArrowUp", "ArrowUp", "ArrowUp", "Home", "Delete");
	expect(await tab.caret()).toBe("|work for @Ann, a#b #code #label ");
	await expect.poll(async () => (await painted(tab)).tag).toEqual(["#note"]);
	await tab.press("Control+Shift+Backspace");
	await tab.saved();
	await expect.poll(async () => (await painted(tab)).person).toBe(undefined);
});

test("a click on a tag shows the nodes that have it; in the text that one edits, with Ctrl", async () => {
	const tab = await app.open();
	await tab.type("one #work now\ntwo #work\nthree");
	await tab.saved();
	await click(tab, "#work");
	await expect.poll(() => tab.rows()).toEqual(["one #work now", "two #work"]);
	await expect.poll(() => query(tab)).toBe("#work ");
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toHaveLength(3);
	await tab
		.row("one #work now")
		.locator(".name")
		.click({ position: { x: 5, y: 10 } });
	await click(tab, "#work");
	expect(await tab.rows()).toHaveLength(3);
	expect(await tab.caret()).toMatch(/one #\w*\|/);
	await click(tab, "#work", ["Control"]);
	await expect.poll(() => tab.rows()).toHaveLength(2);
	await tab.press("Escape");
	await tab.row("two #work").locator(".name").click();
	await tab.press("End", "Control+Shift+Enter");
	await expect.poll(() => query(tab)).toBe("#work ");
});

test("a tag is found while it is typed, and with the tags below it", async () => {
	const tab = await app.open();
	await tab.type("one #work \ntwo #work/sub \nthree #workshop \nfour");
	await tab.search("#wor");
	await expect.poll(() => tab.choices()).toHaveLength(3);
	await tab.type("k ");
	await expect.poll(() => tab.choices()).toHaveLength(2);
	await tab.press("Control+a");
	await tab.type("foo:bar");
	await expect
		.poll(() => tab.page.locator("dialog [role=status]").innerText())
		.toBe(
			"Nothing found for “foo:bar”. “foo:” finds nodes with a property “foo”. To find the text itself, put it in quotes. Operators are is:, has:, links:, in:note, date:, created:, modified: and completed:.",
		);
});

test("an address in a note opens by a click and by the key, in a tab without access to this one", async () => {
	const tab = await app.open(await app.profile());
	const opened: string[] = [];
	tab.page.context().on("page", async (page) => {
		await page.waitForLoadState();
		opened.push(`${page.url()} ${await page.evaluate(() => String(window.opener))}`);
	});
	const address = `${app.address.replace("127.0.0.1", "localhost")}icon.svg`;
	await tab.type("a");
	await tab.writeNote(`see ${address}`);
	await click(tab, address);
	await expect.poll(() => opened).toEqual([`${address} null`]);
	await tab.press("Control+Shift+Enter");
	await expect.poll(() => opened.length).toBe(2);
	expect(await tab.page.locator(".note").innerHTML()).toBe(`see ${address}`);
});

test("tags are completed while one types them, by keys and by a click", async () => {
	const tab = await app.open();
	await tab.type("a #work #Work-out @Ann\nb #work #été\n");
	// The list comes from what is stored, and the order from how often it has a tag.
	await tab.saved();
	await tab.type("see #");
	await expect.poll(() => tab.offers()).toEqual(["› #work", "#été", "#Work-out"]);
	await tab.type("w");
	await expect.poll(() => tab.offers()).toEqual(["› #work", "#Work-out"]);
	expect(await tab.violations()).toEqual([]);
	await tab.press("ArrowDown", "Enter");
	await expect.poll(() => tab.offers()).toEqual([]);
	expect(await tab.caret()).toBe("see #Work-out |");
	await tab.type("@");
	await expect.poll(() => tab.offers()).toEqual(["› @Ann"]);
	await tab.press("Tab");
	expect(await tab.caret()).toBe("see #Work-out @Ann |");
	await tab.type("#e");
	await expect.poll(() => tab.offers()).toEqual(["› #été"]);
	await tab.page.click(".offers [role=option]");
	expect(await tab.rows()).toEqual(["a #work #Work-out @Ann", "b #work #été", "see #Work-out @Ann #été "]);
	expect(await tab.caret()).toBe("see #Work-out @Ann #été |");
});

test("the list of tags stays out of the way: of Escape, of a complete tag, of addresses and of code", async () => {
	const tab = await app.open();
	await tab.type("a #work #workshop\n");
	await tab.type("#wo");
	await expect.poll(() => tab.offers()).toHaveLength(2);
	await tab.press("Escape");
	expect(await tab.offers()).toEqual([]);
	await tab.type("rk");
	await expect.poll(() => tab.offers()).toEqual(["#workshop"]);
	await tab.press("Enter");
	await tab.type("https://x.org/#wo a#wo\n``` #wo");
	await tab.saved();
	expect(await tab.offers()).toEqual([]);
	expect((await tab.rows()).slice(1)).toEqual([
		"#work",
		'<a href="https://x.org/#wo">https://x.org/#wo</a> a#wo',
		"#wo",
	]);
	await tab.press("ArrowUp", "ArrowUp", "End", "Shift+Enter");
	await tab.type("of #");
	await expect.poll(() => tab.offers()).toEqual(["› #work", "#workshop"]);
	await tab.press("Enter");
	expect(await tab.caret()).toBe("of #work |");
});

test("the list of tags closes when ## makes a heading of the row", async () => {
	const tab = await app.openWith("see #work", "");
	await tab.type("##");
	await tab.page.waitForSelector(".offers");
	await tab.press(" ");
	await tab.page.waitForSelector(".row.h2");
	expect(await tab.page.locator(".offers").count()).toBe(0);
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["see #work", "", ""]);
});

test("a tag keeps its style if its row takes the place of a mirror, and moves back", async () => {
	const tab = await app.openWith("one", "  call #work", "two", "");
	await tab.type("((call");
	await expect.poll(() => tab.choices().then(({ length }) => length)).toBeGreaterThan(0);
	await tab.press("Enter");
	await expect.poll(() => painted(tab)).toEqual({ tag: ["#work", "#work"] });
	await tab.row("call #work").first().locator(".name").click();
	await tab.press("Control+Shift+Backspace");
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "call #work"]);
	expect(await painted(tab)).toEqual({ tag: ["#work"] });
	await tab.press("Control+z");
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	expect(await painted(tab)).toEqual({ tag: ["#work", "#work"] });
});

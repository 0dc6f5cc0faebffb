import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("OPML in one line becomes rows", async () => {
	const tab = await app.openWith("start");
	await tab.paste('<opml version="2.0"><body><outline text="a"><outline text="b"/></outline></body></opml>');
	await expect.poll(() => tab.rows()).toEqual(["start", "a", "  b"]);
});

test("the rows of a spreadsheet become rows whose cells are apart", async () => {
	const tab = await app.open();
	await tab.paste("Name\tTown\tNote\nAda\tLondon\t\nBob\t\tx\n");
	await expect.poll(() => tab.rows()).toEqual(["Name | Town | Note", "Ada | London", "Bob | | x"]);
	await tab.press("Control+z");
	await tab.paste("Name\tTown");
	await expect.poll(() => tab.rows()).toEqual(["Name | Town"]);
	await tab.press("Control+a");
	await tab.paste("Trip\n\tbook\ttomorrow\n");
	await expect.poll(() => tab.rows()).toEqual(["Trip", "  book | tomorrow"]);
});

test("a list of an editor, a mail or a word processor has the levels that its indents show", async () => {
	const tab = await app.open();
	const pasted = async (text: string, ...rows: string[]) => {
		await tab.paste(text);
		await expect.poll(() => tab.rows()).toEqual(rows);
		await tab.press("Control+z");
		await expect.poll(() => tab.rows()).toEqual([""]);
	};
	await pasted("Trip\n\t- book\n\t\t- [ ] **ferry**\n\t- pack\n", "Trip", "  book", "    <b>ferry</b>", "  pack");
	await pasted("    - book\n        1. ferry\n    - pack", "book", "  1. ferry", "pack");
	await pasted("• book\n    ◦ ferry\n\no\tpack", "book", "  ferry", "pack");
	await pasted("**Trip**\n• book\n  the ferry\n• pack", "<b>Trip</b>", "book the ferry", "pack");
	await pasted("- book\n\n  the ferry\n- pack", "book", "pack");
});

test("an image or a link in Markdown becomes a link with its description", async () => {
	const tab = await app.open();
	await tab.paste("text ![alt](https://x.org/i.png) and [more](https://x.org/a_(b)) or https://x.org");
	const line =
		'text <a href="https://x.org/i.png">alt</a> and <a href="https://x.org/a_(b)">more</a> or <a href="https://x.org">https://x.org</a>';
	await expect.poll(() => tab.rows()).toEqual([line]);
	await tab.press("Enter");
	await tab.paste("- one ![](https://x.org/i.png)\n- two\n");
	await expect.poll(() => tab.rows()).toEqual([line, 'one <a href="https://x.org/i.png">Image</a>', "two"]);
});

test("a box at the beginning of an item of a page is a to-do", async () => {
	const tab = await app.open();
	await tab.paste("[x] one\n[ ] two\n[3] three", "<ul><li>[x] <b>one</b></li><li>[ ] two</li><li>[3] three</li></ul>");
	await expect.poll(() => tab.rows()).toEqual(["<b>one</b>", "two", "[3] three"]);
	expect(await tab.page.$$eval(".row", (all) => all.map(({ className }) => className))).toEqual([
		"row todo completed",
		"row todo",
		"row bullets",
	]);
});

test("an address pasted over a text is its target in a name, and replaces it in a note, which is plain text", async () => {
	const tab = await app.openWith("plan");
	await tab.press("Control+a");
	await tab.paste("https://x.org");
	await expect.poll(() => tab.rows()).toEqual(['<a href="https://x.org">plan</a>']);
	await tab.writeNote("plan");
	await tab.press("Control+a");
	await tab.paste("https://x.org");
	await expect.poll(() => tab.page.locator(".note").innerText()).toBe("https://x.org");
});

test("blocks of Logseq become rows with to-dos and properties", async () => {
	const tab = await app.open();
	await tab.paste("TODO buy milk\nid:: 6543\ncollapsed:: true");
	await expect.poll(() => tab.rows()).toEqual(["buy milk"]);
	await tab.press("Enter");
	await tab.paste(
		"- DONE one\n  id:: 65\n\t- LATER two\n\t  collapsed:: true\n\t\t- three",
		"<ul><li>DONE one</li></ul>",
	);
	await expect.poll(() => tab.rows()).toEqual(["buy milk", "one", "  two"]);
	const classes = await tab.page.$$eval(".row", (all) => all.map(({ className }) => className));
	expect(classes).toEqual(["row todo", "row todo completed", "row todo"]);
	await tab.filter("collapsed:true");
	await expect.poll(() => tab.rows()).toEqual(["buy milk", "one", "  two"]);
});

test("dates and italics of Dynalist are read where it has dates", async () => {
	const tab = await app.open();
	const date = '<time datetime="2026-12-01">2026-12-01</time>';
	await tab.paste("call !(2026-12-01)");
	await expect.poll(() => tab.rows()).toEqual([`call ${date}`]);
	await tab.press("Enter");
	await tab.paste("- __pack__\n    - by !(2026-12-01)");
	await expect.poll(() => tab.rows()).toEqual([`call ${date}`, "<i>pack</i>", `  by ${date}`]);
	await tab.press("Control+z");
	await tab.paste("__init__\n\tx");
	await expect.poll(() => tab.rows()).toEqual([`call ${date}`, "__init__", "  x"]);
});

test("a list goes behind the row before, if another tab deletes the row while it is read", async () => {
	const [tab, other] = await app.twoTabs(["one", "two"]);
	await other.row("two").locator(".name").click();
	await tab.paste(Array.from({ length: 2000 }, (_, index) => `- ${index}`).join("\n"));
	await other.press("Control+Shift+Backspace");
	await tab.page.waitForSelector('.row[aria-setsize="2001"]', { timeout: 50_000 });
	await tab.press("Control+Home");
	await expect.poll(async () => (await tab.rows()).slice(0, 2)).toEqual(["one", "0"]);
});

test("of rows that another page shows, only what it has by now comes back", async () => {
	const tab = await app.openWith("one", "  two", "three");
	await tab.press("Escape", "Shift+ArrowUp", "Shift+ArrowUp");
	expect(await tab.selected()).toEqual(["one", "two", "three"]);
	const html = (await tab.copied("Control+c"))["text/html"]!;
	await tab.row("three").locator(".name").click();
	await tab.press("End", "Enter");
	await tab.paste("one\n\ntwo edited\nthree", html.replace("two</li>", "two edited</li>"));
	await expect.poll(() => tab.rows()).toEqual(["one", "  two", "three", "one", "  two edited", "three"]);
	await tab.press("Enter");
	await tab.paste("three", html.replace(/<li>.*<\/li>/, "<li>three</li>"));
	await expect.poll(async () => (await tab.rows()).slice(6)).toEqual(["three"]);
});

test("to-dos that went through a page that keeps no more than their texts come back as to-dos", async () => {
	const tab = await app.openWith("[] one", "two", "three");
	await tab.press("Control+Enter", "Escape", "Shift+ArrowUp", "Shift+ArrowUp");
	const html = (await tab.copied("Control+c"))["text/html"]!;
	await tab.press("Delete");
	await tab.paste("one\ntwo\nthree", html.replace(/<ul [^>]*>/, "<ul>"));
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "three"]);
	expect(await tab.page.locator(".row.todo").count()).toBe(3);
	expect(await tab.page.locator(".row.completed .name").allInnerTexts()).toEqual(["three"]);
});

test("a page without a text beside it is pasted line by line", async () => {
	const tab = await app.open();
	await tab.paste("", "<ul><li>one<ul><li><b>two</b></li></ul></li><li>three</li></ul>");
	await expect.poll(() => tab.rows()).toEqual(["one", "  <b>two</b>", "three"]);
	await tab.press("Enter");
	await tab.paste("", "<p>four</p><p>five</p>");
	await expect.poll(async () => (await tab.rows()).slice(3)).toEqual(["four", "five"]);
	await tab.press("Enter");
	await tab.paste("", "s<i>i</i>x");
	await expect.poll(async () => (await tab.rows()).slice(5)).toEqual(["s<i>i</i>x"]);
});

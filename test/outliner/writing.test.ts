import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("Enter makes nodes, Tab and Shift+Tab move them, and nothing that is typed fast is lost", async () => {
	const tab = await app.open();
	await tab.type("a\n");
	await tab.press("Tab");
	await tab.type("b\nc\n");
	await tab.press("Shift+Tab");
	await tab.type("d");
	expect(await tab.rows()).toEqual(["a", "  b", "  c", "d"]);
	await tab.page.reload();
	await tab.ready();
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "  c", "d"]);
});

test("Enter in the middle splits, and Backspace at the start joins", async () => {
	const tab = await app.open();
	await tab.type("one **two** three");
	await tab.press(...Array.from({ length: 7 }, () => "ArrowLeft"));
	await tab.press("Enter");
	expect(await tab.rows()).toEqual(["one <b>tw</b>", "<b>o</b> three"]);
	expect(await tab.caret()).toBe("|o three");
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["one <b>tw</b><b>o</b> three"]);
	expect(await tab.caret()).toBe("one tw|o three");
});

test("Markdown becomes what it means as it is typed", async () => {
	const tab = await app.open();
	await tab.type("**b** *i* ~~s~~ `c` [l](https://example.org) [2026-11-21] x\n");
	await tab.type("2 * 3 * 4 snake_case_name\n# head\n> quote\n[] todo\n");
	expect(await tab.rows()).toEqual([
		'<b>b</b> <i>i</i> <s>s</s> <code>c</code> <a href="https://example.org">l</a> <time datetime="2026-11-21">2026-11-21</time> x',
		"2 * 3 * 4 snake_case_name",
		"head",
		"quote",
		"todo",
		"",
	]);
	const classes = await tab.page.$$eval(".row", (rows) => rows.map(({ className }) => className.split(" ")[1]));
	expect(classes).toEqual(["bullets", "bullets", "h1", "quote-block", "todo", "todo"]);
});

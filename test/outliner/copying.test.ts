import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { describe, expect, test } from "vitest";
import { walked } from "../../examples/outliner/src/clipboard/copied-node.js";
import { markdownOf, textOf } from "../../examples/outliner/src/clipboard/copied-text.js";
import { App } from "./app.js";

const app = new App();

const source = `- Trip

  at the *old* harbour
  \\> 2 euros each

  &#0;

  bring cash
  - [ ] book
  - [x] pack
  - ferry <!-- completed -->
  - # Day 1 <!-- completed -->
  - \`\`\`
    code
    more
    \`\`\`
- **b** & \\<i>
-
`;

async function scene() {
	const outline = new Outline({ storage: createMemoryStorage() });
	await outline.import(source, { format: "markdown" });
	return { outline, nodes: await walked(outline, [null]) };
}

describe("copied rows for other programs", () => {
	test("are lines as a person reads them, in plain text", async () => {
		const { nodes } = await scene();
		expect(textOf(nodes)).toBe(`Trip
  at the *old* harbour
  > 2 euros each



  bring cash
\t[ ] book
\t[x] pack
\t[x] ferry
\tDay 1
\tcode
\t  more
b & <i>

`);
	});

	test("have no sign for a blank at the end of a line, in Markdown", async () => {
		const outline = new Outline({ storage: createMemoryStorage() });
		for (const name of ["one  ", "<b>two</b> ", "&amp;#32;"]) await outline.create({ name, format: "html" });
		const markdown = await markdownOf(outline, await walked(outline, [null]));
		expect(markdown).toBe("- \\&#32;\n- **two**\n- one\n");
	});

	test("are a list that each program shows, in Markdown", async () => {
		const { outline, nodes } = await scene();
		const markdown = await markdownOf(outline, nodes);
		expect(markdown).toContain("- [x] ferry\n  - # Day 1\n");
		expect(markdown).not.toMatch(/<!--|&#0;/);
		const copy = new Outline({ storage: createMemoryStorage() });
		await copy.import(markdown, { format: "markdown" });
		const names = (await walked(copy, [null])).map(({ node }) => [node.name, node.layoutMode, node.completed]);
		expect(names).toEqual([
			["Trip", "bullets", false],
			["book", "todo", false],
			["pack", "todo", true],
			["ferry", "todo", true],
			["Day 1", "h1", false],
			["code\nmore", "code-block", false],
			["<b>b</b> &amp; &lt;i&gt;", "bullets", false],
			["", "bullets", false],
		]);
	});
});

test("on a page of http the rows are copied in the old way, and so is a link", async () => {
	const context = await app.profile();
	// As browsers have it on a page that isn't of https, nor of this machine.
	await context.addInitScript(() => {
		Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
	});
	const tab = await app.open(context);
	await tab.write("one", "  two", "");
	await tab.press("ArrowUp", "ArrowUp", "Escape", "Control+c");
	await tab.press("ArrowDown", "ArrowDown", "ArrowDown", "Control+v");
	await expect.poll(() => tab.rows()).toEqual(["one", "  two", "one", "  two"]);
	await tab.press("ArrowUp", "Alt+Shift+l");
	await expect.poll(() => tab.message()).toBe("The link is copied.");
	await tab.press("End", "Enter", "Control+Shift+v");
	await expect.poll(() => tab.caret()).toMatch(/#\/[0-9a-f]{12}\|$/);
	await tab.press("ArrowUp", "Control+Shift+k");
	await tab.type("copy as text");
	await expect.poll(async () => (await tab.choices())[0]).toBe("› Copy as text");
	await tab.press("Enter");
	await expect.poll(() => tab.message()).toMatch(/^The row is copied as text/);
});

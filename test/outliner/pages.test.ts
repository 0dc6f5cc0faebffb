import { expect, test } from "vitest";
import { pageText } from "../../examples/outliner/src/files/front-matter.js";
import { App, type Tab } from "./app.js";

const app = new App();

/** Imports files, and returns the message about them. */
async function imported(tab: Tab, files: { readonly [name: string]: string }): Promise<string> {
	const { page } = tab;
	await tab.press("Control+s");
	await tab.choose(...Object.entries(files).map(([name, text]) => ({ name, text })));
	const outcome = page.locator(".files section .outcome");
	await expect.poll(() => outcome.locator("p > b").count()).toBeGreaterThan(0);
	await page.getByRole("button", { name: "Choose files" }).waitFor();
	for (const details of await outcome.locator("summary").all()) await details.click();
	const text = await outcome.innerText();
	await page.keyboard.press("Escape");
	return text.replace(/\s*\n\s*/g, "\n");
}

/** Unfolds everything. */
async function unfolded(tab: Tab): Promise<string[]> {
	await tab.press("Control+Home", "Escape", "Control+a", "Control+Shift+ArrowDown", "Escape");
	return (await tab.rows()).map((row) => row.replace(/"#\/[0-9a-f]{12}"/g, '"#"'));
}

const projectX = `title:: Project X
tags:: work

- TODO call Ada
  id:: 6551aaaa-0000-4000-8000-000000000001
  collapsed:: true
	- DONE find the number, see [[Page two]] and [[Nowhere]]
- LATER [the page]([[page TWO]]) #[[Page two]]
`;
const pageTwo = `---
tags: [a, b]
alias: P2
---
- about [[Project X]] on [[Dec 1st, 2026]]
- like ((6551aaaa-0000-4000-8000-000000000001)), and \`[[Page two]]\`
- [[P2|me]] <b> & more
`;

test("files of Logseq become a node each, with to-dos, properties and links to each other", async () => {
	const tab = await app.open();
	const told = await imported(tab, { "project.md": projectX, "Page two.md": pageTwo, "a___b%3F.md": "- deep\n" });
	expect(told).toContain("10 nodes from 3 files imported. 1 link leads to nothing in this outline.\n");
	expect(told).toContain("project.md: 4 nodes imported. 1 link leads to nothing in this outline.\n");
	expect(told).not.toContain("left out");
	await expect.poll(() => tab.rows()).toEqual(["Project X", "Page two", "a/b?"]);
	expect(await unfolded(tab)).toEqual([
		"Project X",
		"  call Ada",
		'    find the number, see <a href="#">Page two</a> and [[Nowhere]]',
		'  <a href="#">the page</a> <a href="#">Page two</a>',
		"Page two",
		'  about <a href="#">Project X</a> on <time datetime="2026-12-01">2026-12-01</time>',
		'  like <a href="#">call Ada</a>, and <code>[[Page two]]</code>',
		'  <a href="#">me</a> &lt;b&gt; &amp; more',
		"a/b?",
		"  deep",
	]);
	expect(await tab.page.locator(".row.todo").count()).toBe(3);
	expect(await tab.page.locator(".row.todo.completed").count()).toBe(1);
	// The first link leads to the page that the file has become.
	await tab.page.locator(".name a", { hasText: "Page two" }).first().click();
	await expect.poll(() => tab.title()).toBe("Page two");
	await tab.press("Control+,");
	for (const [query, found] of [
		["collapsed:true", "1 node"],
		["has:id", "1 node"],
		["marker:LATER", "1 node"],
		["tags:work", "1 node"],
	] as const) {
		await tab.press("Control+f");
		await tab.page.locator(".filter input").fill(query);
		await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe(found);
		await tab.page.getByText("Show all").click();
	}
	// All of it is one step of undo.
	await tab.press("Control+Home", "Control+z");
	await expect.poll(() => tab.rows()).toEqual([""]);
});

test("a journal goes below its day, with links from the pages to it as the date", async () => {
	const tab = await app.openWith("mine");
	const told = await imported(tab, {
		"2026_12_01.md": "- TODO call Ada\n\t- find the number\n",
		"Plan.md": "- from [[2026_12_01]]\n",
	});
	expect(told).toContain("4 nodes from 2 files imported.");
	await expect.poll(() => tab.rows()).toEqual(["mine", "Plan", "Calendar"]);
	await tab.row("Plan").locator(".fold").click();
	await expect
		.poll(() => tab.rows())
		.toEqual(["mine", "Plan", '  from <time datetime="2026-12-01">2026-12-01</time>', "Calendar"]);
	await tab.page.locator(".name time").click();
	await expect.poll(() => tab.title()).toBe("Tue, Dec 1, 2026");
	expect(await tab.rows()).toEqual(["call Ada"]);
});

test("one file of Logseq comes without a node, and one that isn't of Logseq keeps its text", async () => {
	const tab = await app.open();
	expect(await imported(tab, { "one.md": "- TODO call Ada\n  id:: 1\n- first\n  second\n" })).toBe(
		"one.md: 2 nodes imported.",
	);
	await expect.poll(() => tab.rows()).toEqual(["call Ada", "first"]);
	expect(await tab.page.locator(".note").textContent()).toBe("second");
	await imported(tab, { "readme.md": "# Title\n\n- TODO write\n  on a long line\n" });
	await expect.poll(() => tab.rows()).toEqual(["call Ada", "first", "Title"]);
	expect((await unfolded(tab)).at(-1)).toBe("  TODO write on a long line");
});

test("a file that can't be read is named, and stops no other file", async () => {
	const tab = await app.open();
	const told = await imported(tab, { "fine.md": "- one\n", "long.md": `- ${"x".repeat(1_100_000)}\n` });
	expect(told).toMatch(/2 nodes from 1 file imported\. Nothing was imported from 1 file:\nlong\.md: Line 1: /);
	await expect.poll(() => tab.rows()).toEqual(["fine"]);
});

test.each([
	[
		"---\ntitle: A\ntags:\n  - x\n  - 'y z'\nlist: [a, \"b\"]\n---\ntext\n",
		{ title: "A", tags: ["x", "y z"], list: ["a", "b"] },
		"text\n\n",
	],
	["---\nnested:\n  a: b\n---\ntext", {}, undefined],
	["---\ntext\n", {}, undefined],
	["title:: A\nid::\n\n- text", { title: "A", id: "" }, "\n- text\n"],
	["- title:: A\n  tags:: b\n- text", { title: "A", tags: "b" }, "- text\n"],
	["- tags:: b\n  text", {}, undefined],
	["text\ntags:: b", {}, undefined],
])("the properties of %j", (markdown, properties, text = `${markdown}\n`) => {
	expect(pageText(markdown)).toEqual({ properties, text });
});

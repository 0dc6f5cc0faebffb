import { expect, test } from "vitest";
import { App, type NamedFile, type Tab } from "./app.js";

const app = new App();

/** Exports what is chosen, and gives the file. */
async function exported(tab: Tab, ...choices: string[]): Promise<NamedFile> {
	await tab.page.getByRole("tab", { name: "Export" }).click();
	for (const choice of choices) await tab.page.getByRole("radio", { name: choice }).check();
	return tab.downloaded("Export");
}

/** Imports files, and returns the message about them. */
async function imported(tab: Tab, ...files: NamedFile[]): Promise<string> {
	await tab.choose(...files);
	const { page } = tab;
	const outcome = page.locator(".files section .outcome");
	await expect.poll(() => outcome.locator("p > b").count()).toBeGreaterThan(0);
	await page.getByRole("button", { name: "Choose files" }).waitFor();
	return outcome.innerText();
}

/** Writes an outline with some of everything. */
async function write(tab: Tab): Promise<void> {
	await tab.type("**Trip**\n");
	await tab.press("Tab");
	await tab.type("[] pack\n");
	await tab.type("book");
	await tab.press("Control+Enter", "Shift+Enter");
	await tab.type("with a note");
	await tab.press("Escape", "Enter", "Backspace", "Shift+Tab");
	await tab.type("# Other");
	await tab.saved();
}

const written = ["<b>Trip</b>", "  pack", "  book", "Other"];

test("JSON carries everything into another browser", async () => {
	const tab = await app.open();
	await write(tab);
	expect(await tab.rows()).toEqual(written);
	await tab.press("Control+s");
	const file = await exported(tab, "JSON");
	expect(file.name).toMatch(/^Outline \d{4}-\d\d-\d\d\.json$/);
	await tab.page.getByText("4 nodes in").waitFor();
	await tab.page.getByText("Nothing was left out.").waitFor();

	const other = await app.open();
	await other.press("Control+s");
	expect(await imported(other, file)).toBe(`${file.name}: 4 nodes imported.`);
	expect((await exported(other, "JSON")).text).toBe(file.text);
	await other.press("Escape");
	await other.press("Control+ArrowDown");
	await expect.poll(() => other.rows()).toEqual(written);
	// The import in the place of the blank line is one step of undo and redo.
	await other.press("Control+z");
	await expect.poll(() => other.rows()).toEqual([""]);
	await other.press("Control+Shift+z");
	await expect.poll(() => other.rows()).toEqual(written);
	// Deleting the imported nodes, and undo of that alone.
	await other.press("Control+Home", "Control+Shift+Backspace");
	await expect.poll(() => other.rows()).toEqual(["Other"]);
	await other.press("Control+z");
	await expect.poll(() => other.rows()).toEqual(written);
});

test("OPML carries the tree, the notes and what is completed", async () => {
	const tab = await app.open();
	await write(tab);
	await tab.press("Control+s");
	const file = await exported(tab, "OPML");
	expect(file.text).toContain("<opml");
	const other = await app.openWith("there already");
	await other.press("Control+s");
	expect(await imported(other, file)).toBe(`${file.name}: 4 nodes imported.`);
	await other.press("Escape", "Control+ArrowDown");
	await expect.poll(() => other.rows()).toEqual(["there already", ...written]);
	expect(await other.page.locator(".note").innerText()).toContain("with a note");
	expect(await other.page.locator(".row.completed").innerText()).toContain("book");
});

test("exports only the visible node if there is one, and keeps the caret", async () => {
	const tab = await app.open();
	await write(tab);
	await tab.page.locator(".name", { hasText: "Trip" }).click();
	await tab.press("Control+.", "ArrowDown", "Home", "ArrowRight");
	expect(await tab.caret()).toBe("p|ack");
	await tab.press("Control+s");
	const file = await exported(tab, "Markdown", "Only “Trip”");
	expect(file.name).toMatch(/^Trip .*\.md$/);
	expect(file.text).toBe("- **Trip**\n  - [ ] pack\n  - [x] book\n    \n    with a note\n".replace("    \n", "\n"));
	await tab.press("Escape");
	expect(await tab.caret()).toBe("p|ack");
});

test("names the things of a file that the outline can't store", async () => {
	const tab = await app.open();
	await tab.press("Control+s");
	const text =
		'<opml version="2.0"><head><title>T</title></head><body><outline text="a" x:mark="x"/><outline text="b" x:mark="y"/></body></opml>';
	expect(await imported(tab, { name: "feeds.opml", text })).toBe(
		"feeds.opml: 2 nodes imported. This was left out:\n\nattribute x:mark (2 times)\nwhat the file says about itself: title",
	);
});

test("the report of many files begins with a sum, and shows the rest on demand", async () => {
	const tab = await app.open();
	await tab.press("Control+s");
	const text =
		'<opml version="2.0"><head/><body><outline text="a" x:mark="x"/><outline text="b" x:other="y"/></body></opml>';
	const files = Array.from({ length: 30 }, (_, index) => ({ name: `${index}.opml`, text }));
	expect(await imported(tab, ...files)).toMatch(
		/^60 nodes from 30 files imported\.\s+60 things were left out\s+Show each file$/,
	);
	await tab.page.getByText("60 things").click();
	await tab.page.getByText("attribute x:mark (30 times)").waitFor();
	expect(await tab.violations()).toEqual([]);
});

test("a malformed file changes nothing, and its line is named", async () => {
	const tab = await app.openWith("mine");
	await tab.press("Control+s");
	const said = await imported(
		tab,
		{ name: "broken.opml", text: "<opml>\n<body>\n<outline text='a'>\n</body></opml>" },
		{ name: "cut.json", text: '{"format":"outlinekit","version":1,"nodes":2,"keys":0}\n' },
		{ name: "fine.md", text: "- one\n- two\n" },
	);
	expect(said).toMatch(
		/^2 nodes from 1 file imported\. Nothing was imported from 2 files:\s+broken\.opml: Line 4: .*\s+cut\.json: Line 1: .*cut off.*\s+Show each file$/,
	);
	await tab.page.getByText("Show each file").click();
	await tab.page.getByText("fine.md: 2 nodes imported.").waitFor();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(["mine", "one", "two"]);
});

test("the keyboard leads from choosing files to cancelling and back", async () => {
	const tab = await app.open();
	// The browser has to know early that no user is there to choose.
	const chooser = tab.page.waitForEvent("filechooser");
	// Past the title and the button that closes, to the tabs.
	await tab.press("Control+s", "Tab", "Tab", "ArrowLeft");
	const focused = () => tab.page.evaluate(() => document.activeElement?.textContent);
	await expect.poll(focused).toBe("Import");
	await tab.press("Tab");
	expect(await focused()).toBe("Choose files…");
	await tab.press("Enter");
	const text = Array.from({ length: 20_000 }, (_, index) => `- line ${index} with **some** text\n`).join("");
	await (await chooser).setFiles({ name: "long.md", mimeType: "", buffer: Buffer.from(text) });
	await expect.poll(focused).toBe("Cancel");
	await tab.page.getByText("20,000 nodes imported.").waitFor();
	await expect.poll(focused).toBe("Choose files…");
});

test.each([
	[
		"moved.opml",
		`<opml version="2.0"><body>
			<outline text="&lt;a href=&quot;https://workflowy.com/#/0123456789ab&quot;&gt;one&lt;/a&gt;, [[Page]]"/>
			<outline text="&lt;a href=&quot;#/0123456789ab&quot;&gt;two&lt;/a&gt;"/>
			<outline text="&lt;a href=&quot;https://example.org/#/0123456789ab&quot;&gt;a page&lt;/a&gt;"/>
		</body></opml>`,
		"moved.opml: 3 nodes imported. 3 links lead to nothing in this outline.",
	],
	[
		"note.md",
		"# Title\n\nsee [[Page]]\n\n`[[code]]`\n",
		"note.md: 3 nodes imported. 1 link leads to nothing in this outline.",
	],
])("the report says how many links of %s lead to nothing", async (name, text, said) => {
	const tab = await app.open();
	await tab.press("Control+s");
	expect(await imported(tab, { name, text })).toBe(said);
});

test("links to nodes of the outline aren't reported", async () => {
	const tab = await app.openWith("here");
	await tab.press("Control+.");
	await expect.poll(() => tab.title()).toBe("here");
	const address = await tab.page.evaluate(() => location.hash);
	await tab.press("Control+s");
	const text = `<opml version="2.0"><body><outline text="&lt;a href=&quot;${address}&quot;&gt;it&lt;/a&gt;"/></body></opml>`;
	expect(await imported(tab, { name: "own.opml", text })).toBe("own.opml: 1 node imported.");
});

test("an import that is cancelled changes nothing", async () => {
	const tab = await app.openWith("mine");
	await tab.press("Control+s");
	const text = Array.from({ length: 400_000 }, (_, index) => `- line ${index} with **some** text\n`).join("");
	await tab.choose({ name: "long.md", text });
	await tab.page.waitForFunction(() => (document.querySelector("progress")?.value ?? 0) > 0);
	await tab.page.getByRole("button", { name: "Cancel" }).click();
	await tab.page.getByText("Cancelled. Nothing was imported.").waitFor();
	await tab.press("Escape");
	expect(await tab.rows()).toEqual(["mine"]);
	await tab.reload();
	expect(await tab.rows()).toEqual(["mine"]);
});

test("a file that is dropped anywhere is imported", async () => {
	const tab = await app.openWith("mine");
	const transfer = await tab.page.evaluateHandle(() => {
		const data = new DataTransfer();
		data.items.add(new File(["- dropped\n"], "dropped.md"));
		return data;
	});
	await tab.page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
	await tab.page.dispatchEvent("body", "drop", { dataTransfer: transfer });
	await tab.page.getByText("1 node imported.").waitFor();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(["mine", "dropped"]);
	expect(await tab.caret()).toBe("dropped|");
});

import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("copied rows are Markdown and nested lists for other programs, and nodes with all fields here", async () => {
	const tab = await app.openWith("# head", "  **b** & <i>", "    [] todo", "x");
	await tab.into("todo");
	await tab.press("Control+Enter", "Shift+Enter");
	await tab.type("a note");
	await tab.into("head");
	await tab.press("Control+ArrowUp");
	await expect.poll(() => tab.rows()).toEqual(["head", "x"]);
	await tab.press("Escape", "Shift+ArrowDown");
	const copied = await tab.copied("Control+c");
	expect(copied["text/plain"]).toBe("- # head\n  - **b** & \\<i>\n    - [x] todo\n\n      a note\n- [ ] x\n");
	expect(copied["text/html"]).toContain("<h1>head</h1><ul><li><b>b</b> &amp; &lt;i&gt;<ul><li>☑ todo");
	const types = await tab.page.evaluate(async () => (await navigator.clipboard.read())[0]!.types);
	expect(types).toContain("web application/x-outlinekit+json");
	expect(await tab.selected()).toEqual(["head", "x"]);
	await tab.press("Control+v");
	await expect.poll(() => tab.rows()).toEqual(["head", "x", "head", "x"]);
	expect(await tab.caret()).toBe("x|");
	await tab.row("head").last().locator(".fold").click();
	await expect.poll(() => tab.rows()).toEqual(["head", "x", "head", "  <b>b</b> &amp; &lt;i&gt;", "    todo", "x"]);
	expect(await tab.page.locator(".row.h1").count()).toBe(2);
	expect(await tab.page.locator(".row.todo.completed .note").textContent()).toBe("a note");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["head", "x"]);
	// Another outline has them too.
	const other = await app.open();
	await other.press("Control+v");
	await expect.poll(() => other.rows()).toEqual(["head", "x"]);
});

test.each([
	["text", { "text/plain": "bold & <i>\n\t[ ] todo\n" }],
	["Markdown", { "text/plain": "- **bold** & \\<i>\n  - [ ] todo\n" }],
	[
		"rich text",
		{
			"text/plain": "bold & <i>\n\t[ ] todo\n",
			"text/html": expect.stringContaining("<li><b>bold</b> &amp; &lt;i&gt;<ul><li>☐ todo</li></ul></li>"),
		},
	],
])("the chosen rows are copied as %s by a command", async (form, expected) => {
	const tab = await app.openWith("**bold** & <i>", "  [] todo");
	await tab.press("ArrowUp", "Control+Shift+k");
	await tab.type(`copy as ${form}`);
	await expect.poll(async () => (await tab.choices())[0]).toBe(`› Copy as ${form}`);
	expect(await tab.copied("Enter")).toEqual(expected);
	await expect.poll(() => tab.message()).toBe(`The row is copied as ${form}, with everything below.`);
});

test("cut rows go, come back by pasting, and both are undone in one step each", async () => {
	const tab = await app.openWith("a", "b", "  b1", "c");
	await tab.into("b");
	await tab.press("Escape");
	const cut = await tab.copied("Control+x");
	expect(cut["text/plain"]).toBe("- b\n  - b1\n");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	await tab.into("c");
	await tab.press("Control+v");
	await expect.poll(() => tab.rows()).toEqual(["a", "c", "b", "  b1"]);
	expect(await tab.caret()).toBe("b1|");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "c"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  b1", "c"]);
});

test("a copied mirror is pasted as a mirror, and as a copy where what it shows is gone", async () => {
	const tab = await app.openWith("o", "x");
	const bullet = (await tab.row("o").locator(".bullet").boundingBox())!;
	const target = (await tab.row("x").boundingBox())!;
	await tab.page.mouse.move(bullet.x + 10, bullet.y + 14);
	await tab.page.mouse.down();
	await tab.page.keyboard.down("Alt");
	await tab.page.mouse.move(bullet.x + 10, target.y + target.height * 0.8, { steps: 4 });
	await tab.page.mouse.up();
	await tab.page.keyboard.up("Alt");
	await expect.poll(() => tab.rows()).toEqual(["o", "x", "o"]);
	await tab.into("x");
	await tab.press("ArrowDown", "Escape");
	await tab.copied("Control+c");
	await tab.into("x");
	await tab.press("Control+v");
	await expect.poll(() => tab.rows()).toEqual(["o", "x", "o", "o"]);
	expect(await tab.page.locator(".row.mirror").count()).toBe(2);
	const other = await app.open();
	await other.press("Control+v");
	await expect.poll(() => other.rows()).toEqual(["o"]);
	expect(await other.page.locator(".row.mirror").count()).toBe(0);
});

test("text that is selected in a field is copied with its formatting, and cut", async () => {
	const tab = await app.openWith("one **two** three");
	await tab.press("Control+a");
	const copied = await tab.copied("Control+c");
	expect(copied).toEqual({ "text/plain": "one two three", "text/html": "one <b>two</b> three" });
	await tab.press("End", "Enter", "Control+v");
	await expect.poll(() => tab.rows()).toEqual(["one <b>two</b> three", "one <b>two</b> three"]);
	expect(await tab.caret()).toBe("one two three|");
	await tab.press("Home", "Shift+End");
	expect((await tab.copied("Control+x"))["text/plain"]).toBe("one two three");
	await expect.poll(() => tab.rows()).toEqual(["one <b>two</b> three", ""]);
	// Only a part of what is bold is bold too.
	await tab.into("one two three");
	await tab.press("Home", ..."12345".split("").map(() => "ArrowRight"), "Shift+ArrowRight");
	expect((await tab.copied("Control+c"))["text/html"]).toBe("<b>w</b>");
});

test("one line goes into the text, with what a name may hold of its formatting", async () => {
	const tab = await app.open();
	await tab.type("<>");
	await tab.press("ArrowLeft");
	await tab.paste(
		"plain bold link times",
		'<html><body>\n<!--StartFragment--><p style="color:red">plain <strong>bold</strong>\n <a href="https://example.org/" onclick="x()">link</a> <span>times</span></p><!--EndFragment-->\n</body></html>',
	);
	await expect
		.poll(() => tab.rows())
		.toEqual(['&lt;plain <b>bold</b> <a href="https://example.org/">link</a> times&gt;']);
	expect(await tab.caret()).toBe("<plain bold link times|>");
	await tab.press("Control+a");
	await tab.paste("just text\n");
	await expect.poll(() => tab.rows()).toEqual(["just text"]);
	// Wherever the page shows something else than the text, the text counts.
	await tab.press("Control+a");
	await tab.paste("what was copied", "<b>something</b> else");
	await expect.poll(() => tab.rows()).toEqual(["what was copied"]);
	await tab.press("Control+a");
	await tab.paste("no * markdown * here");
	await expect.poll(() => tab.rows()).toEqual(["no * markdown * here"]);
});

test("several lines become rows: Markdown, indented text, and OPML", async () => {
	const tab = await app.openWith("start");
	await tab.paste("# Head\n\n- one\n  - [x] two\n    - **three**\n\n> quote\n");
	const markdown = ["start", "Head", "  one", "    two", "      <b>three</b>", "  quote"];
	await expect.poll(() => tab.rows()).toEqual(markdown);
	expect(await tab.caret()).toBe("quote|");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["start"]);
	await tab.into("start");
	await tab.paste("Monday\n\tbuy *milk*\n\tcall\r\nTuesday\n\n");
	await expect.poll(() => tab.rows()).toEqual(["start", "Monday", "  buy *milk*", "  call", "Tuesday"]);
	await tab.press("Control+z");
	await tab.into("start");
	await tab.paste(
		'<?xml version="1.0"?>\n<opml version="2.0"><head/><body>\n<outline text="a"><outline text="b" _note="n"/></outline>\n</body></opml>',
	);
	await expect.poll(() => tab.rows()).toEqual(["start", "a", "  b"]);
	expect(await tab.page.locator(".note").allTextContents()).toEqual(["n"]);
	await tab.press("Control+z");
	await tab.into("start");
	// A text that only looks like OPML loses nothing.
	await tab.paste("<opml>\n<outline\nbroken");
	await expect.poll(() => tab.rows()).toEqual(["start", "&lt;opml&gt;", "&lt;outline", "broken"]);
});

test.each([
	[
		"a list of a web page",
		"Shopping\n\n    milk and bread\n        fresh\n    eggs\n\nsee here",
		'<p>Shopping</p><ul><li><strong>milk</strong> and <em>bread</em><ul><li>fresh</li></ul></li>\n<li>eggs</li></ul><p>see <a href="https://example.org/" onclick="x()">here</a></p>',
		["Shopping", "<b>milk</b> and <i>bread</i>", "  fresh", "eggs", 'see <a href="https://example.org/">here</a>'],
	],
	[
		"an article",
		"Top\n\nfirst\nsecond\n\nBelow\n\nx < 1\n  y\n\nsaid",
		"<h1>Top</h1><p>first<br>second</p><h2>Below</h2><pre><code>x &lt; 1\n  y\n</code></pre><blockquote><p>said</p></blockquote>",
		["Top", "  first", "  second", "  Below", "    x &lt; 1\n  y", "    said"],
	],
	[
		"a Google document",
		"one\n* two\n   1. three\n* four",
		'<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">one</span></p><ul><li dir="ltr" aria-level="1"><p><span style="font-style:italic;font-weight:400">two</span></p></li><ol><li aria-level="2"><span>three</span></li></ol><li role="checkbox" aria-checked="true"><span style="text-decoration:line-through">four</span></li></ul></b>',
		["<b>one</b>", "<i>two</i>", "  three", "<s>four</s>"],
	],
	[
		"a Word document",
		"\u00b7\tone\no\tdeep\n\u00b7\ttwo",
		"<html><head><style>p{}</style></head><body><!--StartFragment--><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>\u00b7<span>&nbsp;&nbsp; </span></span><![endif]><b>one</b></p><p style='margin:0;mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp;</span></span>deep</p><p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>\u00b7</span>two</p><!--EndFragment--></body></html>",
		["<b>one</b>", "  deep", "two"],
	],
	[
		"a table, row by row",
		"a\tb\nc\td",
		"<table><tbody><tr><td>a</td><td>b</td></tr><tr><td>c</td><td><b>d</b></td></tr></tbody></table>",
		["a | b", "c | <b>d</b>"],
	],
	[
		"a table with paragraphs and a blank cell",
		"Name\tTown\tNote\n\nAda\n\t\n\nfirst\nand\n",
		"<table><thead><tr><th>Name</th><th>Town</th><th>Note</th></tr></thead><tr><td><p>Ada</p></td><td></td><td><p>first<br>and</p></td></tr></table>",
		["Name | Town | Note", "Ada | | first and"],
	],
	[
		"a page that a table lays out",
		"menu\none\n\ntext\n\nmore",
		"<table><tr><td>menu<ul><li>one</li></ul></td><td><p>text</p><p>more</p></td></tr></table>",
		["menu", "one", "text", "more"],
	],
])("%s is pasted as nodes that keep their formatting", async (_, text, html, rows) => {
	const tab = await app.open();
	await tab.paste(text, html);
	await expect.poll(() => tab.rows()).toEqual(rows);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual([""]);
});

test.each([
	[
		"a break",
		"Parent\nsecond line\nkid\nother",
		"<ul><li>Parent<br>second <b>line</b><ul><li>kid</li></ul></li><li>other</li></ul>",
		"second line",
	],
	[
		"a note as Workflowy copies it",
		'- Parent\n  "second line"\n  - kid\n- other',
		'<ul><li><span class="name">Parent</span><span class="note">second line</span><ul><li><span class="name">kid</span></li></ul></li><li><span class="name">other</span></li></ul>',
		"second line",
	],
	[
		"further paragraphs",
		"Parent\n\nsecond\n\nthird\n\nkid\nother",
		'<ul><li><p>Parent</p><p>second</p><p><a href="https://example.org/">third</a></p><ul><li>kid</li></ul></li><li>other</li></ul>',
		"second\nthird (https://example.org/)",
	],
])("the second line of an item is its note: %s", async (_, text, html, note) => {
	const tab = await app.open();
	await tab.paste(text, html);
	await expect.poll(() => tab.rows()).toEqual(["Parent", "  kid", "other"]);
	expect(await tab.page.locator(".note").allTextContents()).toEqual([note]);
});

test("other blocks of an item, and lines behind its children, are below it", async () => {
	const tab = await app.open();
	await tab.paste(
		"Parent\ncode\nkid\nafter\nother",
		"<ul><li>Parent<pre>code</pre><ul><li>kid</li></ul>after</li><li>other</li></ul>",
	);
	await expect.poll(() => tab.rows()).toEqual(["Parent", "  code", "  kid", "  after", "other"]);
});

test("a page with images keeps its structure, and each image is a link with its description", async () => {
	const tab = await app.open();
	const other = await await tab.page.context().newPage();
	await other.setContent(`<h2>Head</h2><p>A <b>bold</b> word, a <a href="https://example.org/">link</a></p>
		<img alt="pic" src="${app.address}icon-192.png"><p>Before <img src="https://example.org/no.png"> behind
		<img alt="" src="https://example.org/line.png"><img alt="☺" src="https://example.org/smile.png"></p>
		<a href="https://example.org/page"><img alt="a map" src="${app.address}icon-512.png"></a>
		<ul><li>one<ul><li>two <img alt="own" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></li></ul></li></ul>`);
	await other.keyboard.press("Control+a");
	await other.keyboard.press("Control+c");
	await tab.page.bringToFront();
	await tab.press("Control+v");
	await expect
		.poll(() => tab.rows())
		.toEqual([
			"Head",
			'  A <b>bold</b> word, a <a href="https://example.org/">link</a>',
			`  <a href="${app.address}icon-192.png">pic</a>`,
			'  Before <a href="https://example.org/no.png">Image</a> behind ☺',
			'  <a href="https://example.org/page">a map</a>',
			"  one",
			"    two own",
		]);
});

test("an image in a line is a link too, whether or not its description is in the text", async () => {
	const tab = await app.open();
	const line = 'see <img alt="the plan" src="https://example.org/plan.png"> <b>here</b>';
	const pasted = 'see <a href="https://example.org/plan.png">the plan</a> <b>here</b>';
	await tab.type("x");
	for (const text of ["see the plan here", "see  here"]) {
		await tab.press("Control+a");
		await tab.paste(text, line);
		await expect.poll(() => tab.rows()).toEqual([pasted]);
	}
	await tab.press("Control+a");
	await tab.paste("see here", `${line} and more`);
	await expect.poll(() => tab.rows()).toEqual(["see here"]);
});

test("an image alone becomes a link if it has an address, and a message says so", async () => {
	const tab = await app.open();
	await tab.type("see ");
	const pasteImage = (html: string, type: string) =>
		tab.page.evaluate(
			([html, type]) => {
				const clipboardData = new DataTransfer();
				if (html !== "") clipboardData.setData("text/html", html!);
				clipboardData.items.add(new File(["x"], "file", { type: type! }));
				const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
				document.activeElement!.dispatchEvent(event);
			},
			[html, type],
		);
	await pasteImage("", "image/png");
	await expect.poll(() => tab.message()).toMatch(/^An outline keeps no images, so nothing was pasted/);
	await pasteImage("", "application/pdf");
	await expect.poll(() => tab.message()).toMatch(/^A file can’t be pasted/);
	expect(await tab.rows()).toEqual(["see "]);
	await pasteImage('<meta charset="utf-8"><img src="https://example.org/a.png?b&amp;c" alt="">', "image/png");
	await expect.poll(() => tab.message()).toMatch(/so a link to the image was pasted/);
	await expect.poll(() => tab.rows()).toEqual(['see <a href="https://example.org/a.png?b&amp;c">Image</a>']);
	await tab.press("Shift+Enter");
	await pasteImage('<img src="https://example.org/a.png" alt="the plan">', "image/png");
	await expect.poll(() => tab.page.locator(".note").textContent()).toBe("https://example.org/a.png");
});

test("layouts of a page come along, and its text alone where it shows other words", async () => {
	const tab = await app.open();
	await tab.paste(
		"Top\n[x] done\nsaid",
		"<h2>Top</h2><ul><li><input type=checkbox checked> done</li></ul><blockquote>said</blockquote>",
	);
	await tab.page.waitForSelector(".row.quote-block");
	const layouts = await tab.page.$$eval(".row", (all) => all.map(({ className }) => className));
	expect(layouts).toEqual(["row h2", "row todo completed", "row quote-block"]);
	await tab.press("Control+z");
	await tab.paste("one\ntwo", "<ul><li>one</li><li>two</li><li style='display:none'>three</li></ul>");
	await expect.poll(() => tab.rows()).toEqual(["one", "two"]);
	await tab.press("Control+z");
	// An editor of code gives colours, and its text may be Markdown.
	await tab.paste(
		"- a\n  - b",
		'<div style="white-space:pre"><div><span style="color:red">-</span> a</div><div>  - b</div></div>',
	);
	await expect.poll(() => tab.rows()).toEqual(["a", "  b"]);
});

test("a Markdown table becomes a row for each of its lines", async () => {
	const tab = await app.open();
	await tab.paste("| a | b |\n|---|---|\n| 1 | 2 |");
	await expect.poll(() => tab.rows()).toEqual(["a | b", "1 | 2"]);
	await tab.press("Control+z");
	await tab.paste(
		"# Head\n\ntext\nName | #\n:-- | --:\n**x** |\n# | a \\| b |\n\nbehind\n\n```\n| a | b |\n|---|---|\n```\n",
	);
	const rows = ["Head", "  text", "  Name | #", "  <b>x</b>", "  # | a | b", "  behind", "  | a | b |\n|---|---|"];
	await expect.poll(() => tab.rows()).toEqual(rows);
	await tab.press("Control+z");
	await tab.paste("a | b\nno table");
	await expect.poll(() => tab.rows()).toEqual(["a | b", "no table"]);
});

test("pasting onto an empty row replaces it, and undoing brings it back in one step", async () => {
	const tab = await app.openWith("a", "");
	await tab.paste("b\n  c\nd");
	await expect.poll(() => tab.rows()).toEqual(["a", "b", "  c", "d"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["a", ""]);
});

test("several lines take the place of the text that is selected", async () => {
	const tab = await app.openWith("old text", "end");
	await tab.press("Control+Home", "Control+Shift+ArrowRight");
	await tab.paste("- b\n- c");
	await expect.poll(() => tab.rows()).toEqual([" text", "b", "c", "end"]);
	await tab.press("Control+z", "Control+z");
	await expect.poll(() => tab.rows()).toEqual(["old text", "end"]);
	await tab.press("Control+a");
	await tab.paste("b\nc");
	await expect.poll(() => tab.rows()).toEqual(["b", "c", "end"]);
});

test("Mod+Shift+V pastes as plain text into the field, and a note keeps its lines", async () => {
	const tab = await app.open();
	await tab.type("x ");
	await tab.paste("- one\n- two\n", "<ul><li>one</li><li>two</li></ul>", "Control+Shift+v");
	await expect.poll(() => tab.rows()).toEqual(["x - one - two"]);
	await tab.writeNote("n ");
	await tab.paste("- one\n- <b>two</b>", "<b>one</b>");
	await tab.saved();
	expect(await tab.page.locator(".note").textContent()).toBe("n - one\n- <b>two</b>");
	await tab.reload();
	expect(await tab.page.locator(".note").textContent()).toBe("n - one\n- <b>two</b>");
});

test("pasting into the title of a node puts rows on top, and over selected rows behind them", async () => {
	const tab = await app.openWith("a", "  b");
	await tab.into("a");
	await tab.press("Control+.");
	await tab.page.waitForSelector(".title");
	await expect.poll(() => tab.caret()).toBe("a|");
	await tab.paste("1\n2");
	await expect.poll(() => tab.rows()).toEqual(["1", "2", "b"]);
	await tab.into("1");
	await tab.press("Escape");
	await tab.paste("one line");
	await expect.poll(() => tab.rows()).toEqual(["1", "one line", "2", "b"]);
});

test("hostile pages do no harm, and lose no text", async () => {
	const tab = await app.open();
	const requests: string[] = [];
	tab.page.on("request", (request) => requests.push(request.url()));
	const evil = [
		'<a href="javascript:parent.broken=1">one</a> ',
		'<img src="https://example.org/x.png" onerror="parent.broken=1">',
		"<script>parent.broken=1</script><style>body{display:none}</style>",
		'<b onmouseover="parent.broken=1" style="position:fixed;inset:0">two</b> ',
		'<a href="https://example.org/" onclick="parent.broken=1" style="display:none">three</a> ',
		'<svg onload="parent.broken=1"><a xlink:href="javascript:1">four</a></svg>',
		'<iframe srcdoc="<script>parent.broken=1</script>"></iframe><form action="https://example.org"><input></form>',
	].join("");
	await tab.paste("one two three four", evil);
	await expect
		.poll(() => tab.rows())
		.toEqual([
			'one <a href="https://example.org/x.png">Image</a><b>two</b> <a href="https://example.org/">three</a> four',
		]);
	const attributes = await tab.page.$$eval(".name *", (elements) =>
		elements.flatMap((element) => element.getAttributeNames()),
	);
	expect(attributes).toEqual(["href", "href"]);
	// Any page could claim to come from the outliner.
	const forged = JSON.stringify([
		{
			depth: 0,
			name: '<img src=x onerror="parent.broken=1">f<a href="javascript:1">g</a>',
			note: "<script>1</script>",
			layoutMode: "bullets",
			completed: false,
			expanded: true,
			originId: "no such id",
		},
	]);
	await tab.paste(
		"f",
		`<ul data-outlinekit="${forged.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"><li>fg&lt;script&gt;1&lt;/script&gt;</li></ul>`,
	);
	await expect.poll(async () => (await tab.rows()).length).toBe(2);
	expect(await tab.page.$$eval(".name img, .name script, [href^=javascript]", (found) => found.length)).toBe(0);
	await tab.paste("still\nhere", '<ul data-outlinekit="[{&quot;depth&quot;:7}]"></ul>');
	await expect.poll(async () => (await tab.rows()).slice(2)).toEqual(["still", "here"]);
	expect(await tab.page.evaluate(() => "broken" in window)).toBe(false);
	expect(requests.filter((url) => !url.startsWith(app.address))).toEqual([]);
});

test("a megabyte of tags and a deep nesting are pasted in a moment, with all their text", async () => {
	const tab = await app.open();
	// Browsers would parse either for minutes.
	await tab.paste("x".repeat(100_000), "<b><i>x</b>".repeat(100_000));
	await expect.poll(async () => (await tab.rows())[0]?.length, { timeout: 10_000 }).toBe(100_000);
	await tab.press("Control+a");
	await tab.paste("x".repeat(40_000), "<b><i>x</b>".repeat(40_000));
	await expect.poll(async () => (await tab.rows())[0]?.length, { timeout: 10_000 }).toBe(40_000);
	await tab.press("Control+a");
	await tab.paste("deep down", `${"<div><u>".repeat(60_000)}deep <b>down</b>${"</u></div>".repeat(60_000)}`);
	await expect.poll(() => tab.rows()).toEqual(["deep down"]);
	await tab.press("Control+a");
	await tab.paste("deep down", `${"<div><u>".repeat(90)}deep <b>down</b>${"</u></div>".repeat(90)}`);
	await expect.poll(() => tab.rows()).toEqual(["deep <b>down</b>"]);
	await tab.press("Control+a");
	await tab.paste("yz".repeat(10_000), "<b>y</b><i>z</i>".repeat(10_000));
	await expect.poll(async () => (await tab.rows())[0], { timeout: 10_000 }).toBe("<b>y</b><i>z</i>".repeat(10_000));
}, 60_000);

test("text that is dropped from elsewhere comes in as pasted text does", async () => {
	const tab = await app.openWith("ab");
	const prevented = await tab.page.evaluate(() => {
		const field = document.querySelector<HTMLElement>(".row .name")!;
		const dataTransfer = new DataTransfer();
		dataTransfer.setData("text/plain", "dropped");
		dataTransfer.setData("text/html", '<img src=x onerror="parent.broken=1"><b>dropped</b>');
		const targetRanges = [
			new StaticRange({
				startContainer: field.firstChild!,
				startOffset: 1,
				endContainer: field.firstChild!,
				endOffset: 1,
			}),
		];
		const event = new InputEvent("beforeinput", {
			inputType: "insertFromDrop",
			dataTransfer,
			targetRanges,
			bubbles: true,
			cancelable: true,
		});
		return !field.dispatchEvent(event);
	});
	expect(prevented).toBe(true);
	await expect.poll(() => tab.rows()).toEqual(["a<b>dropped</b>b"]);
});

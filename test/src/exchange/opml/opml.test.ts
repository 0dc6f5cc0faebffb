import { describe, expect, test } from "vitest";
import { mailDate, momentOf } from "../../../../src/exchange/moment.js";
import { codeOf, exported, newOutline } from "../../../support/outline.js";
import { bytewise, exportedFile, fileOf, sketch } from "../files.js";

const opml = (body: string, head = "") =>
	`<?xml version="1.0"?>\n<opml version="2.0"><head>${head}</head><body>${body}</body></opml>`;

async function read(text: string) {
	const outline = newOutline();
	const { lost } = await outline.import(text, { format: "opml" });
	return { sketch: await sketch(outline), lost, nodes: await exported(outline) };
}

describe("importing OPML of other outliners", () => {
	test("reads HTML in texts and notes, and completion", async () => {
		const text = `<?xml version="1.0"?><opml version="2.0"><head><ownerEmail>a@b.example</ownerEmail></head><body>
			<outline text="&lt;b&gt;Trip&lt;/b&gt; &amp;amp; more" _note="see &lt;a href=&quot;https://a.example&quot;&gt;here&lt;/a&gt;&#10;&lt;i&gt;now&lt;/i&gt;">
				<outline _complete="true" text="done" />
				<outline text="&lt;span class=&quot;colored c-red&quot;&gt;red&lt;/span&gt; &lt;u&gt;u&lt;/u&gt;&lt;br&gt;x" />
				<outline text="&lt;time startYear=&quot;2026&quot; startMonth=&quot;11&quot; startDay=&quot;21&quot;&gt;Nov 21&lt;/time&gt;" />
			</outline>
		</body></opml>`;
		const { sketch, lost } = await read(text);
		expect(sketch).toBe(
			`<b>Trip</b> &amp; more // see here (https://a.example)⏎now
  x done
  red u⏎x
  <time datetime="2026-11-21">Nov 21</time>`,
		);
		expect(lost).toEqual({ "<span>": 1, "<u>": 1, "head ownerEmail": 1, "note formatting": 1 });
	});

	test("reads plain texts, tasks, headings, colours and times", async () => {
		const { sketch, lost, nodes } = await read(
			opml(
				`<outline text="a &lt; b &amp; c" note="x &lt; y" created="Sat, 21 Nov 2026 12:00:00 GMT" modified="2026-11-22T00:00:00+02:00" colorLabel="2"/>
				<outline text="task" checkbox="true" complete="true"/><outline text="open" checkbox="true"/><outline text="none" checkbox="false" complete="false"/>
				<outline text="Head" heading="2"/><outline text="more" heading="9" created="soon"/>
				<outline text="when" completed="2026-11-20 10:00:00"/><outline text="status" _status="checked"/><outline title="titled"/><outline/>
				<outline text="use &lt;span&gt; here" _note=""/>`,
				"<title>My outline</title><expansionState></expansionState>",
			),
		);
		expect(sketch).toBe(
			"a &lt; b &amp; c // x < y\nx todo: task\ntodo: open\nnone\nh2: Head\nmore\nx when\nx status\ntitled\n\nuse &lt;span&gt; here",
		);
		expect(lost).toEqual({
			"attribute created": 1,
			"attribute heading": 1,
			"head title": 1,
		});
		const [first] = nodes.filter(({ name }) => name.startsWith("a "));
		expect(first).toMatchObject({ createdAt: 1795262400, modifiedAt: 1795298400 });
		expect(nodes.find(({ name }) => name === "when")!.completedAt).toBe(Date.UTC(2026, 10, 20, 10) / 1000);
	});

	test("turns links and inclusions, but not feeds, into links with allowed schemes", async () => {
		const { sketch, lost } = await read(
			opml(
				`<outline type="link" text="a &amp; b" url="https://a.example/?x=1&amp;y=&quot;"/><outline type="rss" text="feed" title="feed" xmlUrl="https://b.example/rss" htmlUrl="https://b.example"/>
				<outline type="link" text="bad" url="javascript:alert(1)"/><outline url="https://c.example"/>
				<outline text="&lt;a href=&quot;https://d.example&quot;&gt;d&lt;/a&gt;" url="https://e.example"/>`,
			),
		);
		expect(sketch).toBe(
			`<a href="https://a.example/?x=1&amp;y=&quot;">a &amp; b</a>
feed
bad
<a href="https://c.example">https://c.example</a>
<a href="https://d.example">d</a>`,
		);
		expect(lost).toEqual({ "attribute url": 1 });
	});

	test("counts unknown elements and texts, a document type and dangerous attribute names as lost", async () => {
		const { sketch, lost } = await read(
			`<!DOCTYPE opml SYSTEM "x"><opml><body __proto__="1"><outline text="a" __proto__="x" constructor="y">text<x><outline text="b"/></x><![CDATA[more]]></outline></body><other/></opml>`,
		);
		expect(sketch).toBe("a\n  b");
		expect(Object.entries(lost)).toEqual([
			["attribute __proto__", 1],
			["doctype", 1],
			["element other", 1],
			["element x", 1],
			["text", 2],
		]);
		const many = Array.from({ length: 1000 }, (_, number) => `x:a${number}="1"`).join(" ");
		const report = await read(opml(`<outline text="a" ${many} b${"c".repeat(1000)}="1"/>`));
		expect(Object.keys(report.lost)).toHaveLength(101);
		expect(report.lost.other).toBe(901);
		expect((await read(opml(`<outline text="" b${"c".repeat(1000)}="1"/>`))).lost).toEqual({
			[`attribute b${"c".repeat(66)}...`]: 1,
		});
	});
});

test.each<[string, number, string]>([
	["an empty file", 1, ""],
	["no XML", 1, "hello"],
	["another root", 2, '<?xml version="1.0"?>\n<rss><body/></rss>'],
	["no body", 3, "<opml>\n<head/>\n</opml>"],
	["an element that isn't closed", 3, '<opml><body>\n<outline text="a">\n</body></opml>'],
	["a truncated file", 2, '<opml><body>\n<outline text="a">'],
	["an attribute twice", 2, '<opml><body>\n<outline text="a" text="b"/></body></opml>'],
	["an entity that XML doesn't have", 2, '<opml><body>\n<outline text="&nbsp;"/></body></opml>'],
	["an entity named like a method of objects", 1, opml('<outline text="&toString;"/>').replace("\n", "")],
	["a control character", 2, '<opml><body>\n<outline text="\u0001"/></body></opml>'],
	[
		"a billion laughs",
		5,
		'<!DOCTYPE opml [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;&a;">\n]>\n<opml><body><outline text="&b;"/></body></opml>',
	],
	[
		"an external entity",
		2,
		'<!DOCTYPE opml [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<opml><body><outline text="&a;"/></body></opml>',
	],
	[
		"a name that is too long",
		3,
		`<opml><body>\n<outline text="a"/>\n<outline\ntext="${"x".repeat(101)}"/></body></opml>`,
	],
	["a note that is too long", 2, `<opml><body>\n<outline text="a" _note="${"x".repeat(101)}"/></body></opml>`],
])("importing malformed OPML is refused with the line, and nothing is imported: %s", async (_, line, text) => {
	for (const source of [text, bytewise(text)]) {
		const outline = newOutline({ limits: { name: 100, note: 100 } });
		const error = await outline.import(source, { format: "opml" }).catch((thrown) => thrown);
		expect(error).toMatchObject({ code: "invalid_argument" });
		expect(error.message).toMatch(new RegExp(`^Line ${line}: .*Nothing was imported\\.$`, "s"));
		expect(await exported(outline)).toEqual([]);
	}
});

describe("exporting OPML", () => {
	test("writes texts, notes, completion, times and layout modes, which an import reads again", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "# **a** <", note: 'x "<b>"\n\t&amp;' });
		await outline.create({ parent: id, name: "- [x] done" });
		const { text, lost } = await exportedFile(outline, "opml");
		const date = "Sat, 21 Nov 2026 12:00:00 GMT";
		expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0" xmlns:outlinekit="urn:outlinekit">
<head></head>
<body>
<outline text="&lt;b&gt;a&lt;/b&gt; &amp;lt;" _note="x &quot;&lt;b&gt;&quot;&#10;&#9;&amp;amp;" created="${date}" outlinekit:modified="${date}" outlinekit:layoutMode="h1">
<outline text="done" _complete="true" outlinekit:completed="${date}" created="${date}" outlinekit:modified="${date}" outlinekit:layoutMode="todo"/>
</outline>
</body>
</opml>
`);
		expect(lost).toEqual({});
		// Without the namespace, the file counts as another program's, whose notes are HTML.
		const foreign = await read(text.replace(/ (?:xmlns:)?outlinekit(?::\w+)?="[^"]*"/g, ""));
		expect(foreign.sketch).toBe('<b>a</b> &lt; // x "<b>"⏎\t&\n  x done');
	});

	test("counts characters that XML can't contain, and mirrors, which get no children", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a\u0001\n- b", note: "\ufffe" });
		await outline.mirror(id, { parent: (await outline.create({ name: "m" })).id });
		const { text, lost } = await exportedFile(outline, "opml");
		expect(lost).toEqual({ character: 4, mirror: 1 });
		expect((await read(text)).sketch).toBe("m\n  a\ufffd // \ufffd\na\ufffd // \ufffd\n  b");
		expect(await codeOf(fileOf(outline, "opml", { root: "inbox" }))).toBe("not_found");
	});
});

describe("dates of OPML", () => {
	test.each([
		["Sat, 21 Nov 2026 12:00:00 GMT", "2026-11-21T12:00:00Z"],
		["21 November 2026 14:30 +0230", "2026-11-21T12:00:00Z"],
		["Sat, 21 Nov 26 07:00:00 EST", "2026-11-21T12:00:00Z"],
		["1 Jan 99", "1999-01-01T00:00:00Z"],
		["2026-11-21", "2026-11-21T00:00:00Z"],
		["2026-11-21T14:00:00.123+02:00", "2026-11-21T12:00:00Z"],
		["2026-11-21 12:00:00 UTC", "2026-11-21T12:00:00Z"],
		["1795262400", "2026-11-21T12:00:00Z"],
		[" 1795262400123 ", "2026-11-21T12:00:00Z"],
	])("%s", (text, iso) => {
		expect(momentOf(text)).toBe(Date.parse(iso) / 1000);
	});

	test.each([
		"",
		"soon",
		"2026-02-30",
		"30 Foo 2026",
		"2026-11-21T25:00:00Z",
		"21 Nov 2026 12:00 XYZ",
		"9".repeat(16),
		"-99999999999",
		"0".repeat(100),
	])("%j is no date", (text) => {
		expect(momentOf(text)).toBeUndefined();
	});

	test("can be read after they are written", () => {
		for (const seconds of [-62_135_596_800, -1, 0, 1795262401, 253_402_300_799]) {
			expect(momentOf(mailDate(seconds))).toBe(seconds);
		}
	});
});

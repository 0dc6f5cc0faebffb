import { expect, test } from "vitest";
import { newOutline } from "../../../support/outline.js";
import { exportedFile } from "../files.js";

/** Returns the node that an element with these attributes becomes, and the losses. */
async function imported(attributes: string) {
	const outline = newOutline();
	const file = `<opml version="2.0"><body><outline ${attributes}/></body></opml>`;
	const { rootIds, lost } = await outline.import(file, { format: "opml" });
	return { node: await outline.get(rootIds[0]!), lost };
}

const completions = ["_complete", "complete", "completed", "_completed", "_status", "_checked", "checked"];
const words: [string, boolean][] = [
	...["true", "yes", "1", "x", "checked", "done", " TRUE "].map((word): [string, boolean] => [word, true]),
	...["false", "no", "0", "", "unchecked", "indeterminate"].map((word): [string, boolean] => [word, false]),
];

test.each([
	...completions.map((name) => [name, "true", true] as const),
	...words.map(([word, completed]) => ["_complete", word, completed] as const),
])('%s="%s" sets whether a node is completed: %s', async (name, word, completed) => {
	const { node, lost } = await imported(`text="a" ${name}="${word}"`);
	expect([node.completed, lost]).toEqual([completed, {}]);
});

test.each<readonly [string, string, string]>([
	...["checkbox", "_checkbox", "_task", "task"].map((name) => [name, "true", "todo"] as const),
	...words.map(([word, is]) => ["checkbox", word, is ? "todo" : "bullets"] as const),
	["heading", "1", "h1"],
	["_heading", "2", "h2"],
	["heading", "h3", "h3"],
	["heading", "H1", "h1"],
])('%s="%s" sets the layout mode %s', async (name, word, layoutMode) => {
	const { node, lost } = await imported(`text="a" ${name}="${word}"`);
	expect([node.layoutMode, lost]).toEqual([layoutMode, {}]);
});

test.each([
	["heading", "4"],
	["heading", "0"],
	["heading", "1h"],
	["checkbox", "perhaps"],
	["_complete", "perhaps"],
	["x:unknown", "a"],
	["__proto__", "a"],
	["b".repeat(65), "a"],
])('%s="%s" has no known meaning and counts as lost', async (name, word) => {
	const { node, lost } = await imported(`text="a" ${name}="${word}"`);
	expect([node.layoutMode, node.completed, lost]).toEqual(["bullets", false, { [`attribute ${name}`]: 1 }]);
});

test("other attributes become properties, and come back as they were", async () => {
	const { node, lost } = await imported('text="a" due="2026-12-01" colorLabel="2" constructor="x" empty=""');
	expect(lost).toEqual({});
	expect(node.properties).toEqual({ due: "2026-12-01", colorLabel: "2", constructor: "x" });
	const properties = {
		...{ due: 'a < "b" & c\n\td', empty: "", count: 3, done: false, list: [null, { ä: "\uffff" }] },
		...{ text: "text", "due date": "x", "x:y": "z", xmlns: "n", ünï: "ü", control: "\u0001", cr: "a\rb" },
	};
	const outline = newOutline();
	await outline.create({ name: "b", properties });
	const { text: file, lost: none } = await exportedFile(outline, "opml");
	expect(none).toEqual({});
	expect(file).toContain('due="a &lt; &quot;b&quot; &amp; c&#10;&#9;d"');
	const copy = newOutline();
	const report = await copy.import(file, { format: "opml" });
	expect(report.lost).toEqual({});
	expect((await copy.get(report.rootIds[0]!)).properties).toEqual(properties);
});

test("attributes that don't fit into a node count as lost", async () => {
	const many = Array.from({ length: 9000 }, (_, number) => `a${number}="1"`).join(" ");
	const { node, lost } = await imported(`text="a" ${many} long="${"x".repeat(20_000)}"`);
	const kept = Object.keys(node.properties!).length;
	expect(kept).toBeGreaterThan(1000);
	expect(Object.values(lost).reduce((sum, count) => sum + count, 0)).toBe(9001 - kept);
	// The last one isn't parsed, because that could take long.
	for (const json of [
		"{",
		"[1]",
		'{"x":null,"":1}',
		`{"x":"${"x".repeat(20_000)}"}`,
		`{"x":1}${" ".repeat(100_000)}`,
	]) {
		const { lost } = await imported(`text="a" outlinekit:properties='${json}'`);
		expect(lost).toEqual({ "attribute outlinekit:properties": 1 });
	}
});

test.each([
	['title="a"', "a", {}],
	['text="a" title="a"', "a", {}],
	['text="a" title="b"', "a", {}],
	['text="a" url="https://x.example/"', '<a href="https://x.example/">a</a>', {}],
	['text="a" htmlUrl="https://x.example/"', '<a href="https://x.example/">a</a>', {}],
	['text="a" xmlUrl="https://x.example/" type="rss"', "a", {}],
	['text="a" xmlUrl="javascript:x"', "a", { "attribute xmlUrl": 1 }],
	['text="" url="https://x.example/"', '<a href="https://x.example/">https://x.example/</a>', {}],
	['text="a" url="javascript:x"', "a", { "attribute url": 1 }],
	[
		'text="&lt;a href=&quot;https://x.example/&quot;>a&lt;/a>" url="https://x.example/" type="link"',
		'<a href="https://x.example/">a</a>',
		{},
	],
	['text="a" empty=""', "a", {}],
])("an element with %s becomes a node with the name %s", async (attributes, name, lost) => {
	expect(await imported(attributes)).toMatchObject({ node: { name }, lost });
	expect((await imported(attributes)).lost).toEqual(lost);
});

test("URLs that the name doesn't link to become properties", async () => {
	const attributes = 'text="&lt;a href=&quot;https://x.example/&quot;>a&lt;/a> b" url="https://y.example/" type="link"';
	const { node, lost } = await imported(`${attributes} image="https://y.example/a.png"`);
	expect(node.properties).toEqual({ url: "https://y.example/", type: "link", image: "https://y.example/a.png" });
	expect(lost).toEqual({});
});

test.each([
	['text="a" type="link" url="https://x.example/"', {}],
	['text="a" type="include" url="https://x.example/"', { type: "include" }],
	['text="&lt;a href=&quot;https://x.example/&quot;>a&lt;/a>" type="song" url="https://x.example/"', { type: "song" }],
	['text="a" type="link"', { type: "link" }],
	['text="a" title="a"', {}],
	['text="a" title="b"', { title: "b" }],
])("an element with %s has the properties %j", async (attributes, properties) => {
	const { node, lost } = await imported(attributes);
	expect([node.properties, lost]).toEqual([properties, {}]);
});

test("a list of feeds keeps its attributes through an import and an export", async () => {
	const attributes = {
		description: "News & more",
		htmlUrl: "https://x.example/",
		language: "en",
		title: "The news",
		type: "rss",
		version: "RSS2",
		xmlUrl: "https://x.example/rss?a=1&b=2",
	};
	const written = Object.entries(attributes).map(([name, value]) => `${name}="${value.replaceAll("&", "&amp;")}"`);
	const element = `text="News" ${written.join(" ")}`;
	const { node, lost } = await imported(element);
	expect([node.name, node.properties, lost]).toEqual(["News", attributes, {}]);
	const outline = newOutline();
	await outline.create({ name: node.name, format: "html", properties: attributes });
	const { text, lost: lostAgain } = await exportedFile(outline, "opml");
	expect(lostAgain).toEqual({});
	expect(text).toContain(`<outline ${element} created=`);
});

test("an import takes properties up to the last character that a node has room for", async () => {
	const full: Record<string, string> = { a: "x".repeat(100), b: '"', c: "é" };
	full.d = "y".repeat(16_384 - JSON.stringify({ ...full, d: "" }).length);
	for (const properties of [full, { e: "x".repeat(16_384 - 8) }, { a: "\uffff".repeat(5000), b: 1 }]) {
		const outline = newOutline();
		await outline.create({ name: "a", properties });
		const copy = newOutline();
		const { rootIds, lost } = await copy.import(outline.exportAs("opml"), { format: "opml" });
		expect([(await copy.get(rootIds[0]!)).properties, lost]).toEqual([properties, {}]);
	}
	const { node, lost } = await imported(`text="a" a="${"x".repeat(16_384 - 7)}" b="y"`);
	expect([node.properties, lost]).toEqual([{ b: "y" }, { "attribute a": 1 }]);
});

test("a feed keeps a title that is the same as its text", async () => {
	const { node } = await imported('text="News" title="News" xmlUrl="https://x.example/rss"');
	expect(node.properties).toEqual({ title: "News", xmlUrl: "https://x.example/rss" });
});

test("an import of an export keeps a name and properties with URLs as they were", async () => {
	const nodes = [
		{ name: "a", properties: { htmlUrl: "https://x.example/", title: "a" } },
		{ name: '<a href="https://x.example/">a</a>', properties: { type: "link", url: "https://x.example/" } },
		{ name: "", properties: { url: "javascript:x", xmlUrl: "feed:x", type: "", title: 3 } },
	];
	for (const node of nodes) {
		const outline = newOutline();
		await outline.create({ ...node, format: "html" });
		const copy = newOutline();
		const { rootIds, lost } = await copy.import(outline.exportAs("opml"), { format: "opml" });
		expect(await copy.get(rootIds[0]!)).toMatchObject(node);
		expect(lost).toEqual({});
	}
});

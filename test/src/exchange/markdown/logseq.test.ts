import { describe, expect, test } from "vitest";
import { codeOf, exported, newOutline } from "../../../support/outline.js";
import { turnsDuring } from "../../../support/turns.js";
import { sketch } from "../files.js";

const options = { format: "markdown", dialect: "logseq" } as const;

async function read(text: string) {
	const outline = newOutline();
	const { lost } = await outline.import(text, options);
	const nodes = await exported(outline);
	const properties = nodes.flatMap(({ name, properties: own }) => (Object.keys(own).length === 0 ? [] : [[name, own]]));
	return { sketch: await sketch(outline), properties: Object.fromEntries(properties), lost };
}

describe("importing the Markdown of Logseq", () => {
	test("reads tasks, and keeps the kind of a task in a property", async () => {
		const text =
			"- TODO call Ada\n\t- DONE find the number\n- NOW write\n- LATER **read** #book\n- CANCELED swim\n- TODOS are text\n- WAITING";
		expect(await read(text)).toEqual({
			sketch:
				"todo: call Ada\n  x todo: find the number\ntodo: write\ntodo: <b>read</b> #book\nx todo: swim\nTODOS are text\ntodo: ",
			properties: {
				write: { marker: "NOW" },
				"<b>read</b> #book": { marker: "LATER" },
				swim: { marker: "CANCELED" },
				"": { marker: "WAITING" },
			},
			lost: {},
		});
	});

	test("reads properties, wherever they are in a block", async () => {
		const text = `- TODO [#A] call Ada
  id:: 6551
  collapsed:: true
	- ## Head
	  tags:: a, b
- first line
  background-color:: red
  second *line*

  third
  due::
- icon:: x
- http::x is text
- word std:: vector
`;
		expect(await read(text)).toEqual({
			sketch: "todo: call Ada\n  h2: Head\nfirst line // second *line*⏎⏎third\n\nhttp::x is text\nword std:: vector",
			properties: {
				"call Ada": { collapsed: true, id: "6551", priority: "A" },
				Head: { tags: "a, b" },
				"first line": { "background-color": "red", due: "" },
				"": { icon: "x" },
			},
			lost: {},
		});
	});

	test("reads the days of tasks, and counts what has no place", async () => {
		const text = `- TODO pay
  SCHEDULED: <2026-12-01 Tue 14:30 .+1m>
  DEADLINE: <2026-12-03 Thu>
  :LOGBOOK:
  CLOCK: [2026-11-24 Tue 08:00:00]--[2026-11-24 Tue 08:01:00] =>  00:01:00
  :END:
- next
`;
		expect(await read(text)).toEqual({
			sketch: "todo: pay\nnext",
			properties: { pay: { deadline: "2026-12-03", scheduled: "2026-12-01 14:30" } },
			lost: { logbook: 1, repetition: 1 },
		});
	});

	test("counts properties for which there is no room", async () => {
		const outline = newOutline({ limits: { properties: 40 } });
		const report = await outline.import(`- a\n  one:: 1\n  two:: ${"x".repeat(50)}\n  three:: 3`, options);
		expect(report.lost).toEqual({ property: 1 });
		expect((await outline.list()).nodes[0]!.properties).toEqual({ one: "1", three: "3" });
	});

	test.each<[string, object, number]>([
		["tags:: a\ntags:: b\n- x", { tags: "b" }, 1],
		["- a\n  k:: 1\n  k:: 2\n  k:: 3", { k: "3" }, 2],
		["- a\n  k:: 1\n  k:: 1", { k: "1" }, 0],
		["- a\n  tags:: x\n\n  tags:: y", { tags: "y" }, 1],
		["- TODO [#A] a\n  priority:: high", { priority: "high" }, 1],
		["- a\n  SCHEDULED: <2026-12-01>\n  scheduled:: later", { scheduled: "later" }, 1],
		["- NOW a\n  marker:: x", { marker: "x" }, 1],
	])("counts the values that a later one of the key replaces: %j", async (text, properties, count) => {
		const { properties: found, lost } = await read(text);
		expect(Object.values(found)).toEqual([properties]);
		expect(lost).toEqual(count === 0 ? {} : { property: count });
	});

	test("counts the titles of a page that a later one replaces", async () => {
		expect(await read("title:: A\ntitle:: 3\ntitle:: B\nk:: 1")).toEqual({
			sketch: "B",
			properties: { B: { k: "1" } },
			lost: { property: 2 },
		});
		expect(await read("title:: A\ntitle:: A")).toEqual({ sketch: "A", properties: {}, lost: {} });
	});

	test.each(["__proto__", "constructor", "toString"])("reads the key %s as any other", async (key) => {
		const outline = newOutline();
		const { lost } = await outline.import(`${key}:: secret\n- x`, options);
		const { properties } = (await outline.list()).nodes[0]!;
		expect(Object.entries(properties)).toEqual([[key, "secret"]]);
		expect(lost).toEqual({});
	});

	test("fills the room for properties exactly, and keeps a value whose successor has no room", async () => {
		for (const text of ["a:: 1234\na:: 1\nb:: two", 'b:: two\na:: "\na:: 1', "a:: 1\nb:: two\nb:: three\nc::"]) {
			const limit = '{"a":"1","b":"two"}'.length;
			const outline = newOutline({ limits: { properties: limit } });
			await outline.import(text, options);
			expect((await outline.list()).nodes[0]!.properties).toEqual({ a: "1", b: "two" });
			const smaller = newOutline({ limits: { properties: limit - 1 } });
			const { lost } = await smaller.import("a:: 1\nb:: two", options);
			expect(lost).toEqual({ property: 1 });
		}
	});

	test.each([
		["lines of a page", "", "", "\n"],
		["lines of an item", "- a\n", "  ", "\n"],
		["paragraphs of an item", "- a\n\n", "  ", "\n\n"],
	])("reads many properties in linear time: %s", async (_, start, indentation, end) => {
		const lines = Array.from({ length: 30_000 }, (_, number) => `${indentation}k${number}:: v${end}`);
		const from = performance.now();
		expect((await read(start + lines.join(""))).lost.property).toBeGreaterThan(20_000);
		expect(performance.now() - from).toBeLessThan(5000);
	});

	test.each([
		["a page", "k:: v\n", 4],
		["an item", "- k:: v\n  ", 3],
	])("lets other work run while it reads the properties of %s", async (_, start, rounds) => {
		const outline = newOutline();
		const text = start + "k:: v\n".repeat(256 * 40);
		const turns = await turnsDuring(() => outline.import(text, options));
		// One in 256 lines for the file, and for each round over the lines of the paragraph.
		expect(turns).toBeGreaterThanOrEqual(40 * rounds);
	});

	test("makes a node of a page that begins with properties: its title is the name, and its blocks are below", async () => {
		const text = "\ntitle:: *My* <page>\ntags:: a, b\nn:: 3\n\n- one\n\t- two\n\n  note\n# head\ntags:: c\n";
		expect(await read(text)).toEqual({
			sketch: "*My* &lt;page&gt;\n  one // note\n    two\n  h1: head\n    tags:: c",
			properties: { "*My* &lt;page&gt;": { tags: "a, b", n: "3" } },
			lost: {},
		});
		expect(await read("tags:: a\n- one\n- two")).toEqual({
			sketch: "\n  one\n  two",
			properties: { "": { tags: "a" } },
			lost: {},
		});
		expect(await read("title:: 2026")).toEqual({ sketch: "2026", properties: {}, lost: {} });
		expect((await read("- one\n\ntags:: a")).sketch).toBe("one\ntags:: a");
		expect((await read("tags:: a\ntext\n\ntags:: b")).sketch).toBe("tags:: a text\ntags:: b");
		expect((await read("> tags:: a")).sketch).toBe("quote-block: tags:: a");
		const outline = newOutline({ limits: { name: 5 } });
		await expect(outline.import("\ntitle:: 123456", options)).rejects.toThrow(/^Line 2: /);
	});

	test("reads everything else as other Markdown", async () => {
		const text = "# TODO one\n\nTODO two\nid:: 1\n\n- ```\n  TODO code\n  id:: 1\n  ```\n> NOW quote\n";
		const outline = newOutline();
		await outline.import(text, { format: "markdown" });
		expect((await read(text)).sketch).toBe(await sketch(outline));
	});
});

test("Markdown without the dialect keeps its marks as text", async () => {
	const outline = newOutline();
	await outline.import("- TODO call Ada\n  id:: 6551", { format: "markdown" });
	expect(await sketch(outline)).toBe("TODO call Ada id:: 6551");
});

test.each([
	{ format: "opml", dialect: "logseq" },
	{ format: "json", dialect: "dynalist" },
	{ format: "markdown", dialect: "roam" },
] as const)("refuses $dialect for $format", async (options) => {
	expect(await codeOf(newOutline().import("", options as never))).toBe("invalid_argument");
});

import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { CreateInput, TextFormat } from "../../../src/index.js";
import { toMarkdown, toText } from "../../../src/markup/index.js";
import { countedIds } from "../../support/ids.js";
import { codeOf, exported, namesBelow, newOutline, noon } from "../../support/outline.js";
import { prove, proveRefusal } from "../../support/prove.js";

const scene = `
	origin #origin
	  child
	places
	  (mirror origin) #one
	  (mirror origin) #two`;

describe("§4.1 create", () => {
	test.each<[string, CreateInput, string]>([
		["at the top by default", { name: "x" }, "x\na\nb"],
		["at the top", { name: "x", position: "top", parent: null }, "x\na\nb"],
		["at the bottom", { name: "x", position: "bottom", parent: "None" }, "a\nb\nx"],
		["below another node", { name: "x", parent: "key" }, "a\n  x\nb"],
		["with a child for each further block", { name: "x\n\ny\nz\n\n- v\n  - w" }, "x\n  y z\n  v\n    w\na\nb"],
	])("puts a node %s", async (_, input, expected) => {
		const { result } = await prove("a #a\nb", ({ outline }) => outline.create(input), expected, {
			given: ({ outline, a }) => outline.setShortcut("key", a),
		});
		const now = noon / 1000;
		expect(result).toMatchObject({ name: "x", note: null, createdAt: now, modifiedAt: now, completed: false });
	});

	test("gives the note and the completion to the first node alone", async () => {
		const { outline } = await prove(
			"",
			({ outline }) => outline.create({ name: "a\n\nb\n\n- [x] c", note: "below **a**", completed: true }),
			"a\n  b\n  c",
		);
		expect((await exported(outline)).map(({ name, note, completed }) => [name, note, completed])).toEqual([
			["a", "below **a**", true],
			["b", null, false],
			["c", null, true],
		]);
	});

	test.each<[CreateInput, Partial<CreateInput>]>([
		[{ name: "- [x] a" }, { layoutMode: "todo", completed: true }],
		[{ name: "- [ ] a" }, { layoutMode: "todo", completed: false }],
		[
			{ name: "- [x] a", layoutMode: "todo" },
			{ layoutMode: "todo", completed: true },
		],
		[
			{ name: "- [x] a", layoutMode: "h1" },
			{ layoutMode: "h1", completed: false },
		],
		[
			{ name: "- [x] a", completed: false },
			{ layoutMode: "todo", completed: false },
		],
		[
			{ name: "# a", completed: true },
			{ layoutMode: "h1", completed: true },
		],
	])("§3 creates %j as %j", async (input, expected) => {
		const { result } = await prove("", ({ outline }) => outline.create(input), "a");
		expect(result).toMatchObject({ ...expected, completedAt: expected.completed ? noon / 1000 : null });
	});

	test("under a mirror creates under its origin, so that every mirror shows the node", async () => {
		const { result, outline, origin, one, two } = await prove(
			scene,
			({ outline, one }) => outline.create({ parent: one, name: "shared" }),
			"origin\n  shared\n  child\nplaces\n  (mirror origin)\n  (mirror origin)",
		);
		expect(result.parentId).toBe(origin);
		for (const mirror of [one, two]) {
			expect((await outline.list(mirror)).nodes.map(({ name, parentId }) => [name, parentId])).toEqual([
				["shared", mirror],
				["child", mirror],
			]);
		}
	});

	test.each<[TextFormat | undefined, string, object]>([
		[undefined, "<b>a</b> <i>b</i> &lt;", { layoutMode: "todo", completed: true }],
		["markdown", "<b>a</b> <i>b</i> &lt;", { layoutMode: "todo", completed: true }],
		["html", "- [x] **a** <i>b</i> &lt;", { layoutMode: "bullets", completed: false }],
		["text", "- [x] **a** &lt;i&gt;b&lt;/i&gt; &amp;lt;", { layoutMode: "bullets", completed: false }],
	])("reads the name in the format %s", async (format, name, expected) => {
		const input = { name: "- [x] **a** <i>b</i> &lt;", format };
		const { result } = await prove("", ({ outline }) => outline.create(input), name);
		expect(result).toMatchObject(expected);
	});

	test.each([
		[{}, "invalid_argument"],
		[{ name: 5 }, "invalid_argument"],
		[{ name: null }, "invalid_argument"],
		[{ name: "x", layoutMode: "h4" }, "invalid_argument"],
		[{ name: "x", position: "middle" }, "invalid_argument"],
		[{ name: "x", note: 5 }, "invalid_argument"],
		[{ name: "x", completed: 1 }, "invalid_argument"],
		[{ name: "x", format: "rtf" }, "invalid_argument"],
		[undefined, "invalid_argument"],
	])("refuses %j with %s", async (input, code) => {
		await proveRefusal("a", ({ outline }) => outline.create(input as never), code);
	});

	test("creates the same node again from its Markdown and from its text", async () => {
		const outline = newOutline();
		await outline.create({
			name: "# Trip\n- [x] **book** the `ferry` [here](https://x.example) [2026-12-01]\n> quote\n```\na *b*\n```",
		});
		await outline.create({ name: "- [x] 1. <not a tag> \\# *", format: "text" });
		for (const node of await exported(outline)) {
			const again = newOutline();
			const made = await again.create({ name: toMarkdown(node.name, node) });
			expect(await exported(again)).toHaveLength(1);
			expect([made.name, made.layoutMode, made.completed]).toEqual([node.name, node.layoutMode, node.completed]);
			const plain = await again.create({ name: toText(node.name), format: "text" });
			expect(toText(plain.name)).toBe(toText(node.name));
		}
	});

	test("makes 150,000 nodes of one name", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a\n\n".repeat(150_000) });
		expect((await outline.list(id)).nodes.length).toBe(149_999);
	});
});

describe("the length of a name", () => {
	test("is at most a million characters, and an escape counts as the character that it means", async () => {
		const outline = newOutline({ limits: { name: 1000, note: 10 } });
		const { id, name } = await outline.create({ name: "<".repeat(1000) });
		expect(name).toBe("&lt;".repeat(1000));
		expect((await outline.update(id, { name })).name).toBe(name);
		expect(await codeOf(outline.create({ name: "x".repeat(1001) }))).toBe("invalid_argument");
		expect(await codeOf(outline.update(id, { name: "x".repeat(1001) }))).toBe("invalid_argument");
		expect(await codeOf(outline.update(id, { note: "x".repeat(11) }))).toBe("invalid_argument");
		expect(await codeOf(newOutline().create({ name: "x".repeat(1_000_001) }))).toBe("invalid_argument");
		expect((await newOutline().create({ name: "x".repeat(1_000_000) })).name.length).toBe(1_000_000);
	});

	test("counts the text without its markup, and each node on its own", async () => {
		const outline = newOutline({ limits: { name: 5 } });
		for (const name of ["**hello**", "`hello`", "[hello](https://example.org)", "<b>hello</b>", "# hello", "a < b"]) {
			await outline.create({ name });
		}
		const { id } = await outline.create({ name: Array.from({ length: 200 }, () => "- hello").join("\n") });
		expect(await namesBelow(outline, id)).toHaveLength(199);
		expect(await codeOf(outline.create({ name: "**hellos**" }))).toBe("invalid_argument");
		expect(await codeOf(outline.update(id, { name: "<b>hell</b>os" }))).toBe("invalid_argument");
	});
});

describe("the ids of new nodes", () => {
	test("differ within one call, even if the host draws each id twice", async () => {
		await prove(
			"",
			({ outline }) => outline.create({ parent: "today", name: "a\n\nb" }),
			`
			Calendar
			  2026
			    November
			      <time datetime="2026-11-21">Sat, Nov 21, 2026</time>
			        a
			          b`,
			{ generateId: countedIds((drawn) => drawn >> 1) },
		);
	});

	test("leave a node at the top level if an id drawn for it belongs to another node", async () => {
		const storage = createMemoryStorage();
		const restarted = () => newOutline({ storage, generateId: countedIds() });
		for (const name of ["one", "two", "three"]) {
			expect((await restarted().create({ name })).parentId).toBeNull();
		}
	});

	test("differ from each other in their short ids", async () => {
		const ids = ["a", "b", "c"].map(
			(first, index) => `${first}0000000-0000-4000-8000-00000000000${index === 2 ? 2 : 1}`,
		);
		const outline = newOutline({ generateId: () => ids.shift()! });
		await outline.create({ name: "one" });
		expect((await outline.create({ name: "two" })).id).toBe("c0000000-0000-4000-8000-000000000002");
	});

	test("must have the form of a UUID, and must not always be the same", async () => {
		await expect(newOutline({ generateId: () => "17" }).create({ name: "x" })).rejects.toThrow(TypeError);
		const outline = newOutline({ generateId: () => "A0000000-0000-4000-8000-00000000000A" });
		expect((await outline.create({ name: "x" })).id).toBe("a0000000-0000-4000-8000-00000000000a");
		await expect(outline.create({ name: "x" })).rejects.toThrow(RangeError);
	});
});

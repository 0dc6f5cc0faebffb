import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { codeOf, exported, newOutline, picture, plant } from "../../support/outline.js";

describe("§4.1 create", () => {
	test("puts a node at the top by default, and at the bottom on demand", async () => {
		const outline = newOutline();
		await outline.create({ name: "first" });
		await outline.create({ name: "above" });
		await outline.create({ name: "below", position: "bottom" });
		expect(await picture(outline)).toBe("above\nfirst\nbelow");
	});

	test("makes the first block the node and the following ones its children", async () => {
		const outline = newOutline();
		await outline.create({ name: "trip\n\npack\nbags\n\n- tickets\n  - train" });
		expect(await picture(outline)).toBe("trip\n  pack bags\n  tickets\n    train");
	});

	test("gives the note to the first node alone", async () => {
		const outline = newOutline();
		await outline.create({ name: "a\n\nb", note: "below **a**" });
		expect((await exported(outline)).map(({ name, note }) => [name, note])).toEqual([
			["a", "below **a**"],
			["b", null],
		]);
	});

	test("under a mirror creates under its origin, so that the node shows under every mirror", async () => {
		const outline = newOutline();
		const { origin, one, two } = await plant<"origin" | "one" | "two">(
			outline,
			`
origin #origin
places
  (mirror origin) #one
  (mirror origin) #two`,
		);
		const node = await outline.create({ parent: one, name: "shared" });
		expect(node.parentId).toBe(origin);
		for (const mirror of [one, two]) {
			expect((await outline.list(mirror)).nodes.map(({ name, parentId }) => [name, parentId])).toEqual([
				["shared", mirror],
			]);
		}
	});

	test.each([
		[{}, "invalid_argument"],
		[{ name: 5 }, "invalid_argument"],
		[{ name: null }, "invalid_argument"],
		[{ name: "x", layoutMode: "h4" }, "invalid_argument"],
		[{ name: "x", position: "middle" }, "invalid_argument"],
		[{ name: "x", note: 5 }, "invalid_argument"],
		[{ name: "x", parent: 5 }, "invalid_argument"],
		[{ name: "x", parent: "" }, "invalid_reference"],
		[{ name: "x", parent: "nowhere" }, "not_found"],
		[undefined, "invalid_argument"],
	])("refuses %j with %s and changes nothing", async (input, code) => {
		const outline = newOutline();
		expect(await codeOf(outline.create(input as never))).toBe(code);
		expect(await exported(outline)).toEqual([]);
	});

	test("a name holds up to a million characters, escapes counted as what they stand for", async () => {
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

	test("counts the text of a name alone, and of each node for itself", async () => {
		const outline = newOutline({ limits: { name: 5 } });
		for (const name of ["**hello**", "`hello`", "[hello](https://example.org)", "<b>hello</b>", "# hello", "a < b"]) {
			await outline.create({ name });
		}
		const { id } = await outline.create({ name: Array.from({ length: 200 }, () => "- hello").join("\n") });
		expect((await outline.list(id)).nodes.length).toBe(199);
		expect(await codeOf(outline.create({ name: "**hellos**" }))).toBe("invalid_argument");
		expect(await codeOf(outline.update(id, { name: "<b>hell</b>os" }))).toBe("invalid_argument");
	});

	test("makes 150,000 nodes of one name", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a\n\n".repeat(150_000) });
		expect((await outline.list(id)).nodes.length).toBe(149_999);
	});

	test("draws distinct ids for all that one call makes", async () => {
		let drawn = 0;
		const outline = newOutline({
			generateId: () => `00000000-0000-4000-8000-${String(Math.floor(drawn++ / 2)).padStart(12, "0")}`,
		});
		await outline.create({ parent: "today", name: "a\n\nb" });
		const nodes = await exported(outline);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(6);
		expect(await picture(outline)).toContain("        a\n          b");
	});

	test("stays at the top level when an id drawn there is taken", async () => {
		let drawn = 0;
		const restarted = () =>
			newOutline({ storage, generateId: () => `00000000-0000-4000-8000-${String(++drawn).padStart(12, "0")}` });
		const storage = createMemoryStorage();
		for (const name of ["one", "two"]) await restarted().create({ name });
		drawn = 0;
		expect((await restarted().create({ name: "three" })).parentId).toBeNull();
	});

	test("draws another id when a short id is taken", async () => {
		const ids = ["a", "b", "c"].map(
			(first, index) => `${first}0000000-0000-4000-8000-00000000000${index === 2 ? 2 : 1}`,
		);
		const outline = newOutline({ generateId: () => ids.shift()! });
		await outline.create({ name: "one" });
		expect((await outline.create({ name: "two" })).id).toBe("c0000000-0000-4000-8000-000000000002");
	});

	test("refuses ids of the host that have no UUID form, or that are always taken", async () => {
		await expect(newOutline({ generateId: () => "17" }).create({ name: "x" })).rejects.toThrow(TypeError);
		const outline = newOutline({ generateId: () => "A0000000-0000-4000-8000-00000000000A" });
		expect((await outline.create({ name: "x" })).id).toBe("a0000000-0000-4000-8000-00000000000a");
		await expect(outline.create({ name: "x" })).rejects.toThrow(RangeError);
	});
});

describe("§4.2 update", () => {
	test("leaves what isn't given, and sets modifiedAt only when something differs", async () => {
		let now = 1_000_000;
		const outline = newOutline({ now: () => now });
		const { id } = await outline.create({ name: "a", note: "n", layoutMode: "h1" });
		now = 5_000_999;
		expect(await outline.update(id, {})).toMatchObject({ name: "a", note: "n", layoutMode: "h1", modifiedAt: 1000 });
		expect(await outline.update(id, { name: "a", note: "n" })).toMatchObject({ modifiedAt: 1000 });
		expect(await outline.update(id, { note: null })).toMatchObject({
			name: "a",
			note: null,
			modifiedAt: 5000,
			createdAt: 1000,
		});
	});

	test("takes an HTML fragment, never Markdown, whatever the layout mode", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x", layoutMode: "code-block" });
		const name = "<b>a</b> **b** [2026-11-21] # c";
		expect((await outline.update(id, { name })).name).toBe(name);
	});

	test.each([{ name: null }, { name: 1 }, { layoutMode: "x" }, { note: 1 }, null, 5])("refuses %j", async (input) => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		expect(await codeOf(outline.update(id, input as never))).toBe("invalid_argument");
	});
});

describe("§4.4 list", () => {
	test("sorts by priority, and gives the top level for None, null and nothing", async () => {
		const outline = newOutline();
		for (const name of ["a", "b", "c"]) await outline.create({ name });
		for (const root of ["None", null, undefined]) {
			expect((await outline.list(root)).nodes.map(({ name }) => name)).toEqual(["c", "b", "a"]);
		}
	});
});

describe("§4.5 delete", () => {
	test("takes the whole subtree and the keys that point into it", async () => {
		const outline = newOutline();
		const marks = await plant<"gone" | "below" | "stays">(outline, "gone #gone\n  below #below\nstays #stays");
		await outline.setShortcut("inside", marks.below);
		await outline.setShortcut("outside", marks.stays);
		await outline.delete(marks.gone);
		expect(await picture(outline)).toBe("stays");
		expect(await codeOf(outline.get("inside"))).toBe("not_found");
		expect((await outline.get("outside")).id).toBe(marks.stays);
		expect(await codeOf(outline.delete(marks.gone))).toBe("not_found");
	});

	test("leaves no key behind in the storage", async () => {
		const storage = createMemoryStorage();
		const dropped: string[] = [];
		storage.watch!(({ detail }) => {
			for (const { before, after } of detail!.batch.keys) if (after === null) dropped.push(before!.key);
		});
		const outline = newOutline({ storage });
		await outline.create({ parent: "2026-11-21", name: "x" });
		await outline.setShortcut("month", "2026-11");
		await outline.delete("2026");
		expect(dropped.sort()).toEqual(["2026", "2026-11", "2026-11-21", "month"]);
	});

	test("a deleted inbox and day come back fresh with the next create", async () => {
		const outline = newOutline();
		const { parentId: inbox } = await outline.create({ parent: "inbox", name: "a" });
		await outline.delete("inbox");
		expect(await outline.list("inbox")).toEqual({ nodes: [] });
		expect((await outline.create({ parent: "inbox", name: "b" })).parentId).not.toBe(inbox);
	});

	test("goes down a chain of 50,000 nodes", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const top = await outline.create({ name: "top" });
		let parent = top.id;
		for (let depth = 0; depth < 50_000; depth++) parent = (await outline.create({ parent, name: "x" })).id;
		expect(await codeOf(outline.move(top.id, { parent }))).toBe("would_create_cycle");
		await outline.delete(top.id);
		expect(await exported(outline)).toEqual([]);
	});
});

describe("§4.6 move", () => {
	test("keeps the parent when none is given, and goes to the top level for None and null", async () => {
		const outline = newOutline();
		const { b } = await plant<"b">(outline, "home\n  a\n  b #b\n  c");
		await outline.move(b, {});
		expect(await picture(outline)).toBe("home\n  b\n  a\n  c");
		await outline.move(b, { position: "bottom" });
		expect(await picture(outline)).toBe("home\n  a\n  c\n  b");
		for (const parent of ["None", null]) {
			await outline.move(b, { parent });
			expect(await picture(outline)).toBe("b\nhome\n  a\n  c");
			await outline.move(b, { parent: (await outline.list()).nodes[1]!.id, position: "bottom" });
		}
	});

	test("leaves modifiedAt and all siblings' priorities", async () => {
		let now = 0;
		const outline = newOutline({ now: () => now });
		const { a, c } = await plant<"a" | "c">(outline, "a #a\nb\nc #c");
		const before = (await exported(outline)).filter(({ id }) => id !== c);
		now = 9_000_000;
		expect((await outline.move(c)).modifiedAt).toBe(0);
		expect((await exported(outline)).filter(({ id }) => id !== c)).toEqual(before);
		expect((await outline.move(a, { position: "bottom" })).priority).toBeGreaterThan((await outline.get(c)).priority);
	});

	test("refuses a move into the node's own subtree", async () => {
		const outline = newOutline();
		const { a, c } = await plant<"a" | "c">(outline, "a #a\n  b\n    c #c");
		expect(await codeOf(outline.move(a, { parent: c }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move(a, { parent: a }))).toBe("would_create_cycle");
		expect(await picture(outline)).toBe("a\n  b\n    c");
	});

	test("refuses a calendar entry below itself, and makes none on the way", async () => {
		const outline = newOutline();
		await outline.create({ parent: "2026", name: "x" });
		const before = await exported(outline);
		expect(await codeOf(outline.move("2026", { parent: "2026-11-21" }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move("calendar", { parent: "2030-01-01" }))).toBe("would_create_cycle");
		expect(await exported(outline)).toEqual(before);
	});
});

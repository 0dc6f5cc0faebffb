import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineNode } from "../../../src/node.js";
import { codeOf, exported, namesBelow, newOutline, noon, picture, plant, planted } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal } from "../../support/prove.js";

const scene = `
	origin #origin
	  child #child
	place #place
	  (mirror origin) #mirror
	other #other`;

describe("§2.2 a mirror in responses", () => {
	test("has its own place and the content of its origin", async () => {
		let now = noon;
		const { outline, origin, place, mirror } = await prove(
			scene,
			({ outline, mirror }) => outline.update(mirror, { name: "<i>new</i>", note: "n", completed: true }),
			"<i>new</i>\n  child\nplace\n  (mirror <i>new</i>)\nother",
			{ now: () => now, given: async () => (now += 60_000) },
		);
		const [content, view] = [await outline.get(origin), await outline.get(mirror)];
		expect(content).toMatchObject({ name: "<i>new</i>", note: "n", completed: true, mirror: { mirrorIds: [mirror] } });
		const own = { id: mirror, parentId: place, priority: view.priority, mirror: { originId: origin } };
		expect(view).toEqual({ ...content, ...own });
		expect((await exported(outline)).find(({ id }) => id === mirror)).toEqual(view);
	});

	test("lists the origin's children and its own, each with the mirror as parent, merged by priority", async () => {
		const { outline, origin, child, mirror } = await prove(
			scene,
			async ({ outline, mirror, other, place }) => {
				await outline.move(other, { parent: mirror, position: "bottom" });
				const { id } = await outline.create({ parent: place, name: "top" });
				await outline.move(id, { parent: mirror, position: "top" });
			},
			"origin\n  child\nplace\n  (mirror origin)\n    top\n    other",
		);
		const listed = await outline.list(mirror);
		expect(listed.mirror).toEqual({ originId: origin });
		expect(listed.nodes.map(({ name, parentId }) => [name, parentId])).toEqual([
			["top", mirror],
			["child", mirror],
			["other", mirror],
		]);
		expect((await outline.list(origin)).nodes.map(({ name }) => name)).toEqual(["child"]);
		expect((await outline.get(child)).parentId).toBe(origin);
	});

	test("shows its own row and keeps its own children if its origin is gone", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const marks = "origin #origin\nplace #place\n  (mirror origin) #mirror";
		const { origin, place, mirror } = await plant(outline, marks);
		const { results, revision } = await storage.read([{ type: "node", at: { id: origin } }]);
		await storage.commit({ base: revision, nodes: [{ before: results[0]!.record, after: null }], keys: [] });
		expect(await outline.get(mirror)).toMatchObject({ name: "origin", mirror: { originId: null } });
		expect(await outline.list(mirror)).toEqual({ nodes: [], mirror: { originId: null } });
		await outline.update(mirror, { name: "my own" });
		await outline.create({ parent: mirror, name: "kept" });
		await outline.complete(mirror);
		expect(await outline.get(mirror)).toMatchObject({ name: "my own", completed: true });
		expect(await namesBelow(outline, mirror)).toEqual(["kept"]);
		expect(await codeOf(outline.mirror(mirror, { parent: place }))).toBe("not_found");
		await outline.removeMirror(mirror);
		expect(await picture(outline)).toBe("place");
	});
});

describe("§4.7 mirror", () => {
	test.each<[string, OperationOn<typeof scene, OutlineNode>, string]>([
		[
			"shows a node at the top of another parent",
			({ outline, other, place }) => outline.mirror(other, { parent: place }),
			"origin\n  child\nplace\n  (mirror other)\n  (mirror origin)\nother",
		],
		[
			"shows a node at the bottom of another parent",
			({ outline, other, place }) => outline.mirror(other, { parent: place, position: "bottom" }),
			"origin\n  child\nplace\n  (mirror origin)\n  (mirror other)\nother",
		],
		[
			"follows a mirror to its true origin",
			({ outline, mirror, other }) => outline.mirror(mirror, { parent: other }),
			"origin\n  child\nplace\n  (mirror origin)\nother\n  (mirror origin)",
		],
		[
			"follows a mirror as the parent to its origin",
			({ outline, mirror, other }) => outline.mirror(other, { parent: mirror, position: "bottom" }),
			"origin\n  child\n  (mirror other)\nplace\n  (mirror origin)\nother",
		],
		[
			"may show a node deep below itself",
			({ outline, origin, child }) => outline.mirror(origin, { parent: child }),
			"origin\n  child\n    (mirror origin)\nplace\n  (mirror origin)\nother",
		],
	])("%s", async (_, operation, expected) => {
		const { result, outline, origin } = await prove(scene, operation, expected);
		const { originId } = result.mirror!;
		expect(result).toMatchObject({ createdAt: noon / 1000, name: originId === origin ? "origin" : "other" });
		expect((await outline.get(originId!)).mirror!.mirrorIds).toContain(result.id);
	});

	test.each([
		"inbox",
		"today",
		"2026-11-21",
		"None",
		"calendar",
		"0123456789ab",
		"word",
		"https://x.example/#/0123456789ab",
	])("refuses the parent %s, which is no full id", async (parent) => {
		const appUrl = "https://x.example";
		await proveRefusal("x #x", ({ outline, x }) => outline.mirror(x, { parent }), "unsupported_reference", { appUrl });
	});

	test.each([
		[{}, "invalid_argument"],
		[{ parent: null }, "invalid_argument"],
		[{ parent: 5 }, "invalid_argument"],
		[{ parent: "" }, "invalid_reference"],
		[{ parent: "00000000-0000-4000-8000-000000000000" }, "not_found"],
	])("refuses %j with %s", async (input, code) => {
		await proveRefusal("x #x", ({ outline, x }) => outline.mirror(x, input as never), code);
	});

	test.each<[string, OperationOn<typeof scene>]>([
		["to mirror an origin below itself", ({ outline, origin }) => outline.mirror(origin, { parent: origin })],
		[
			"to mirror an origin below its mirror",
			({ outline, origin, mirror }) => outline.mirror(origin, { parent: mirror }),
		],
		[
			"to mirror a mirror below its origin",
			({ outline, origin, mirror }) => outline.mirror(mirror, { parent: origin }),
		],
	])("refuses %s", async (_, operation) => {
		await proveRefusal(scene, operation, "would_create_cycle");
	});

	test("lists the children of an origin under its mirror deep below it", async () => {
		const { outline, child, inside } = await prove(
			"origin #origin\n  child #child\n    (mirror origin) #inside",
			({ outline, inside }) => outline.create({ parent: inside, name: "new", position: "bottom" }),
			"origin\n  child\n    (mirror origin)\n  new",
		);
		expect((await outline.list(inside)).nodes[0]).toMatchObject({ id: child, parentId: inside });
	});

	test("may give an origin 10,000 mirrors", { timeout: 120_000 }, async () => {
		const { outline, origin, place } = await planted("origin #origin\nplace #place");
		for (let index = 0; index < 10_000; index++) await outline.mirror(origin, { parent: place });
		expect((await outline.get(origin)).mirror!.mirrorIds).toHaveLength(10_000);
	});
});

describe("§4.8 removeMirror", () => {
	test("deletes the mirror and its own children, and leaves the origin", async () => {
		const { outline, origin } = await prove(
			"origin #origin\n  child\nplace\n  (mirror origin) #mirror\n    own",
			({ outline, mirror }) => outline.removeMirror(mirror),
			"origin\n  child\nplace",
		);
		expect(await outline.get(origin)).not.toHaveProperty("mirror");
	});

	test("is refused for a node that is no mirror, and if a child of its own has mirrors", async () => {
		await proveRefusal(scene, ({ outline, origin }) => outline.removeMirror(origin), "not_a_mirror");
		await proveRefusal(
			"origin #origin\nplace\n  (mirror origin) #mirror\n    own #own\n  (mirror own)",
			({ outline, mirror }) => outline.removeMirror(mirror),
			"has_mirrors",
		);
	});
});

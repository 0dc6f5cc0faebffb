import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineError } from "../../../src/errors.js";
import { codeOf, exported, newOutline, noon, picture, plant } from "../../support/outline.js";

const scene = `
origin #origin
  child #child
place #place
  (mirror origin) #mirror
other #other`;

type Mark = "origin" | "child" | "place" | "mirror" | "other";

describe("§2.2 a mirror in responses", () => {
	test("has its own location and the content of its origin", async () => {
		let now = noon;
		const outline = newOutline({ now: () => now });
		const marks = await plant<Mark>(outline, scene);
		now += 60_000;
		await outline.update(marks.mirror, { name: "<i>new</i>", note: "n", layoutMode: "h2" });
		await outline.complete(marks.mirror);
		const origin = await outline.get(marks.origin);
		const mirror = await outline.get(marks.mirror);
		expect(origin).toMatchObject({ name: "<i>new</i>", note: "n", layoutMode: "h2", completed: true });
		expect(mirror).toEqual({
			...origin,
			id: marks.mirror,
			parentId: marks.place,
			priority: mirror.priority,
			mirror: { originId: marks.origin },
		});
		expect(origin.mirror).toEqual({ mirrorIds: [marks.mirror] });
		expect((await exported(outline)).find(({ id }) => id === marks.mirror)).toEqual(mirror);
	});

	test("lists the origin's children and its own, each with the mirror as parent, merged by priority", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		await outline.move(marks.other, { parent: marks.mirror, position: "bottom" });
		const top = await outline.create({ name: "top" });
		await outline.move(top.id, { parent: marks.mirror, position: "top" });
		const listed = await outline.list(marks.mirror);
		expect(listed.mirror).toEqual({ originId: marks.origin });
		expect(listed.nodes.map(({ name, parentId }) => [name, parentId])).toEqual([
			["top", marks.mirror],
			["child", marks.mirror],
			["other", marks.mirror],
		]);
		expect((await outline.list(marks.origin)).nodes.map(({ name }) => name)).toEqual(["child"]);
		expect((await exported(outline)).find(({ id }) => id === marks.child)?.parentId).toBe(marks.origin);
	});

	test("whose origin is gone shows its own row, and keeps its own children", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const marks = await plant<Mark>(outline, scene);
		const { results } = await storage.read([{ type: "subtree", of: { id: marks.origin } }]);
		await storage.commit({
			base: (await storage.read([])).revision,
			nodes: results[0].nodes.map(({ record }) => ({ before: record, after: null })),
			keys: [],
		});
		const { originId } = (await outline.get(marks.mirror)).mirror as { originId: string | null };
		expect(originId).toBeNull();
		expect((await outline.get(marks.mirror)).name).toBe("origin");
		expect(await outline.list(marks.mirror)).toEqual({ nodes: [], mirror: { originId: null } });
		await outline.update(marks.mirror, { name: "my own" });
		await outline.create({ parent: marks.mirror, name: "kept" });
		await outline.complete(marks.mirror);
		expect(await outline.get(marks.mirror)).toMatchObject({ name: "my own", completed: true });
		expect((await outline.list(marks.mirror)).nodes.map(({ name }) => name)).toEqual(["kept"]);
		expect(await codeOf(outline.mirror(marks.mirror, { parent: marks.place }))).toBe("not_found");
		await outline.removeMirror(marks.mirror);
		expect(await picture(outline)).toBe("place\nother");
	});
});

describe("§4.7 mirror", () => {
	test("follows a mirror to the true origin, and a mirror parent to its origin", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		const again = await outline.mirror(marks.mirror, { parent: marks.other });
		expect(again.mirror).toEqual({ originId: marks.origin });
		const otherMirror = await outline.mirror(marks.other, { parent: marks.place });
		const inside = await outline.mirror(marks.child, { parent: otherMirror.id, position: "bottom" });
		expect(inside.parentId).toBe(marks.other);
		expect((await outline.get(marks.origin)).mirror).toEqual({ mirrorIds: [marks.mirror, again.id].sort() });
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
	])("refuses the parent %s", async (parent) => {
		const outline = newOutline({ appUrl: "https://x.example" });
		const { id } = await outline.create({ name: "x" });
		expect(await codeOf(outline.mirror(id, { parent }))).toBe("unsupported_reference");
	});

	test("refuses a parent that is missing, no text, empty or unknown", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		for (const input of [{}, { parent: null }, { parent: 5 }]) {
			expect(await codeOf(outline.mirror(id, input as never))).toBe("invalid_argument");
		}
		expect(await codeOf(outline.mirror(id, { parent: "" }))).toBe("invalid_reference");
		expect(await codeOf(outline.mirror(id, { parent: "00000000-0000-4000-8000-000000000000" }))).toBe("not_found");
	});

	test("refuses a parent that resolves to the origin, on mirror and on move alike", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		expect(await codeOf(outline.mirror(marks.origin, { parent: marks.origin }))).toBe("would_create_cycle");
		expect(await codeOf(outline.mirror(marks.origin, { parent: marks.mirror }))).toBe("would_create_cycle");
		expect(await codeOf(outline.mirror(marks.mirror, { parent: marks.origin }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move(marks.mirror, { parent: marks.origin }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move(marks.origin, { parent: marks.mirror }))).toBe("would_create_cycle");
	});

	test("allows a mirror deeper inside its own origin, and nothing hangs on it", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		const inside = await outline.mirror(marks.origin, { parent: marks.child });
		expect((await outline.list(inside.id)).nodes.map(({ id }) => id)).toEqual([marks.child]);
		expect((await exported(outline)).length).toBe(6);
		expect(await codeOf(outline.move(marks.origin, { parent: inside.id }))).toBe("would_create_cycle");
		expect(await codeOf(outline.delete(marks.origin))).toBe("has_mirrors");
		await outline.removeMirror(marks.mirror);
		await outline.delete(inside.id);
		await outline.delete(marks.origin);
		expect(await picture(outline)).toBe("place\nother");
	});
});

describe("§3 deletion and mirrors", () => {
	test("an origin with mirrors anywhere in the subtree forbids the deletion and names them", async () => {
		const outline = newOutline();
		const { top, origin, inner, outer } = await plant<"top" | "origin" | "inner" | "outer">(
			outline,
			`
top #top
  origin #origin
  (mirror origin) #inner
place
  (mirror origin) #outer`,
		);
		const before = await exported(outline);
		for (const ref of [top, origin]) {
			const error = await outline.delete(ref).catch((thrown: OutlineError) => thrown);
			expect(error).toMatchObject({ code: "has_mirrors", mirrorIds: [inner, outer].sort() });
			expect((error as OutlineError).message).toContain(outer);
		}
		expect(await exported(outline)).toEqual(before);
	});

	test("mirrors inside a deleted subtree are detached from their origins", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		await outline.delete(marks.place);
		expect(await outline.get(marks.origin)).not.toHaveProperty("mirror");
	});

	test("deleting a mirror takes the children that were moved into it, by the same rules", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		await outline.move(marks.other, { parent: marks.mirror });
		const second = await outline.mirror(marks.other, { parent: marks.place });
		expect(await codeOf(outline.removeMirror(marks.mirror))).toBe("has_mirrors");
		await outline.delete(second.id);
		await outline.removeMirror(marks.mirror);
		expect(await picture(outline)).toBe("origin\n  child\nplace");
	});
});

test("§4.8 removing what is no mirror is an error", async () => {
	const outline = newOutline();
	const marks = await plant<Mark>(outline, scene);
	expect(await codeOf(outline.removeMirror(marks.origin))).toBe("not_a_mirror");
	expect(await codeOf(outline.removeMirror("nowhere"))).toBe("not_found");
});

test("an origin may have 30,000 mirrors", { timeout: 120_000 }, async () => {
	const outline = newOutline();
	const marks = await plant<Mark>(outline, scene);
	for (let index = 0; index < 30_000; index++) await outline.mirror(marks.origin, { parent: marks.place });
	const { mirror } = await outline.get(marks.origin);
	expect((mirror as { mirrorIds: string[] }).mirrorIds.length).toBe(30_001);
});

describe("§4.6 moving mirrors", () => {
	test("moves the mirror and not its origin", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		const moved = await outline.move(marks.mirror, { parent: marks.other });
		expect(moved).toMatchObject({ id: marks.mirror, parentId: marks.other, mirror: { originId: marks.origin } });
		expect((await outline.get(marks.origin)).parentId).toBeNull();
	});

	test("top and bottom of a mirror mean what is visible there", async () => {
		const outline = newOutline();
		const marks = await plant<Mark>(outline, scene);
		await outline.create({ parent: marks.origin, name: "last", position: "bottom" });
		for (const [position, place] of [
			["bottom", -1],
			["top", 0],
			["bottom", -1],
		] as const) {
			await outline.move(marks.other, { parent: marks.mirror, position });
			expect((await outline.list(marks.mirror)).nodes.at(place)?.id).toBe(marks.other);
		}
		await outline.move(marks.other, {});
		expect((await outline.list(marks.mirror)).nodes[0]?.id).toBe(marks.other);
	});
});

import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { Outline } from "../../../src/outline.js";
import { codeOf, exported, newOutline, noon, plant, twoOutlines } from "../../support/outline.js";
import { proveRefusal, type Scene } from "../../support/prove.js";
import { scene } from "./scene.js";

describe("undo", () => {
	test.each<[string, string, (marks: Scene<typeof scene>, another: Outline) => Promise<string>]>([
		[
			"an edit, after another edit of the same text",
			"has been changed",
			async ({ outline, b }, another) => {
				await outline.update(b, { name: "x" });
				return (await another.update(b, { name: "y" })).id;
			},
		],
		[
			"an edit, after the node's deletion",
			"has been deleted",
			async ({ outline, e }, another) => {
				await outline.update(e, { name: "x" });
				await another.delete(e);
				return e;
			},
		],
		[
			"a move, after another move",
			"has been moved",
			async ({ outline, a, e }, another) => {
				await outline.move(e);
				return (await another.move(e, { parent: a })).id;
			},
		],
		[
			"a move to another parent, after a move to a third one",
			"has been moved",
			async ({ outline, a, d, e }, another) => {
				await outline.move(e, { parent: a });
				return (await another.move(e, { parent: d })).id;
			},
		],
		[
			"a move, after another move among the same siblings",
			"has been moved",
			async ({ outline, d, e }, another) => {
				await outline.move(e, { position: "top" });
				return (await another.move(e, { position: { before: d! } })).id;
			},
		],
		[
			"a move, after the deletion of the old parent",
			"has been deleted",
			async ({ outline, b, e, m }, another) => {
				await outline.move(e, { parent: b });
				await outline.move(e, { parent: null });
				await another.removeMirror(m);
				await another.delete(b);
				return b;
			},
		],
		[
			"a move, after the old parent has moved below the node",
			"is below a node that would come under it",
			async ({ outline, a, e }, another) => {
				await outline.move(e, { parent: a });
				await outline.move(e, { parent: null });
				return (await another.move(a, { parent: e })).id;
			},
		],
		[
			"a create, after an edit",
			"has been changed",
			async ({ outline }, another) => (await another.complete((await outline.create({ name: "x" })).id)).id,
		],
		[
			"a create, after a move",
			"has been moved",
			async ({ outline, a }, another) =>
				(await another.move((await outline.create({ name: "x" })).id, { parent: a })).id,
		],
		[
			"a create beside a day, after another create below the node",
			"is below a node that would be deleted",
			async ({ outline }, another) => {
				await outline.batch([
					{ type: "ensure", ref: "today" },
					{ type: "create", name: "x", as: "x" },
				]);
				const [x] = (await outline.list()).nodes;
				return (await another.create({ name: "y", parent: x!.id })).id;
			},
		],
		[
			"a create, after another create below the node",
			"is below a node that would be deleted",
			async ({ outline }, another) => {
				const { id } = await outline.create({ name: "x" });
				return (await another.create({ name: "y", parent: id })).id;
			},
		],
		[
			"a create, if the node has a mirror",
			"is a mirror of a node that would be deleted",
			async ({ outline, a }, another) => {
				const { id } = await outline.create({ name: "x" });
				return (await another.mirror(id, { parent: a })).id;
			},
		],
		[
			"a deletion, after the deletion of the parent",
			"has been deleted",
			async ({ outline, a, e, m }, another) => {
				await outline.removeMirror(m);
				await outline.move(e, { parent: a });
				await outline.delete(e);
				await another.delete(a);
				return a;
			},
		],
		[
			"the removal of a mirror, after the deletion of its origin",
			"has been deleted",
			async ({ outline, c, m }, another) => {
				await outline.removeMirror(m);
				await another.delete(c);
				return c;
			},
		],
		[
			"a detachment, after an edit of the former mirror",
			"has been changed",
			async ({ outline, c, m }, another) => {
				await outline.delete(c, { mirrors: "detach" });
				return (await another.update(m, { note: "theirs" })).id;
			},
		],
		[
			"a detachment, after a mirror of the former mirror",
			"is a mirror of a node that would be a mirror",
			async ({ outline, a, c, m }, another) => {
				await outline.delete(c, { mirrors: "detach" });
				return (await another.mirror(m, { parent: a })).id;
			},
		],
		[
			"a detachment, after a move of one former mirror below another",
			"would be below a node with the same content",
			async ({ outline, c, e, m }, another) => {
				const { id } = await outline.mirror(c, { parent: e });
				await outline.delete(c, { mirrors: "detach" });
				return (await another.move(id, { parent: m })).id;
			},
		],
		[
			"the removal of a mirror, after its origin has become a mirror",
			"has become a mirror",
			async ({ outline, c, e, m }, another) => {
				await another.delete(c, { mirrors: "detach" });
				await outline.removeMirror((await outline.mirror(m, { parent: e })).id);
				await another.undo();
				return m;
			},
		],
	])("is refused for %s, and the error names the obstacle", async (_, reason, change) => {
		const storage = createMemoryStorage();
		let obstacle = "";
		const error = await proveRefusal(scene, ({ outline }) => outline.undo(), "undo_blocked", {
			storage,
			given: async (marks) => {
				obstacle = await change(marks, newOutline({ storage }));
			},
		});
		expect(error.nodeIds).toContain(obstacle);
		expect(error.message).toContain(`the node ${obstacle} ${reason}`);
	});

	test.each<[string, (marks: Scene<typeof scene>, another: Outline) => Promise<unknown>]>([
		[
			"an edit",
			async ({ outline, b }, another) => {
				await outline.update(b, { name: "x", note: "y" });
				await another.update(b, { name: "b", note: null });
			},
		],
		[
			"a move to another parent",
			async ({ outline, a, e }, another) => {
				await outline.move(e, { parent: a });
				await another.move(e, { parent: null, position: "bottom" });
			},
		],
		[
			"a move among siblings",
			async ({ outline, e }, another) => {
				await outline.move(e, { position: "top" });
				await another.move(e, { position: "bottom" });
			},
		],
		[
			"a deletion",
			async ({ outline, e }, another) => {
				const parts: string[] = [];
				for await (const part of outline.exportAs("json", { root: e })) parts.push(part);
				await outline.delete(e);
				await another.import(parts.join(""), { format: "json" });
			},
		],
	])("changes nothing after %s that another outline has set back", async (_, change) => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const marks = await plant(outline, scene);
		await change({ ...marks, outline } as Scene<typeof scene>, newOutline({ storage }));
		const before = await exported(outline);
		const { undo } = outline.history;
		await outline.undo();
		expect(await exported(outline)).toEqual(before);
		expect(outline.history.undo).toBe(undo - 1);
	});

	test("of a move to another parent works wherever the node is among the children there", async () => {
		const [outline, another] = twoOutlines();
		const { a, e } = await plant(outline, scene);
		const before = await exported(outline);
		await outline.move(e, { parent: a, position: "top" });
		await another.move(e, { parent: a, position: "bottom" });
		await outline.undo();
		expect(await exported(outline)).toEqual(before);
	});

	test("names up to five obstacles, in the order of their ids", async () => {
		const [mine, another] = twoOutlines();
		const { id } = await mine.create({ name: "x" });
		const obstacles: string[] = [];
		const refusal = async () => {
			obstacles.push((await another.create({ name: "y", parent: id })).id);
			return mine.undo().then(
				() => "",
				(error: Error) => error.message,
			);
		};
		const named = (count: number) =>
			obstacles
				.sort()
				.slice(0, count)
				.map((obstacle) => `the node ${obstacle} is below a node that would be deleted`)
				.join("; ");
		for (let count = 1; count <= 5; count++) expect(await refusal()).toContain(`the create: ${named(count)}. `);
		expect(await refusal()).toContain(`the create: ${named(5)}; and 1 more. `);
	});

	test("is refused for a shortcut that another client has changed, and for a new node that has a shortcut", async () => {
		const [mine, another] = twoOutlines();
		const { a, b, e } = await plant(mine, scene);
		await mine.setShortcut("s", a);
		await another.setShortcut("s", b);
		await expect(mine.undo()).rejects.toMatchObject({
			code: "undo_blocked",
			keys: ["s"],
			nodeIds: [],
			message: expect.stringContaining('the setShortcut: "s" points elsewhere. '),
		});
		await another.setShortcut("s", a);
		await mine.undo();
		expect(await codeOf(mine.get("s"))).toBe("not_found");
		const { id } = await mine.create({ name: "x" });
		await another.setShortcut("t", id);
		await expect(mine.undo()).rejects.toMatchObject({ code: "undo_blocked", keys: ["t"] });
		await another.setShortcut("t", e);
		await mine.undo();
		expect(await codeOf(mine.get(id))).toBe("not_found");
	});

	test.each<[string, (marks: Scene<typeof scene>, another: Outline) => Promise<unknown>]>([
		[
			"has been deleted",
			async ({ outline, a, e }, another) => {
				await outline.setShortcut("s", e);
				await outline.setShortcut("s", a);
				await another.deleteShortcut("s");
			},
		],
		[
			"is there again",
			async ({ outline, a, e }, another) => {
				await outline.setShortcut("s", a);
				await outline.deleteShortcut("s");
				await another.setShortcut("s", e);
			},
		],
		[
			"would point at a node that has been deleted",
			async ({ outline, a, e }, another) => {
				await outline.setShortcut("s", e);
				await outline.setShortcut("s", a);
				await another.delete(e);
			},
		],
		[
			"points at a node that would be deleted",
			async ({ outline }, another) => {
				await another.setShortcut("s", (await outline.create({ name: "x" })).id);
			},
		],
	])("is refused for a shortcut that %s", async (reason, change) => {
		const storage = createMemoryStorage();
		const error = await proveRefusal(scene, ({ outline }) => outline.undo(), "undo_blocked", {
			storage,
			given: (marks) => change(marks, newOutline({ storage })),
		});
		expect(error.keys).toEqual(["s"]);
		expect(error.message).toContain(`: "s" ${reason}. `);
	});

	test("changes nothing if another client has set a shortcut back already", async () => {
		const [mine, another] = twoOutlines();
		const { id } = await mine.create({ name: "x" });
		await mine.setShortcut("s", id);
		await another.deleteShortcut("s");
		expect(await mine.undo()).toEqual({ operation: "setShortcut", nodeIds: [] });
		await mine.setShortcut("s", id);
		await mine.deleteShortcut("s");
		await another.setShortcut("s", id);
		expect(await mine.undo()).toEqual({ operation: "deleteShortcut", nodeIds: [] });
		await another.delete(id);
		expect(await mine.undo()).toEqual({ operation: "setShortcut", nodeIds: [] });
	});

	test("is refused for a detachment, after a mirror of the day, created again, below the former mirror", async () => {
		const [mine, another] = twoOutlines();
		const day = await mine.ensure("2026-12-24");
		const { id: parent } = await mine.create({ name: "x" });
		const { id: former } = await mine.mirror(day.id, { parent });
		await mine.delete(day.id, { mirrors: "detach" });
		await another.ensure("2026-12-24");
		const { id } = await another.mirror(day.id, { parent: former });
		await expect(mine.undo()).rejects.toMatchObject({ code: "undo_blocked", nodeIds: [id] });
	});

	test("names no node as deleted that is there", async () => {
		const [mine, another] = twoOutlines();
		const { e } = await plant(mine, scene);
		const { ids } = await mine.batch([
			{ type: "create", as: "x", name: "x" },
			{ type: "update", ref: e, note: "n" },
		]);
		await another.move(e, { parent: ids.x! });
		await expect(mine.undo()).rejects.toMatchObject({
			code: "undo_blocked",
			message: expect.not.stringContaining("has been deleted"),
		});
	});

	test("is refused for a deletion if the node exists again, or another node has its short id", async () => {
		for (const first of ["00000000", "11111111"]) {
			const storage = createMemoryStorage();
			const ids = ["00000000-0000-4000-8000-000000000001", `${first}-0000-4000-8000-000000000001`];
			const generateId = () => ids.shift()!;
			const [mine, another] = [newOutline({ storage, generateId }), newOutline({ storage, generateId })];
			const { id } = await mine.create({ name: "mine" });
			await mine.delete(id);
			await another.create({ name: "another's" });
			await expect(mine.undo()).rejects.toMatchObject({ code: "undo_blocked", nodeIds: [id] });
			expect((await exported(mine)).map(({ name }) => name)).toEqual(["another's"]);
		}
	});

	test.each<[string, (others: Outline) => Promise<unknown>]>([
		["a note", (others) => others.update("inbox", { note: "new" })],
		["properties", (others) => others.update("inbox", { properties: { size: 1 } })],
		["a completion", (others) => others.complete("inbox")],
	])("is refused for the deletion of an entry that is there again, and has %s", async (_, change) => {
		const [outline, others] = twoOutlines();
		await outline.create({ name: "x", parent: "inbox" });
		const { id } = await outline.get("inbox");
		await outline.delete("inbox");
		await others.create({ name: "y", parent: "inbox" });
		await change(others);
		await expect(outline.undo()).rejects.toMatchObject({
			code: "undo_blocked",
			nodeIds: [id],
			message: expect.stringContaining(`the node ${id} is there again`),
		});
	});

	test("is refused for the deletion of an entry that is there again, and was edited later", async () => {
		let now = noon;
		const [outline, others] = twoOutlines({ now: () => now });
		await outline.create({ name: "x", parent: "inbox" });
		await outline.delete("inbox");
		await others.create({ name: "y", parent: "inbox" });
		now += 1000;
		await others.update("inbox", { name: "Theirs" });
		expect(await codeOf(outline.undo())).toBe("undo_blocked");
	});
});

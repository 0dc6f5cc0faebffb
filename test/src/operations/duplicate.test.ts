import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { randomId } from "../../../src/id.js";
import { addingAll, recordAt } from "../../support/batches.js";
import { numberedId } from "../../support/ids.js";
import { codeOf, newOutline, noon, planted } from "../../support/outline.js";
import { prove, proveRefusal } from "../../support/prove.js";

const scene = `
	list #list
	  milk #milk
	    fresh
	  bread
	other #other
	  (mirror milk) #mirror`;

describe("duplicate", () => {
	test("puts a copy of a node, with all below it, directly after the node", async () => {
		const { result, list } = await prove(
			scene,
			({ outline, list }) => outline.duplicate(list),
			`
			list
			  milk
			    fresh
			  bread
			list
			  milk
			    fresh
			  bread
			other
			  (mirror milk)`,
		);
		expect(result).toMatchObject({ name: "list", parentId: null });
		expect(result.id).not.toBe(list);
	});

	test.each([
		["c", "top", "a\n  b\nc\n  b\n  d"],
		["c", "bottom", "a\n  b\nc\n  d\n  b"],
		["None", "top", "b\na\n  b\nc\n  d"],
		[undefined, "bottom", "a\n  b\n  b\nc\n  d"],
	] as const)("puts the copy under the parent %s at the %s", async (parent, position, expected) => {
		await prove("a\n  b #b\nc #c\n  d", ({ outline, b }) => outline.duplicate(b, { parent, position }), expected, {
			given: ({ outline, c }) => outline.setShortcut("c", c),
		});
	});

	test("keeps texts, layout and completion, and is created now", async () => {
		let now = noon;
		const { result } = await prove("", ({ outline }) => outline.duplicate("x"), "a\na", {
			now: () => now,
			given: async ({ outline }) => {
				const { id } = await outline.create({ name: "- [x] a", note: "note" });
				await outline.setShortcut("x", id);
				now += 5000;
			},
		});
		const [created, completed] = [noon / 1000 + 5, noon / 1000];
		expect(result).toMatchObject({
			note: "note",
			layoutMode: "todo",
			completedAt: completed,
			createdAt: created,
			modifiedAt: created,
		});
	});

	test("leaves shortcuts and calendar keys with the originals", async () => {
		const { result, outline, milk } = await prove(
			scene,
			({ outline, list }) => outline.duplicate(list, { parent: null, position: "bottom" }),
			`
			list
			  milk
			    fresh
			  bread
			other
			  (mirror milk)
			list
			  milk
			    fresh
			  bread`,
			{ given: ({ outline, milk }) => outline.setShortcut("m", milk) },
		);
		expect((await outline.get("m")).id).toBe(milk);
		expect(result.mirror).toBeUndefined();
	});

	test("copies a mirror as a mirror of the same origin", async () => {
		const { result, milk, mirror } = await prove(
			scene,
			({ outline, mirror }) => outline.duplicate(mirror),
			`
			list
			  milk
			    fresh
			  bread
			other
			  (mirror milk)
			  (mirror milk)`,
		);
		expect(result.mirror).toEqual({ originId: milk });
		expect(result.id).not.toBe(mirror);
	});

	test("copies a mirror as a mirror of the origin's copy if both are copied", async () => {
		const { result, outline, origin } = await prove(
			"a #a\n  origin #origin\n    x\n  (mirror origin)",
			({ outline, a }) => outline.duplicate(a),
			`
			a
			  origin
			    x
			  (mirror origin)
			a
			  origin
			    x
			  (mirror origin)`,
		);
		const [copy, mirror] = (await outline.list(result.id)).nodes;
		expect(mirror!.mirror).toEqual({ originId: copy!.id });
		expect((await outline.get(origin)).mirror).toMatchObject({ mirrorIds: [expect.anything()] });
	});

	test("keeps a copy beside a mirror's own child under that mirror alone", async () => {
		const { result, outline, one, two } = await prove(
			"origin #origin\nplaces\n  (mirror origin) #one\n  (mirror origin) #two\nown #own",
			({ outline, own }) => outline.duplicate(own),
			"origin\nplaces\n  (mirror origin)\n    own\n    own\n  (mirror origin)",
			{ given: ({ outline, own, one }) => outline.move(own, { parent: one }) },
		);
		expect(result.parentId).toBe(one);
		expect((await outline.list(two)).nodes).toEqual([]);
	});

	test("may go below the node that it copies", async () => {
		await prove("a #a\n  b #b", ({ outline, a, b }) => outline.duplicate(a, { parent: b }), "a\n  b\n    a\n      b");
	});

	test("fails for a parent that shows the same origin", async () => {
		await proveRefusal(
			scene,
			({ outline, mirror, milk }) => outline.duplicate(mirror, { parent: milk }),
			"would_create_cycle",
		);
	});

	test("fails with too_large if the copy doesn't fit into one commit", async () => {
		const { message } = await proveRefusal(
			"a #a\n  b\n  c\n  d",
			({ outline, a }) => outline.duplicate(a),
			"too_large",
			{ limits: { commit: 250 } },
		);
		expect(message).toContain("Duplicate its children one by one");
	});

	test("runs once for a key, in a batch and in a scope", async () => {
		const { outline, id } = await planted("a #id");
		const first = await outline.duplicate(id, { idempotencyKey: "key" });
		expect(await outline.duplicate(id, { idempotencyKey: "key" })).toEqual(first);
		const { ids } = await outline.batch([
			{ type: "duplicate", ref: id, as: "copy" },
			{ type: "create", parent: { as: "copy" }, name: "below" },
			{ type: "duplicate", ref: { as: "copy" }, as: "again" },
		]);
		expect((await outline.list(ids.again)).nodes.map(({ name }) => name)).toEqual(["below"]);
		const scope = outline.scope(ids.copy, { write: true });
		const [below] = (await scope.list()).nodes;
		expect((await scope.duplicate(below!.id)).parentId).toBe(ids.copy);
		await expect(scope.duplicate(ids.copy)).rejects.toMatchObject({ code: "forbidden" });
		await expect(outline.scope(ids.copy).duplicate(below!.id)).rejects.toMatchObject({ code: "forbidden" });
	});

	test("copies each node once if the parents of a damaged outline form a cycle", async () => {
		const storage = createMemoryStorage();
		const [first, second] = [numberedId(1), numberedId(2)];
		const records = [recordAt(1, 1, { id: first, parentId: second }), recordAt(2, 1, { id: second, parentId: first })];
		await storage.commit(addingAll(records));
		const outline = newOutline({ storage });
		const { id } = await outline.duplicate(first, { parent: null });
		const { nodes } = await outline.list(id);
		expect(nodes.length).toBe(1);
		expect((await outline.list(nodes[0]!.id)).nodes).toEqual([]);
	});
});

test("a batch of copies is refused before it makes more than one commit may have", async () => {
	let drawn = 0;
	const generateId = () => {
		drawn += 1;
		return randomId();
	};
	const outline = newOutline({ limits: { commit: 100_000 }, generateId });
	const { id } = await outline.create({ name: "x" });
	const below = { type: "duplicate", ref: id, parent: id } as const;
	drawn = 0;
	// Each copies all copies before it. The limit has room for some 1,500 nodes, which are more than ten of them make.
	expect(await codeOf(outline.batch(Array.from({ length: 30 }, () => below)))).toBe("too_large");
	expect(drawn).toBeLessThan(2500);
	await outline.batch(Array.from({ length: 10 }, () => below));
});

import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import { receiptIn, receiptQuery } from "../../../src/operations/receipt-document.js";
import { idOf } from "../../conformance/records.js";
import { addingAll, recordAt } from "../../support/batches.js";
import { codeOf, exported, newOutline } from "../../support/outline.js";

const long = "x".repeat(500_000);

describe("the own record of a mirror", () => {
	test.each([
		["x".repeat(200), "x".repeat(200)],
		["x".repeat(201), ""],
		["<b>a</b>", "<b>a</b>"],
	])("keeps its origin's name of up to 200 characters, and nothing else: %#", async (name, kept) => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const origin = await outline.create({ name, note: "note", format: "html", layoutMode: "h1", completed: true });
		const home = await outline.create({ name: "home" });
		const mirror = await outline.mirror(origin.id, { parent: home.id });
		expect(mirror).toMatchObject({ name, note: "note", layoutMode: "h1", completed: true });
		const [stored] = (await storage.read([{ type: "node", at: { id: mirror.id } }])).results;
		expect(stored!.record).toMatchObject({ name: kept, note: null, layoutMode: "bullets", completedAt: null });
		expect((await outline.verify()).total).toBe(0);
	});

	test("gets all content when a deletion detaches the mirror, and is small again after undo", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const origin = await outline.create({ name: long, note: long, format: "text" });
		const home = await outline.create({ name: "home" });
		const { id } = await outline.mirror(origin.id, { parent: home.id });
		await outline.delete(origin.id, { mirrors: "detach" });
		expect(await outline.get(id)).toMatchObject({ name: long, note: long });
		await outline.undo();
		expect((await storage.read([{ type: "node", at: { id } }])).results[0]!.record.name).toBe("");
	});
});

describe("limits.commit", () => {
	const limits = { commit: 1000 };

	test("counts the characters of names and notes, and 64 for each written or deleted node and key", async () => {
		const outline = newOutline({ limits });
		const texts = 1000 - 2 * 64;
		await outline.createTree({ name: "n".repeat(texts - 1), children: [{ name: "", note: "n" }] });
		expect(await codeOf(outline.createTree({ name: "n".repeat(texts), children: [{ name: "", note: "n" }] }))).toBe(
			"too_large",
		);
		expect(await exported(outline)).toHaveLength(2);
	});

	test("refuses any larger operation, and nothing changes", async () => {
		const storage = createMemoryStorage();
		const wide = newOutline({ storage });
		const tree = await wide.createTree({
			name: "tree",
			children: Array.from({ length: 20 }, () => ({ name: "child" })),
		});
		const home = await wide.create({ name: "home" });
		await wide.batch(tree.children.map(({ id }) => ({ type: "mirror", ref: id, parent: home.id })));
		const before = await exported(wide);

		const outline = newOutline({ storage, limits });
		const one: BatchOperation = { type: "create", name: "x".repeat(300) };
		const refused = [
			outline.create({ name: "x".repeat(1000) }),
			outline.update(home.id, { note: "x".repeat(1000) }),
			outline.delete(tree.id, { mirrors: "detach" }),
			outline.delete(home.id),
			outline.batch([one, one, one]),
			outline.batch([one], { idempotencyKey: "k".repeat(255) }).then(() => outline.batch([one, one, one])),
			outline.import("line\n".repeat(20), { format: "text" }),
			outline.create({ name: "x".repeat(1000), parent: "today" }),
		];
		for (const code of await Promise.all(refused.map(codeOf))) expect(code).toBe("too_large");
		await outline.undo();
		expect(await exported(wide)).toEqual(before);
		expect((await wide.verify()).total).toBe(0);
		await outline.create({ name: "x".repeat(900) });
	});

	test("names the size, the limit and the next step in its error", async () => {
		await expect(newOutline({ limits }).create({ name: "x".repeat(1000) })).rejects.toThrow(
			"This commit would have 1064 characters, of which 64 are for each node, key and document. The limit is 1000. Do it in several steps, or raise limits.commit.",
		);
		for (const commit of [0, -1, 1.5, "5", null]) expect(() => newOutline({ limits: { commit } as never })).toThrow();
	});
});

describe("history.bytes", () => {
	test("counts the texts that only the history still has", async () => {
		const outline = newOutline({ history: { bytes: 10_100_000 } });
		const { id } = await outline.create({ name: "x", note: long });
		for (let number = 0; number < 30; number++) await outline.update(id, { note: `${number}${long}` });
		// Each step has the text before and the text after: 2 bytes for each of their characters.
		expect(outline.history.undo).toBe(5);
		for (let number = 0; number < 5; number++) await outline.undo();
		expect((await outline.get(id)).note).toBe(`24${long}`);
	});

	test("keeps a step that moves long texts, because it has them only once", async () => {
		const outline = newOutline({ history: { bytes: 4_000_000 } });
		const { id } = await outline.create({ name: "x", note: long });
		const home = await outline.create({ name: "home" });
		await outline.move(id, { parent: home.id });
		expect(outline.history.undo).toBe(3);
	});
});

describe("a receipt", () => {
	const receipt = async (storage: ReturnType<typeof createMemoryStorage>, key: string) =>
		receiptIn((await storage.read([receiptQuery(key)])).results[0], key)!;

	test("is never much longer than the request, however long the nodes are", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const { id } = await outline.create({ name: "big", note: long });
		const operations = Array.from({ length: 400 }, (_, number): BatchOperation => {
			return { type: number % 2 === 0 ? "complete" : "uncomplete", ref: id };
		});
		const first = await outline.batch(operations, { idempotencyKey: "k" });
		expect((await receipt(storage, "k")).result.length).toBeLessThan(JSON.stringify(operations).length);
		const again = await outline.batch(operations, { idempotencyKey: "k" });
		expect(again.results).toHaveLength(400);
		expect(again.results.every((node) => node!.id === id && node!.note === long)).toBe(true);
		expect(again.ids).toEqual(first.ids);
	});

	test("of a long result returns the current nodes, and of deleted ones their ids", async () => {
		const outline = newOutline();
		const input = {
			name: "tree",
			children: Array.from({ length: 30 }, (_, number) => ({ name: `${number}`, children: [{ name: "leaf" }] })),
			idempotencyKey: "k",
		};
		const first = await outline.createTree(input);
		expect(await outline.createTree(input)).toEqual(first);
		await outline.update(first.children[0]!.id, { name: "changed" });
		await outline.delete(first.children[1]!.id);
		const again = await outline.createTree(input);
		expect(again.children[0]!.name).toBe("changed");
		expect(again.children[1]).toMatchObject({ id: first.children[1]!.id, parentId: null, name: "", note: null });
		expect(again.children[1]!.children[0]!.id).toBe(first.children[1]!.children[0]!.id);
		expect(again.children[2]).toEqual(first.children[2]);
		const one = { name: "one", note: long, idempotencyKey: "one" };
		const { id } = await outline.create(one);
		await outline.delete(id);
		expect(await outline.create(one)).toMatchObject({ id, name: "", note: null });
	});

	test("within a scope returns no content of a node that has left the scope since", async () => {
		const outline = newOutline();
		const top = await outline.create({ name: "top" });
		const scope = outline.scope(top.id, { write: true });
		const input = { name: "secret later", note: "x".repeat(5000), idempotencyKey: "k" };
		const { id } = await scope.create(input);
		expect(await scope.create(input)).toMatchObject({ id, name: "secret later", parentId: top.id });
		await outline.move(id, { parent: null });
		await outline.update(id, { name: "secret" });
		expect(await scope.create(input)).toMatchObject({ id, name: "", note: null, parentId: null });
	});
});

describe("detached copies", () => {
	const plantMirrors = async (nodes: number, mirrors: number) => {
		const outline = newOutline();
		const tree = await outline.createTree({
			name: "o",
			children: Array.from({ length: nodes - 1 }, () => ({ name: "c" })),
		});
		const home = await outline.create({ name: "home" });
		await outline.batch(Array.from({ length: mirrors }, () => ({ type: "mirror", ref: tree.id, parent: home.id })));
		return { outline, tree, home };
	};

	test("have their number in the plan, and above 100,000 the deletion throws before it creates any", async () => {
		const { outline, tree } = await plantMirrors(1001, 101);
		const before = await exported(outline);
		const plan = await outline.plan.delete(tree.id, { mirrors: "detach" });
		expect(plan.detached).toHaveLength(101);
		expect(plan.copies).toBe(101_000);
		const deletion = outline.delete(tree.id, { mirrors: "detach" });
		await expect(deletion).rejects.toMatchObject({ code: "too_large", message: expect.stringContaining("101000") });
		expect(await exported(outline)).toEqual(before);
	});

	test("are created up to that number, for each mirror its own", async () => {
		const { outline, tree, home } = await plantMirrors(1001, 100);
		expect((await outline.plan.delete(tree.id, { mirrors: "detach" })).copies).toBe(100_000);
		await outline.delete(tree.id, { mirrors: "detach" });
		const nodes = await exported(outline);
		expect(nodes).toHaveLength(100_101);
		const children = new Map<string | null, number>();
		for (const { parentId } of nodes) children.set(parentId, (children.get(parentId) ?? 0) + 1);
		const { nodes: detached } = await outline.list(home.id);
		for (const { id, mirror } of detached) expect([children.get(id), mirror]).toEqual([1000, undefined]);
	});

	test("of origins within each other are counted up to the limit alone", async () => {
		const storage = createMemoryStorage();
		const depth = 2000;
		// A chain in which each node has a mirror outside: two million copies of two thousand nodes.
		const records = Array.from({ length: depth }, (_, number) => [
			recordAt(number, 1, { parentId: number === 0 ? null : idOf(number - 1) }),
			recordAt(depth + number, 1, { originId: idOf(number) }),
		]);
		await storage.commit(addingAll(records.flat()));
		const outline = newOutline({ storage });
		const plan = await outline.plan.delete(idOf(0), { mirrors: "detach" });
		expect(plan.copies).toBeGreaterThan(100_000);
		expect(plan.copies).toBeLessThan(110_000);
		expect(await codeOf(outline.delete(idOf(0), { mirrors: "detach" }))).toBe("too_large");
	});
});

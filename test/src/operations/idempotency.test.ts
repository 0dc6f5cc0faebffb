import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import { codeOf, exported, newOutline, noon } from "../../support/outline.js";
import { memoryStorages } from "../../support/storages.js";

const day = 24 * 60 * 60 * 1000;

describe("a request with an idempotency key", () => {
	test("runs once, and returns the same result each time", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const input = { name: "a\n- b", parent: "today", idempotencyKey: "k1" };
		const first = await outline.create(input);
		await outline.update(first.id, { name: "changed" });
		expect(await outline.create(input)).toEqual(first);
		// A server may open an outline for each request.
		expect(await newOutline({ storage }).create({ ...input })).toEqual(first);
		await outline.delete(first.id);
		expect(await outline.create(input)).toEqual(first);
		expect(await codeOf(outline.get(first.id))).toBe("not_found");
		expect((await outline.create({ ...input, idempotencyKey: "k2" })).id).not.toBe(first.id);
	});

	test("may be a tree or a batch", async () => {
		const outline = newOutline();
		const tree = { name: "a", children: [{ name: "b", children: [{ name: "c" }] }], idempotencyKey: "tree" };
		expect(await outline.createTree(tree)).toEqual(await outline.createTree(tree));
		const operations: BatchOperation[] = [
			{ type: "create", as: "x", name: "x" },
			{ type: "complete", ref: { as: "x" } },
			{ type: "setShortcut", key: "s", ref: { as: "x" } },
			{ type: "deleteShortcut", key: "s" },
		];
		const first = await outline.batch(operations, { idempotencyKey: "batch" });
		expect(first.results.slice(2)).toEqual([null, null]);
		expect(await outline.batch(operations, { idempotencyKey: "batch" })).toEqual(first);
		expect((await exported(outline)).length).toBe(4);
		await outline.batch(operations);
		expect((await exported(outline)).length).toBe(5);
	});

	test("may be a mirror, of one node at one place", async () => {
		const outline = newOutline();
		const [a, b] = [await outline.create({ name: "a" }), await outline.create({ name: "b" })];
		const scope = outline.scope(b.id, { write: true });
		for (const handle of [outline, scope]) {
			const first = await handle.mirror(b.id, { parent: b.id, idempotencyKey: "k" }).catch(() => null);
			expect(first).toBeNull();
			const { id } = await handle.create({ name: "c", parent: b.id });
			const mirror = await handle.mirror(id, { parent: b.id, idempotencyKey: "k" });
			expect(await handle.mirror(id, { parent: b.id, idempotencyKey: "k" })).toEqual(mirror);
			expect(await codeOf(handle.mirror(b.id, { parent: b.id, idempotencyKey: "k" }))).toBe("idempotency_mismatch");
		}
		expect((await outline.list(b.id)).nodes).toHaveLength(4);
		expect(await codeOf(outline.mirror(a.id, { parent: b.id, idempotencyKey: "k" }))).toBe("idempotency_mismatch");
	});

	test("keeps no receipt if it fails", async () => {
		const outline = newOutline();
		const input = { name: "x", parent: "place", idempotencyKey: "k" };
		expect(await codeOf(outline.create(input))).toBe("not_found");
		const { id } = await outline.create({ name: "place" });
		await outline.setShortcut("place", id);
		expect((await outline.create(input)).parentId).toBe(id);
	});

	test("is no step of the history if it repeats another request", async () => {
		const outline = newOutline();
		const first = await outline.create({ name: "x", idempotencyKey: "k" });
		await outline.create({ name: "x", idempotencyKey: "k" });
		expect(outline.history.undo).toBe(1);
		await outline.undo();
		expect(await exported(outline)).toEqual([]);
		expect(await outline.create({ name: "x", idempotencyKey: "k" })).toEqual(first);
	});

	test("is refused if another request has the key", async () => {
		const outline = newOutline();
		await outline.create({ name: "x", idempotencyKey: "k" });
		const others = [
			outline.create({ name: "y", idempotencyKey: "k" }),
			outline.createTree({ name: "x", idempotencyKey: "k" }),
			outline.batch([{ type: "create", name: "x" }], { idempotencyKey: "k" }),
		];
		for (const other of others) expect(await codeOf(other)).toBe("idempotency_mismatch");
		expect((await exported(outline)).length).toBe(1);
	});

	test("refuses keys of another form, and inputs that are nested too deeply", async () => {
		const outline = newOutline();
		for (const key of ["", "x".repeat(256), 1, null, {}, "\ud800", "a\0"]) {
			expect(await codeOf(outline.create({ name: "x", idempotencyKey: key as string }))).toBe("invalid_argument");
		}
		expect(await codeOf(outline.batch([], null as never))).toBe("invalid_argument");
		let tree: { name: string; children?: object[] } = { name: "x" };
		for (let depth = 0; depth < 100_000; depth++) tree = { name: "x", children: [tree] };
		expect(await codeOf(outline.createTree({ ...(tree as { name: string }), idempotencyKey: "deep" }))).toBe(
			"invalid_argument",
		);
		expect(await exported(outline)).toEqual([]);
		await outline.create({ name: "x", idempotencyKey: "😀 \" ' \\" });
		await outline.create({ name: "x", idempotencyKey: "😀 \" ' \\" });
		expect((await exported(outline)).length).toBe(1);
	});

	test("has another meaning within each scope", async () => {
		const outline = newOutline();
		const [one, two] = [await outline.create({ name: "one" }), await outline.create({ name: "two" })];
		const handles = [outline, outline.scope(one.id, { write: true }), outline.scope(two.id, { write: true })];
		for (let twice = 0; twice < 2; twice++) {
			for (const handle of handles) {
				await handle.create({ name: "x", idempotencyKey: "k" });
				await handle.createTree({ name: "y", idempotencyKey: "l" });
				await handle.batch([{ type: "create", name: "z", parent: null }], { idempotencyKey: "m" });
			}
		}
		expect((await exported(outline)).length).toBe(2 + 3 * 3);
		expect((await outline.list(one.id)).nodes.length).toBe(3);
		expect(await codeOf(handles[1]!.create({ name: "other", idempotencyKey: "k" }))).toBe("idempotency_mismatch");
	});

	test("keeps its receipt for a day, until the next request with a key", async () => {
		let now = noon;
		const kept = createMemoryStorage();
		const outline = newOutline({ storage: kept, now: () => now });
		const receipts = async () => {
			const { results } = await kept.read([{ type: "documents", prefix: "receipt-age/" }]);
			return results[0].map(({ key }) => Buffer.from(key.split("/").at(-1)!, "hex").toString());
		};
		await outline.create({ name: "x", idempotencyKey: "old" });
		now += day - 1000;
		await outline.create({ name: "x", idempotencyKey: "old" });
		expect((await exported(outline)).length).toBe(1);
		await outline.create({ name: "x", idempotencyKey: "middle" });
		now += 2000;
		await outline.create({ name: "x", idempotencyKey: "new" });
		expect(await receipts()).toEqual(["middle", "new"]);
		expect((await kept.read([{ type: "documents", prefix: "receipt/" }])).results[0].length).toBe(2);
		await outline.create({ name: "x", idempotencyKey: "old" });
		expect((await exported(outline)).length).toBe(4);
		// A clock that was set back forgets nothing.
		now -= 30 * day;
		await outline.create({ name: "x", idempotencyKey: "new" });
		expect((await exported(outline)).length).toBe(4);
	});
});

test.each(memoryStorages)("each key counts once, in any order and any number of times, %s", async (_, create) => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 20 }), async (requests) => {
			const storage = create();
			const outlines = [newOutline({ storage }), newOutline({ storage })];
			const results = await Promise.all(
				requests.map(([key, other]) =>
					outlines[Number(other)]!.create({ name: `${key}`, idempotencyKey: `key ${key}` }),
				),
			);
			const keys = new Set(requests.map(([key]) => key));
			const names = (await exported(outlines[0]!)).map(({ name }) => name);
			expect(names.sort()).toEqual([...keys].map(String).sort());
			for (const [place, { id, name }] of results.entries()) {
				expect(name).toBe(String(requests[place]![0]));
				expect(id).toBe(results.find((each) => each.name === name)!.id);
			}
		}),
	);
});

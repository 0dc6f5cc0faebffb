import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineNode } from "../../../src/node.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { ScopedOutline } from "../../../src/scope/scoped-outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { beforeCommits } from "../../support/interrupted.js";
import { bound } from "../../support/notices.js";
import { codeOf, exported, newOutline, picture } from "../../support/outline.js";

import { begun, errorOf, names } from "./scene.js";

describe("writing through a scope", () => {
	test("takes the scope's node for the top level", async () => {
		const { scope, ids, outline } = await begun();
		for (const parent of [undefined, null, "None"]) {
			const created = await scope.create({ name: "x", parent, completed: true });
			expect(created).toMatchObject({ parentId: ids.work, completed: true });
			expect(await scope.createTree({ name: "x", parent, position: "bottom" })).toMatchObject({ parentId: ids.work });
		}
		expect(await scope.move(ids.step, { parent: null, position: "bottom" })).toMatchObject({ parentId: ids.work });
		expect(await scope.move(ids.step, { position: { after: ids.plan } })).toMatchObject({ parentId: ids.work });
		const { ids: made } = await scope.batch([
			{ type: "create", name: "a", as: "a" },
			{ type: "create", name: "b", parent: { as: "a" } },
			{ type: "move", ref: ids.ours, parent: "None" },
		]);
		expect(names((await outline.list(ids.work)).nodes).slice(0, 2)).toEqual(["ours", "a"]);
		expect(names((await outline.list(made.a)).nodes)).toEqual(["b"]);
	});

	test("moves nodes in a batch to great depths, and knows what is outside there", async () => {
		const outline = newOutline();
		const top = await outline.create({ name: "top" });
		const leaf = await outline.create({ name: "leaf", parent: top.id });
		// More than a batch reads of a line at once.
		const levels = 1500;
		const { ids } = await outline.batch(
			Array.from({ length: levels }, (_, at): BatchOperation => {
				return { type: "create", name: `${at}`, parent: at === 0 ? top.id : { as: `${at - 1}` }, as: `${at}` };
			}),
		);
		const at = (level: number) => (ids as Record<string, string>)[level]!;
		const moves = [0, levels - 1, 700].map((level): BatchOperation => {
			return { type: "move", ref: leaf.id, parent: at(level) };
		});
		await outline.scope(top.id, { write: true }).batch(moves);
		expect(await outline.get(leaf.id)).toMatchObject({ parentId: at(700) });
		const inner = outline.scope(at(10), { write: true });
		await inner.batch([...moves.slice(1), { type: "move", ref: leaf.id, parent: at(levels - 1) }]);
		expect(await outline.get(leaf.id)).toMatchObject({ parentId: at(levels - 1) });
		expect(await codeOf(inner.batch([moves[2]!, moves[0]!]))).toBe("not_found");
	});

	test("updates the scope's node, but neither moves nor deletes it", async () => {
		const { scope, ids, outline } = await begun();
		expect(await scope.update(ids.work, { name: "labour", note: "n" })).toMatchObject({
			name: "labour",
			parentId: null,
		});
		await outline.move(ids.work, { parent: ids.private });
		expect(await scope.complete(ids.work)).toMatchObject({ completed: true, parentId: null });
		expect(await outline.get(ids.work)).toMatchObject({ name: "labour", completed: true, parentId: ids.private });
		const before = await picture(outline);
		for (const use of [
			() => scope.delete(ids.work),
			() => scope.delete(ids.work, { mirrors: "promote" }),
			() => scope.plan.delete(ids.work),
			() => scope.removeMirror(ids.work),
			() => scope.move(ids.work),
			() => scope.move(ids.work, { parent: ids.plan }),
			() => scope.move(ids.plan, { position: { after: ids.work } }),
			() => scope.create({ name: "x", position: { before: ids.work } }),
			() => scope.batch([{ type: "delete", ref: ids.work }]),
		]) {
			expect(await codeOf(use())).toBe("forbidden");
		}
		expect(await picture(outline)).toBe(before);
	});

	test("changes no node that only a mirror shows", async () => {
		const { scope, ids, outline } = await begun();
		await outline.complete(ids.theirs);
		const before = await exported(outline);
		for (const use of [
			() => scope.update(ids.mirror, { name: "x" }),
			() => scope.update(ids.mirror, {}),
			() => scope.complete(ids.mirror),
			() => scope.uncomplete(ids.mirror),
			() => scope.update(ids.theirs, { name: "x" }),
			() => scope.complete(ids.deep),
			() => scope.create({ name: "x", parent: ids.mirror }),
			() => scope.create({ name: "x", position: { after: ids.child } }),
			() => scope.createTree({ name: "x", parent: ids.deep }),
			() => scope.mirror(ids.plan, { parent: ids.mirror }),
			() => scope.mirror(ids.plan, { parent: ids.child }),
			() => scope.move(ids.child, { parent: ids.work }),
			() => scope.move(ids.child),
			() => scope.move(ids.theirs, { parent: ids.work }),
			() => scope.move(ids.plan, { parent: ids.child }),
			() => scope.delete(ids.child),
			() => scope.removeMirror(ids.theirs),
			() =>
				scope.batch([
					{ type: "create", name: "x" },
					{ type: "complete", ref: ids.mirror },
				]),
			() =>
				scope.batch([
					{ type: "mirror", ref: ids.mirror, parent: ids.plan, as: "m" },
					{ type: "uncomplete", ref: { as: "m" } },
				]),
		]) {
			expect(await codeOf(use())).toBe("forbidden");
		}
		expect(await exported(outline)).toEqual(before);
	});

	test("refuses a batch that is outside even for a moment", async () => {
		const { scope, ids, outline } = await begun();
		await outline.complete(ids.theirs);
		const mirror = { type: "mirror", ref: ids.mirror, parent: ids.plan, as: "m" } as const;
		const further = { type: "mirror", ref: { as: "m" }, parent: ids.ours, as: "n" } as const;
		const tries: [BatchOperation[], number][] = [
			[
				[
					{ type: "move", ref: ids.step, position: { before: ids.work } },
					{ type: "delete", ref: ids.step },
				],
				0,
			],
			[[mirror, further, { type: "complete", ref: { as: "n" } }], 2],
			[
				[
					mirror,
					{ type: "create", name: "x", parent: { as: "m" }, as: "x" },
					{ type: "move", ref: { as: "x" }, parent: ids.plan },
				],
				1,
			],
		];
		for (const [operations, operation] of tries) {
			expect(await errorOf(scope.batch(operations))).toMatchObject({ code: "forbidden", operation });
		}
		const onDemand = scope.batch([
			{ type: "create", name: "x", as: "x" },
			{ type: "move", ref: { as: "x" }, parent: "inbox" },
			{ type: "delete", ref: "inbox" },
		]);
		expect(await errorOf(onDemand)).toMatchObject({ code: "not_found", operation: 1 });
		const { ids: made } = await scope.batch([
			{ ...mirror, ref: ids.theirs },
			{ type: "move", ref: { as: "m" }, parent: ids.ours },
			{ type: "delete", ref: { as: "m" } },
		]);
		expect(await codeOf(scope.get(made.m!))).toBe("not_found");
	});

	test("creates and removes mirrors inside, whatever they show", async () => {
		const { scope, ids, outline } = await begun();
		const made = await scope.mirror(ids.mirror, { parent: ids.plan });
		expect(made).toMatchObject({ mirror: { originId: ids.theirs }, parentId: ids.plan });
		expect(await outline.get(ids.theirs)).toMatchObject({
			parentId: null,
			mirror: { mirrorIds: [ids.mirror, made.id].sort() },
		});
		const other = await scope.mirror(ids.child, { parent: ids.plan });
		expect(other).toMatchObject({ name: "secret child" });
		await scope.move(ids.ours, { parent: ids.mirror, position: "bottom" });
		expect(names((await scope.list(ids.mirror)).nodes)).toEqual(["secret child", "ours"]);
		expect((await outline.get(ids.ours)).parentId).toBe(ids.mirror);
		await scope.removeMirror(made.id);
		await scope.delete(other.id);
		expect(await codeOf(scope.removeMirror(ids.plan))).toBe("not_a_mirror");
		expect(await outline.get(ids.child)).toMatchObject({ parentId: ids.theirs, name: "secret child" });
		expect((await outline.get(ids.child)).mirror).toBeUndefined();
	});

	test("an update through a mirror reaches an origin that is inside", async () => {
		const { scope, ids } = await begun();
		const mirror = await scope.mirror(ids.step, { parent: ids.ours });
		await scope.update(mirror.id, { name: "leap" });
		expect(await scope.get(ids.step)).toMatchObject({ name: "leap", mirror: { mirrorIds: [mirror.id] } });
		const error = await errorOf(scope.delete(ids.plan));
		expect(error).toMatchObject({ code: "has_mirrors", mirrorIds: [mirror.id] });
	});

	test("an origin with mirrors outside stays, and these aren't named", async () => {
		const { scope, ids, outline } = await begun();
		for (const mirrors of ["reject", "detach", "promote"] as const) {
			const error = await errorOf(scope.delete(ids.ours, { mirrors }));
			expect(error).toMatchObject({ code: "has_mirrors", mirrorIds: [] });
			expect(JSON.stringify(error) + error.message).not.toContain(ids.outside);
			expect(await codeOf(scope.plan.delete(ids.ours, { mirrors }))).toBe("has_mirrors");
		}
		const inside = await scope.mirror(ids.ours, { parent: ids.plan });
		expect(await errorOf(scope.delete(ids.ours))).toMatchObject({ mirrorIds: [inside.id] });
		expect((await scope.plan.delete(ids.ours)).forbiddenBy).toEqual([inside.id]);
		await outline.delete(ids.outside);
		await scope.delete(inside.id);
		expect(await scope.plan.delete(ids.ours)).toMatchObject({ nodeIds: [ids.ours], forbiddenBy: [] });
		expect(await scope.get(ids.ours)).toMatchObject({ name: "ours" });
		await scope.delete(ids.ours);
		expect(await codeOf(outline.get(ids.ours))).toBe("not_found");
	});

	test("creates nodes on demand only below nodes that are inside", async () => {
		const { outline, ids, scope } = await begun();
		const before = await picture(outline);
		for (const parent of ["inbox", "calendar", "today", "2027-01", "2026"]) {
			expect(await codeOf(scope.create({ name: "x", parent }))).toBe("not_found");
			expect(await codeOf(scope.move(ids.plan, { parent }))).toBe("not_found");
			expect(await codeOf(scope.batch([{ type: "create", name: "x", parent }]))).toBe("not_found");
		}
		expect(await picture(outline)).toBe(before);
		await outline.create({ name: "x", parent: "2026-11-21" });
		const month = outline.scope("2026-11", { write: true });
		await month.create({ name: "y", parent: "2026-11-23" });
		expect(names((await outline.list("2026-11")).nodes)).toHaveLength(2);
		expect(await codeOf(month.create({ name: "y", parent: "2026-12-01" }))).toBe("not_found");
		await outline.move("2026-11-23", { parent: ids.private });
		expect(await codeOf(month.create({ name: "y", parent: "2026-11-23" }))).toBe("not_found");
		expect(await outline.get("2026-11-23")).toMatchObject({ parentId: ids.private });
	});

	test("changes shortcuts that point inside, but no new ones and not the scope's own", async () => {
		const { outline, ids } = await begun();
		await outline.setShortcut("door", ids.work);
		await outline.setShortcut("p", ids.plan);
		await outline.setShortcut("t", ids.deep);
		const scope = outline.scope("door", { write: true });
		await scope.setShortcut("p", ids.ours);
		expect(await outline.get("p")).toMatchObject({ id: ids.ours });
		for (const use of [
			() => scope.setShortcut("new", ids.plan),
			() => scope.setShortcut("p", ids.deep),
			() => scope.setShortcut("t", ids.deep),
			() => scope.setShortcut("t", ids.plan),
			() => scope.setShortcut("door", ids.plan),
			() => scope.deleteShortcut("door"),
			() => scope.deleteShortcut("t"),
			() => scope.batch([{ type: "setShortcut", key: "new", ref: ids.plan }]),
			() =>
				scope.batch([
					{ type: "create", name: "x", as: "x" },
					{ type: "setShortcut", key: "new", ref: { as: "x" } },
				]),
		]) {
			expect(await codeOf(use())).toBe("forbidden");
		}
		await scope.deleteShortcut("p");
		expect(await codeOf(outline.get("p"))).toBe("not_found");
		expect(await outline.get("t")).toMatchObject({ id: ids.deep });
		expect(await outline.get("door")).toMatchObject({ id: ids.work });
	});

	test("names the operation of a batch that it refuses, and does none of them", async () => {
		const { scope, ids, outline } = await begun();
		const before = await exported(outline);
		for (const place of [0, 1, 64, 70]) {
			const operations: BatchOperation[] = Array.from({ length: 71 }, (_, at) => ({
				type: "complete",
				ref: at === place ? ids.mirror : ids.plan,
			}));
			expect(await errorOf(scope.batch(operations))).toMatchObject({
				code: "forbidden",
				operation: place,
				message: expect.stringMatching(
					new RegExp(`^operations\\[${place}\\] \\(complete\\): .*The batch changed nothing\\.$`),
				),
			});
		}
		expect(await exported(outline)).toEqual(before);
	});

	test("doesn't spread the children of an origin outside to make room", async () => {
		const { scope, ids, outline } = await begun();
		const last = await outline.create({ name: "last", parent: ids.theirs, position: "bottom" });
		const { priority } = await outline.get(ids.child);
		for (let count = 0; count < 30 && (await outline.get(last.id)).priority - priority > 1; count++) {
			await outline.create({ name: "y", parent: ids.theirs, position: { before: last.id } });
		}
		const before = await exported(outline);
		let code: string | undefined;
		for (let count = 0; count < 30 && code === undefined; count++) {
			code = await codeOf(
				scope.move(count % 2 === 0 ? ids.plan : ids.ours, { parent: ids.mirror, position: { after: ids.child } }),
			);
		}
		expect(code).toBe("forbidden");
		const outside = (nodes: OutlineNode[]) => nodes.filter(({ parentId }) => parentId === ids.theirs);
		expect(outside(await exported(outline))).toEqual(outside(before));
	});

	test("checks the changes again if another commit comes in between", async () => {
		const storage = createMemoryStorage();
		const { ids, outline } = await begun({ storage });
		let between: (() => Promise<unknown>) | undefined = () => outline.move(ids.plan, { parent: ids.private });
		const interrupted = beforeCommits(storage, async () => {
			const first = between;
			between = undefined;
			await first?.();
		});
		const scope = newOutline({ storage: interrupted }).scope(ids.work, { write: true });
		expect(await codeOf(scope.update(ids.step, { name: "x" }))).toBe("not_found");
		expect(between).toBeUndefined();
		expect(await outline.get(ids.step)).toMatchObject({ name: "step" });
		between = () => outline.move(ids.plan, { parent: ids.private });
		await outline.move(ids.plan, { parent: ids.work });
		expect(await codeOf(scope.move(ids.ours, { parent: ids.plan }))).toBe("not_found");
		expect(await outline.get(ids.ours)).toMatchObject({ parentId: ids.work });
	});

	test("writes nothing without `write: true`", async () => {
		const { outline, ids } = await begun();
		const quiet: StorageAdapter = {
			...bound(createMemoryStorage()),
			read: () => Promise.reject(new Error("read")),
			commit: () => Promise.reject(new Error("commit")),
		};
		const plain = outline.scope(ids.work);
		const uses = (scope: ScopedOutline): (() => Promise<unknown>)[] => [
			() => scope.create({ name: "x", idempotencyKey: "k" }),
			() => scope.createTree({ name: "x" }),
			() => scope.batch([]),
			() => scope.update(ids.plan, { name: "x" }),
			() => scope.delete(ids.plan),
			() => scope.plan.delete(ids.plan),
			() => scope.move(ids.plan),
			() => scope.mirror(ids.plan, { parent: ids.ours }),
			() => scope.removeMirror(ids.mirror),
			() => scope.complete(ids.plan),
			() => scope.uncomplete(ids.plan),
			() => scope.setShortcut("x", ids.plan),
			() => scope.deleteShortcut("x"),
		];
		const before = await exported(outline);
		for (const scope of [
			plain,
			plain.scope(ids.plan, { write: true }),
			newOutline({ storage: quiet }).scope(ids.work),
		]) {
			for (const use of uses(scope)) expect(await codeOf(use())).toBe("forbidden");
		}
		expect(await exported(outline)).toEqual(before);
	});
});

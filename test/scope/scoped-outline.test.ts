import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import type { BatchOperation } from "../../src/batch.js";
import type { OutlineNode } from "../../src/node.js";
import type { Outline } from "../../src/outline.js";
import type { ScopedOutline } from "../../src/scope/scoped-outline.js";
import type { Query, Snapshot, StorageAdapter } from "../../src/storage.js";
import type { TreeInput } from "../../src/tree-input.js";
import { codeOf, exported, newOutline, noon, picture, plant } from "../plant.js";
import { openDatabase } from "../sqlite/open-database.js";

const text = `
work #work
  plan #plan
    step #step
  (mirror theirs) #mirror
  ours #ours`;
const scene = `
theirs #theirs
  secret child #child
    deep #deep
private #private
  hidden #hidden
${text.slice(1)}
  `;
type Mark = "theirs" | "child" | "deep" | "private" | "hidden" | "work" | "plan" | "step" | "mirror" | "ours";

async function begun(options: Parameters<typeof newOutline>[0] = {}) {
	const outline = newOutline({ appUrl: "https://notes.example", ...options });
	const ids = await plant<Mark>(outline, scene.trimEnd());
	const outside = await outline.mirror(ids.ours, { parent: ids.private });
	return { outline, ids: { ...ids, outside: outside.id }, scope: outline.scope(ids.work, { write: true }) };
}

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; message: string; mirrorIds?: string[] }> {
	return promise.then(
		(value) => {
			throw new Error(`resolved with ${JSON.stringify(value)}`);
		},
		(error) => error,
	);
}

async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
	const items: T[] = [];
	for await (const item of iterable) items.push(item);
	return items;
}

const names = (nodes: readonly OutlineNode[]) => nodes.map(({ name }) => name);

describe("what is read through a scope", () => {
	test("its node is the top, and stands nowhere", async () => {
		const { scope, ids, outline } = await begun();
		expect(await scope.get(ids.work)).toEqual({ ...(await outline.get(ids.work)), parentId: null });
		for (const top of [
			undefined,
			null,
			"None",
			ids.work,
			ids.work.slice(-12),
			`https://notes.example/#/${ids.work.slice(-12)}`,
		]) {
			expect(names((await scope.list(top)).nodes)).toEqual(["plan", "theirs", "ours"]);
		}
		expect(names((await scope.list()).nodes)).toEqual(names((await outline.list(ids.work)).nodes));
		expect((await all(scope.walk())).map(({ node, path }) => [node.name, path.length])).toEqual([
			["work", 1],
			["plan", 2],
			["step", 3],
			["theirs", 2],
			["secret child", 3],
			["deep", 4],
			["ours", 2],
		]);
		expect(names(await all(scope.export())).sort()).toEqual(["ours", "plan", "step", "theirs", "work"]);
	});

	test("mirrors show what they show, and whatever is below their origins can be read", async () => {
		const { scope, ids } = await begun();
		expect(await scope.get(ids.mirror)).toMatchObject({ name: "theirs", mirror: { originId: ids.theirs } });
		expect(await scope.list(ids.mirror)).toMatchObject({
			nodes: [{ id: ids.child, parentId: ids.mirror }],
			mirror: { originId: ids.theirs },
		});
		expect(await scope.get(ids.child)).toMatchObject({ parentId: ids.theirs });
		expect(await scope.get(ids.theirs)).toMatchObject({ parentId: null, mirror: { mirrorIds: [ids.mirror] } });
		expect((await scope.get(ids.ours)).mirror).toBeUndefined();
	});

	test("what is outside is answered like what doesn't exist", async () => {
		const { scope, ids, outline } = await begun();
		await outline.setShortcut("hush", ids.hidden);
		const unknown = "00000000-0000-4000-8000-0000000000aa";
		for (const id of [ids.private, ids.hidden, ids.outside]) {
			for (const [hidden, none] of [
				[id, unknown],
				[id.toUpperCase(), unknown.toUpperCase()],
				[id.slice(-12), unknown.slice(-12)],
			] as [string, string][]) {
				const uses: ((ref: string) => Promise<unknown>)[] = [
					(ref) => scope.get(ref),
					(ref) => scope.list(ref),
					(ref) => all(scope.walk(ref)),
					(ref) => scope.search("x", { within: ref }),
					(ref) => scope.backlinks(ref),
					(ref) => scope.update(ref, { name: "x" }),
					(ref) => scope.complete(ref),
					(ref) => scope.uncomplete(ref),
					(ref) => scope.delete(ref),
					(ref) => scope.removeMirror(ref),
					(ref) => scope.plan.delete(ref),
					(ref) => scope.move(ref),
					(ref) => scope.move(ids.plan, { parent: ref }),
					(ref) => scope.move(ids.plan, { position: { after: ref } }),
					(ref) => scope.move(ids.plan, { parent: ids.work, position: { after: ref } }),
					(ref) => scope.create({ name: "x", parent: ref }),
					(ref) => scope.create({ name: "x", position: { before: ref } }),
					(ref) => scope.createTree({ name: "x", parent: ref }),
					(ref) => scope.mirror(ref, { parent: ids.plan }),
					(ref) => scope.mirror(ids.step, { parent: ref }),
					(ref) =>
						scope.batch([
							{ type: "create", name: "y" },
							{ type: "move", ref: ids.plan, parent: ref },
						]),
					(ref) => scope.scope(ref).get(ids.plan),
				];
				for (const [place, use] of uses.entries()) {
					const [left, right] = [await errorOf(use(hidden)), await errorOf(use(none))];
					expect(left.code, `${place}`).toBe(right.code);
					expect(left.message, `${place}`).toBe(right.message.replaceAll(none, hidden));
					expect(JSON.stringify(left)).toBe(JSON.stringify(right));
				}
			}
		}
		for (const use of [
			(key: string) => scope.get(key),
			(key: string) => scope.setShortcut(key, ids.plan),
			(key: string) => scope.deleteShortcut(key),
		]) {
			const [left, right] = [await errorOf(use("hush")), await errorOf(use("none"))];
			expect(left.code).toBe(right.code);
			expect(left.message).toBe(right.message.replaceAll("none", "hush"));
		}
	});

	test("keys that point outside are unknown", async () => {
		const { scope, ids, outline } = await begun();
		await outline.create({ name: "mail", parent: "inbox" });
		await outline.create({ name: "now", parent: "today" });
		await outline.setShortcut("hush", ids.hidden);
		await outline.setShortcut("p", ids.plan);
		await outline.setShortcut("t", ids.deep);
		const targets = await scope.targets();
		expect(targets.filter(({ name }) => name !== null)).toEqual([
			{ key: "p", type: "shortcut", name: "plan" },
			{ key: "t", type: "shortcut", name: "deep" },
		]);
		expect(targets.map(({ key }) => key)).toEqual(["inbox", "calendar", "today", "tomorrow", "next_week", "p", "t"]);
		expect(await scope.list("inbox")).toEqual({ nodes: [] });
		expect(await codeOf(scope.get("today"))).toBe("not_found");
		expect(await scope.get("p")).toMatchObject({ id: ids.plan });
	});

	test("a search finds what is visible, and backlinks come from there", async () => {
		const { scope, ids, outline } = await begun();
		const link = `https://notes.example/#/${ids.plan.slice(-12)}`;
		await outline.create({ name: `see ${link}`, parent: ids.private });
		const inside = await outline.create({ name: `look ${link}`, parent: ids.ours });
		const found = async (query: string) => (await scope.search(query)).map(({ node }) => node.name).sort();
		expect(await found("-zzz")).toEqual(
			["deep", "ours", "plan", "secret child", "step", "theirs", "work", inside.name].sort(),
		);
		expect(await found("hidden OR private")).toEqual([]);
		const [hit] = await scope.search("step");
		expect(hit!.path).toEqual([ids.work, ids.plan, ids.step]);
		expect((await scope.search("ours"))[0]!.node.mirror).toBeUndefined();
		expect((await scope.backlinks(ids.plan)).map(({ node }) => node.id)).toEqual([inside.id]);
		expect((await scope.search("step", { within: ids.ours })).length).toBe(0);
		expect(await codeOf(scope.search("x", { limit: 0 }))).toBe("invalid_argument");
	});

	test("everything is gone with the node, until it is back", async () => {
		const { outline, ids } = await begun();
		await outline.setShortcut("door", ids.plan);
		const scope = outline.scope("door", { write: true });
		expect(await scope.get(ids.step)).toMatchObject({ name: "step" });
		await outline.deleteShortcut("door");
		for (const use of [
			() => scope.get(ids.step),
			() => scope.list(),
			() => scope.targets(),
			() => all(scope.export()),
			() => all(scope.walk()),
			() => scope.search("step"),
			() => scope.create({ name: "x" }),
			() => scope.batch([{ type: "create", name: "x" }]),
		]) {
			expect(await codeOf(use())).toBe("not_found");
		}
		await outline.setShortcut("door", ids.ours);
		expect(await codeOf(scope.get(ids.step))).toBe("not_found");
		expect(names(await all(scope.export()))).toEqual(["ours"]);
	});

	test("a scope of a day is of another one tomorrow", async () => {
		let moment = noon;
		const { outline } = await begun({ now: () => moment });
		await outline.create({ name: "sixth", parent: "2026-11-21" });
		await outline.create({ name: "seventh", parent: "2026-11-22" });
		const scope = outline.scope("today");
		expect(names((await scope.list()).nodes)).toEqual(["sixth"]);
		moment += 86_400_000;
		expect(names((await scope.list()).nodes)).toEqual(["seventh"]);
	});
});

describe("what is written through a scope", () => {
	test("the top level is the scope's node", async () => {
		const { scope, ids, outline } = await begun();
		for (const parent of [undefined, null, "None"]) {
			expect(await scope.create({ name: "x", parent })).toMatchObject({ parentId: ids.work });
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

	test("the node itself can be changed, but neither moved nor deleted", async () => {
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

	test("nothing that only a mirror shows", async () => {
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

	test("nothing of a batch is outside even for a moment", async () => {
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

	test("mirrors inside are made and removed, whatever they show", async () => {
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

	test("nodes on demand are made only below what is inside", async () => {
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

	test("shortcuts that point inside, but no new ones and not the scope's own", async () => {
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

	test("a batch says which operation isn't allowed, and nothing of it is done", async () => {
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
					new RegExp(`^operations\\[${place}\\] \\(complete\\): .*Nothing of the batch was done\\.$`),
				),
			});
		}
		expect(await exported(outline)).toEqual(before);
	});

	test("no room between the children of an origin outside is no reason to spread them", async () => {
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

	test("is looked at again when another commit comes in between", async () => {
		const storage = createMemoryStorage();
		const { ids, outline } = await begun({ storage });
		let between: (() => Promise<unknown>) | undefined = () => outline.move(ids.plan, { parent: ids.private });
		const interrupted: StorageAdapter = {
			read: (queries) => storage.read(queries),
			async commit(batch) {
				const first = between;
				between = undefined;
				await first?.();
				return storage.commit(batch);
			},
			scan: () => storage.scan(),
			close: () => storage.close(),
		};
		const scope = newOutline({ storage: interrupted }).scope(ids.work, { write: true });
		expect(await codeOf(scope.update(ids.step, { name: "x" }))).toBe("not_found");
		expect(between).toBeUndefined();
		expect(await outline.get(ids.step)).toMatchObject({ name: "step" });
		between = () => outline.move(ids.plan, { parent: ids.private });
		await outline.move(ids.plan, { parent: ids.work });
		expect(await codeOf(scope.move(ids.ours, { parent: ids.plan }))).toBe("not_found");
		expect(await outline.get(ids.ours)).toMatchObject({ parentId: ids.work });
	});

	test("under idempotency keys of its own", async () => {
		const { scope, outline, ids } = await begun();
		const request = { name: "once", idempotencyKey: "k" };
		const outside = await outline.create(request);
		const made = await scope.create(request);
		expect(made).toMatchObject({ name: "once", parentId: ids.work });
		expect(await scope.create(request)).toEqual(made);
		expect((await outline.create(request)).id).toBe(outside.id);
		expect(await codeOf(outline.scope(ids.work).create(request))).toBe("forbidden");
		expect(await codeOf(scope.create({ ...request, name: "other" }))).toBe("idempotency_mismatch");
		expect(names((await outline.list(ids.work)).nodes).filter((name) => name === "once")).toHaveLength(1);
	});

	test("nothing at all unless it may write", async () => {
		const { outline, ids } = await begun();
		const storage = createMemoryStorage();
		const quiet: StorageAdapter = {
			...storage,
			read: () => Promise.reject(new Error("read")),
			commit: () => Promise.reject(new Error("commit")),
			scan: () => storage.scan(),
			close: () => storage.close(),
		};
		const plain = outline.scope(ids.work);
		const uses = (scope: ScopedOutline): (() => Promise<unknown>)[] => [
			() => scope.create({ name: "x" }),
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

describe("a walk in a scope", () => {
	test("ends where what it is in leaves the scope", async () => {
		const { outline, scope, ids } = await begun();
		const seen: string[] = [];
		for await (const { node } of scope.walk()) {
			seen.push(node.name);
			if (node.id !== ids.plan) continue;
			await outline.move(ids.plan, { parent: ids.private });
			await outline.create({ name: "secret", parent: ids.plan });
			await outline.move(ids.child, { parent: ids.private });
		}
		expect(seen).toEqual(["work", "plan", "theirs", "ours"]);
	});

	test("looks the way to the top up once, and again when the outline has changed", async () => {
		const { outline, scope, ids, reads } = await onSqlite();
		const { id } = await outline.createTree({ parent: ids.step, ...chain(200) });
		reads.lineages = 0;
		const walked = await all(scope.walk(id));
		expect(walked).toHaveLength(200);
		expect(reads.lineages).toBeLessThan(5);
		reads.lineages = 0;
		let count = 0;
		for await (const { node } of scope.walk(id)) {
			count += 1;
			if (node.name === "50") await outline.create({ name: "x", parent: ids.private });
		}
		expect(count).toBe(200);
		expect(reads.lineages).toBeGreaterThan(2);
		expect(reads.lineages).toBeLessThan(10);
	});

	test("goes on from a cursor, and from no made up one that leads outside", async () => {
		const { scope, ids } = await begun();
		const walk = scope.walk(null, { budget: 3 });
		const first = await all(walk);
		const rest = await all(scope.walk(null, { cursor: walk.cursor! }));
		expect([...first, ...rest].map(({ node }) => node.name)).toEqual(
			(await all(scope.walk())).map(({ node }) => node.name),
		);
		for (const id of [ids.private, ids.hidden]) {
			const cursor = JSON.stringify([
				[id, -(2 ** 40)],
				[id, -(2 ** 40)],
			]);
			expect(JSON.stringify(await all(scope.walk(null, { cursor })))).not.toContain("hidden");
		}
	});
});

/** A node with so many in a line, one below the other. */
function chain(length: number): TreeInput {
	let tree: TreeInput = { name: `${length}` };
	for (let place = length - 1; place > 0; place--) tree = { name: `${place}`, children: [tree] };
	return tree;
}

describe("a scope", () => {
	test("within a scope is inside both", async () => {
		const { scope, ids, outline } = await begun();
		const inner = scope.scope(ids.plan, { write: true });
		expect(names(await all(inner.export()))).toEqual(["plan", "step"]);
		expect(await inner.get(ids.plan)).toMatchObject({ parentId: null });
		expect(await codeOf(inner.get(ids.ours))).toBe("not_found");
		await inner.create({ name: "x", position: "bottom" });
		expect(names((await outline.list(ids.plan)).nodes)).toEqual(["step", "x"]);
		expect(await codeOf(inner.delete(ids.plan))).toBe("forbidden");
		// Only visible in the outer one, so it is for reading.
		const lent = scope.scope(ids.theirs, { write: true });
		expect(names((await lent.list()).nodes)).toEqual(["secret child"]);
		expect(await codeOf(lent.create({ name: "x" }))).toBe("forbidden");
		expect(await codeOf(lent.complete(ids.child))).toBe("forbidden");
		expect(await codeOf(scope.scope(ids.private).list())).toBe("not_found");
		// Moved out of the outer one, it is gone.
		await outline.move(ids.plan, { parent: ids.private });
		expect(await codeOf(inner.list())).toBe("not_found");
	});

	test("within a scope follows mirrors as far as the outer one", async () => {
		const { scope, ids, outline } = await begun();
		// The origin's parent is hidden, and below it stands another mirror.
		await outline.move(ids.theirs, { parent: ids.hidden });
		await outline.mirror((await outline.createTree({ name: "far", children: [{ name: "away" }] })).id, {
			parent: ids.child,
		});
		const shown = async (face: ScopedOutline) => (await all(face.walk())).map(({ node }) => node.name);
		expect(await shown(scope)).toContain("away");
		expect(await shown(scope.scope(ids.work))).toEqual(await shown(scope));
	});

	test("is made of a reference to a node, at once", async () => {
		const { outline } = await begun();
		const make = (ref: unknown, options?: unknown) => () => outline.scope(ref as string, options as object);
		expect(make("nowhere")).not.toThrow();
		expect(make(null)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		expect(make("")).toThrow(expect.objectContaining({ code: "invalid_reference" }));
		expect(make("None")).toThrow(expect.objectContaining({ code: "unsupported_reference" }));
		expect(make("x", { write: 1 })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		expect(make("x", null)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		await outline.close();
		expect(make("x")).toThrow(expect.objectContaining({ code: "closed" }));
	});

	test("asks a storage as often as the outline does, but for mirrors", async () => {
		const { outline, ids, reads } = await onSqlite();
		const scope = outline.scope(ids.work, { write: true });
		const cost = async (use: (face: Outline | ScopedOutline) => Promise<unknown>) => {
			const before = reads.count;
			await use(outline);
			const between = reads.count;
			await use(scope);
			return [between - before, reads.count - between];
		};
		expect(await cost((face) => face.get(ids.step))).toEqual([1, 1]);
		expect(await cost((face) => face.list(ids.plan))).toEqual([1, 1]);
		expect(await cost((face) => face.update(ids.step, { name: `${Math.random()}` }))).toEqual([1, 1]);
		expect(await cost((face) => face.create({ name: "x", parent: ids.plan }))).toEqual([1, 1]);
		expect(await cost((face) => face.move(ids.step, { parent: ids.work }))).toEqual([2, 2]);
		// Where its mirror stands, and whether that is visible by a mirror in its turn.
		expect(await cost((face) => face.get(ids.ours))).toEqual([1, 3]);
		expect(await cost((face) => face.complete(ids.plan))).toEqual([1, 1]);
		expect(await cost((face) => codeOf(face.get("00000000-0000-4000-8000-0000000000aa")))).toEqual([1, 1]);
		reads.most = 0;
		await scope.batch(Array.from({ length: 500 }, (_, at) => ({ type: "create", name: `${at}`, parent: ids.plan })));
		expect(reads.most).toBeLessThan(200);
	});

	test("sees where many mirrors of one node stand in a few steps", async () => {
		const { outline, ids, reads } = await onSqlite();
		const children = Array.from({ length: 300 }, (_, place) => ({ name: `${place}`, children: [{ name: "below" }] }));
		const inside = await outline.createTree({ parent: ids.work, name: "many", children });
		const outside = await outline.createTree({ parent: ids.private, name: "others", children });
		const mirror = (tree: typeof inside) =>
			tree.children.map(({ children: [below] }) => ({ type: "mirror", ref: ids.step, parent: below!.id }) as const);
		const { results } = await outline.batch(mirror(inside));
		await outline.batch(mirror(outside));
		reads.count = 0;
		const node = await outline.scope(ids.work).get(ids.step);
		expect(node.mirror).toEqual({ mirrorIds: results.map((each) => each!.id).sort() });
		expect(reads.count).toBeLessThan(10);
	});
});

/** The scene in SQLite, with a count of the reads. */
async function onSqlite() {
	const storage = createSqliteStorage(openDatabase("better-sqlite3", ":memory:"));
	const reads = { count: 0, lineages: 0, most: 0 };
	const counting: StorageAdapter = {
		read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			reads.count += 1;
			reads.most = Math.max(reads.most, queries.length);
			reads.lineages += queries.filter(({ type }) => type === "ancestors").length;
			return storage.read(queries);
		},
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		close: () => storage.close(),
	};
	return { ...(await begun({ storage: counting })), reads };
}

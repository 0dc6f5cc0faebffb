import { describe, expect, test } from "vitest";
import { unusedId } from "../../support/ids.js";
import { chain, codeOf, newOutline, noon } from "../../support/outline.js";

import { all, begun, errorOf, names, onSqlite } from "./scene.js";

describe("reading through a scope", () => {
	test("the scope's node is the top, without a parent", async () => {
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

	test("mirrors show their origins, whose subtrees can be read", async () => {
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

	test("hidden nodes get the same answers as missing nodes", async () => {
		const { scope, ids, outline } = await begun();
		await outline.setShortcut("hush", ids.hidden);
		for (const id of [ids.private, ids.hidden, ids.outside]) {
			for (const [hidden, none] of [
				[id, unusedId],
				[id.toUpperCase(), unusedId.toUpperCase()],
				[id.slice(-12), unusedId.slice(-12)],
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

	test("searches and backlinks return visible nodes only", async () => {
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
		const [named] = await scope.search("step", { ancestors: true, ranges: true });
		expect(named!.ancestors).toEqual([
			{ id: ids.work, name: "work" },
			{ id: ids.plan, name: "plan" },
		]);
		expect(named!.ranges).toEqual({ name: [{ start: 0, end: 4 }], note: [] });
		expect((await scope.search("ours"))[0]!.node.mirror).toBeUndefined();
		expect((await scope.backlinks(ids.plan)).map(({ node }) => node.id)).toEqual([inside.id]);
		expect((await scope.backlinks(ids.plan, { limit: 1, pathLength: 1 })).map(({ path }) => path)).toEqual([
			[inside.id],
		]);
		expect((await scope.search("step", { within: ids.ours })).length).toBe(0);
		expect(await codeOf(scope.search("x", { limit: 0 }))).toBe("invalid_argument");
	});

	test("everything is `not_found` while the scope's node is deleted", async () => {
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

	test("a scope of `today` has another node tomorrow", async () => {
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

describe("a walk in a scope", () => {
	test("ends if its node moves out of the scope", async () => {
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

	test("reads the ancestors once, and again after a change of the outline", async () => {
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

	test("goes on from a cursor, but refuses a forged one that leads outside", async () => {
		const { scope, ids } = await begun();
		const walk = scope.walk(null, { budget: 3 });
		const first = await all(walk);
		const rest = await all(scope.walk(null, { cursor: walk.cursor! }));
		expect([...first, ...rest].map(({ node }) => node.name)).toEqual(
			(await all(scope.walk())).map(({ node }) => node.name),
		);
		for (const id of [ids.private, ids.hidden]) {
			const mark = `${id}.-${(2 ** 40).toString(36)}`;
			const cursor = `1_${mark}_${mark}`;
			expect(JSON.stringify(await all(scope.walk(null, { cursor })))).not.toContain("hidden");
			// Neither the end of a path nor a mirror on it may be outside.
			for (const [anchor, mirror] of [
				[id, ""],
				[ids.work, id.slice(-12)],
			]) {
				const way = scope.walk(null, { cursor: `2_${anchor}_0_${mirror}_${mark}` });
				expect(await codeOf(all(way))).toBe("invalid_argument");
			}
		}
	});

	test("goes on from a cursor deep below a mirror of an outside node", async () => {
		const outline = newOutline();
		const { id: outside } = await outline.createTree(chain(100));
		const { id: top } = await outline.create({ name: "top" });
		const mirror = await outline.mirror(outside, { parent: top });
		await outline.createTree({ ...chain(50), parent: mirror.id });
		const scope = outline.scope(top);
		const whole = await all(scope.walk());
		const parts: typeof whole = [];
		let cursor: string | undefined;
		do {
			const walk = scope.walk(null, { budget: 30, cursor });
			parts.push(...(await all(walk)));
			cursor = walk.cursor ?? undefined;
		} while (cursor !== undefined);
		expect(parts).toEqual(whole);
		expect(whole).toHaveLength(151);
	});
});

import { describe, expect, test } from "vitest";
import type { Outline } from "../../../src/outline.js";
import type { ScopedOutline } from "../../../src/scope/scoped-outline.js";
import { unusedId } from "../../support/ids.js";
import { codeOf, newOutline, plant } from "../../support/outline.js";
import { turnsDuring } from "../../support/turns.js";

import { all, begun, names, onSqlite } from "./scene.js";

describe("a scope", () => {
	test("within a scope has only nodes that both have", async () => {
		const { scope, ids, outline } = await begun();
		const inner = scope.scope(ids.plan, { write: true });
		expect(names(await all(inner.export()))).toEqual(["plan", "step"]);
		expect(await inner.get(ids.plan)).toMatchObject({ parentId: null });
		expect(await codeOf(inner.get(ids.ours))).toBe("not_found");
		await inner.create({ name: "x", position: "bottom" });
		expect(names((await outline.list(ids.plan)).nodes)).toEqual(["step", "x"]);
		expect(await codeOf(inner.delete(ids.plan))).toBe("forbidden");
		// The outer scope can only read it, so the inner one can't write it.
		const lent = scope.scope(ids.theirs, { write: true });
		expect(names((await lent.list()).nodes)).toEqual(["secret child"]);
		expect(await codeOf(lent.create({ name: "x" }))).toBe("forbidden");
		expect(await codeOf(lent.complete(ids.child))).toBe("forbidden");
		expect(await codeOf(scope.scope(ids.private).list())).toBe("not_found");
		// Once it is outside of the outer scope, it is gone.
		await outline.move(ids.plan, { parent: ids.private });
		expect(await codeOf(inner.list())).toBe("not_found");
	});

	test("within a scope lists no node that it can't get", async () => {
		const outline = newOutline();
		const { top, a, inner } = await plant(outline, "a #a\n  top #top\n    inner #inner\n      (mirror a)\n  sibling");
		const scope = outline.scope(top).scope(inner);
		const { nodes } = await scope.list(a);
		expect(names(nodes)).toEqual(["sibling"]);
		expect(await codeOf(scope.get(top))).toBe("not_found");
	});

	test("within a scope follows mirrors as far as the outer one", async () => {
		const { scope, ids, outline } = await begun();
		// The origin's parent is hidden, and below it is another mirror.
		await outline.move(ids.theirs, { parent: ids.hidden });
		await outline.mirror((await outline.createTree({ name: "far", children: [{ name: "away" }] })).id, {
			parent: ids.child,
		});
		const shown = async (face: ScopedOutline) => (await all(face.walk())).map(({ node }) => node.name);
		expect(await shown(scope)).toContain("away");
		expect(await shown(scope.scope(ids.work))).toEqual(await shown(scope));
	});

	test("takes a reference and needs no answer of the storage", async () => {
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

	test("reads as often as the outline does, except for mirrors", async () => {
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
		expect(await cost((face) => face.update(ids.step, { name: `step ${reads.count}` }))).toEqual([1, 1]);
		expect(await cost((face) => face.create({ name: "x", parent: ids.plan }))).toEqual([1, 1]);
		expect(await cost((face) => face.move(ids.step, { parent: ids.work }))).toEqual([2, 2]);
		// Two more: for the ancestors of its mirror, and for the mirrors of these.
		expect(await cost((face) => face.get(ids.ours))).toEqual([1, 3]);
		expect(await cost((face) => face.complete(ids.plan))).toEqual([1, 1]);
		expect(await cost((face) => codeOf(face.get(unusedId)))).toEqual([1, 1]);
		reads.most = 0;
		await scope.batch(Array.from({ length: 500 }, (_, at) => ({ type: "create", name: `${at}`, parent: ids.plan })));
		expect(reads.most).toBeLessThan(200);
	});

	test("locates many mirrors of one node in a few reads", async () => {
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

	test("lets other work run while it looks at many nodes", async () => {
		const outline = newOutline();
		await outline.preload();
		const children = Array.from({ length: 20_000 }, () => ({ name: "x" }));
		const { id, children: made } = await outline.createTree({ name: "top", children: [{ name: "many", children }] });
		const scope = outline.scope(id, { write: true });
		expect(await turnsDuring(() => scope.export()[Symbol.asyncIterator]().next())).toBeGreaterThan(110);
		const whole = await turnsDuring(() => outline.plan.delete(made[0]!.id));
		expect(await turnsDuring(() => scope.plan.delete(made[0]!.id))).toBeGreaterThan(whole + 380);
	});
});

import { describe, expect, test } from "vitest";
import type { DeletionPlan } from "../../../../src/index.js";
import type { Outline } from "../../../../src/outline.js";
import { idOf } from "../../../conformance/records.js";
import { recordAt } from "../../../support/batches.js";
import { dense, places } from "../../../support/dense.js";
import { noon } from "../../../support/outline.js";
import { prove } from "../../../support/prove.js";

/** A clock that goes on by a second with each call, so that the first mirror of a scene is the oldest. */
function ticking(): { now: () => number } {
	let time = noon;
	return { now: () => (time += 1000) };
}

/** Deletes a node, and returns the plan that announced it. */
async function promote(outline: Outline, ref: string): Promise<DeletionPlan> {
	const plan = await outline.plan.delete(ref, { mirrors: "promote" });
	await outline.delete(ref, { mirrors: "promote" });
	return plan;
}

const shared = `
	rope #rope
	trip #trip
	  boat #boat
	    sail #sail
	      (mirror rope)
	plans
	  (mirror boat) #first
	    anchor
	      chain
	other
	  (mirror boat) #second
	  (mirror sail) #third`;

describe("a deletion that promotes origins", () => {
	test("puts the origin in the place of its oldest mirror, with the mirror's keys and own children", async () => {
		const { result, outline, trip, boat, sail, first, second, third } = await prove(
			shared,
			({ outline, trip }) => promote(outline, trip),
			`
			rope
			plans
			  boat
			    sail
			      (mirror rope)
			    anchor
			      chain
			other
			  (mirror boat)
			  (mirror sail)`,
			{
				...ticking(),
				given: async ({ outline, first, sail }) => {
					await outline.setShortcut("b", first);
					await outline.setShortcut("s", sail);
				},
			},
		);
		expect(result).toEqual({
			nodeIds: [trip, first],
			mirrorIds: [first],
			keys: [],
			forbiddenBy: [],
			promoted: [{ id: boat, mirrorId: first }],
			detached: [],
			copies: 0,
		});
		expect((await outline.get("b")).id).toBe(boat);
		expect((await outline.get("s")).id).toBe(sail);
		expect((await outline.get(boat)).mirror).toEqual({ mirrorIds: [second] });
		expect((await outline.get(sail)).mirror).toEqual({ mirrorIds: [third] });
	});

	test("in a batch leaves the origin for the next operation", async () => {
		await prove(
			shared,
			({ outline, trip, boat }) =>
				outline.batch([
					{ type: "delete", ref: trip, mirrors: "promote" },
					{ type: "delete", ref: boat, mirrors: "detach" },
				]),
			`
			rope
			plans
			other
			  boat
			    sail
			      (mirror rope)
			    anchor
			      chain
			  sail
			    (mirror rope)`,
			ticking(),
		);
	});

	test.each([
		["created first, after its sibling", 20, 10, 6],
		["created first, before its sibling", 10, 20, 5],
		["with the lowest id if they have the same time", 10, 10, idOf(5) < idOf(6) ? 5 : 6],
	])("takes the mirror %s, and appends the mirror's children", async (_, fifth, sixth, oldest) => {
		const boat = idOf(1);
		const { mine } = await dense([
			recordAt(0, 1),
			recordAt(1, 1, { parentId: idOf(0), priority: 0 }),
			...[2, 3].map((number) => recordAt(number, 1, { parentId: boat, priority: number - 2 })),
			recordAt(4, 1),
			recordAt(5, 1, { parentId: idOf(4), originId: boat, createdAt: fifth }),
			recordAt(6, 1, { parentId: idOf(4), originId: boat, createdAt: sixth }),
			...[7, 8].map((number) => recordAt(number, 1, { parentId: idOf(oldest), priority: number - 7 })),
		]);
		const before = await places(mine);
		await mine.setShortcut("b", idOf(oldest));
		await mine.setShortcut("c", idOf(7));
		await mine.delete(idOf(0), { mirrors: "promote" });
		const { [idOf(0)]: top, [idOf(oldest)]: replaced, ...rest } = before;
		expect(await places(mine)).toEqual({ ...rest, [boat]: replaced, [idOf(7)]: [boat, 2], [idOf(8)]: [boat, 3] });
		expect((await mine.get("b")).id).toBe(boat);
		expect((await mine.get("c")).id).toBe(idOf(7));
	});

	test("moves an origin that is below its own mirror out of the deleted subtree", async () => {
		await prove(
			"top #top\n  origin #origin\nshelf\n  (mirror origin) #mirror",
			({ outline, top }) => promote(outline, top),
			"shelf\n  origin",
			{ given: ({ outline, top, mirror }) => outline.move(top, { parent: mirror }) },
		);
	});

	test("keeps the nodes between a kept node and the origin, below the origin", async () => {
		await prove(
			"top #top\n  between\n    origin #origin\n      (mirror top)\nshelf\n  (mirror origin) #mirror",
			({ outline, top }) => promote(outline, top),
			"shelf\n  origin\n    top\n      between\n        (mirror origin)",
			{ ...ticking(), given: ({ outline, top, mirror }) => outline.move(top, { parent: mirror }) },
		);
	});

	test("moves the mirror to the origin's place if the parent there stays, with the mirror's own children", async () => {
		const { result, outline, a, b, inner, outside } = await prove(
			"a #a\n  b #b\n    c\n    (mirror a) #inner\nshelf\n  (mirror b) #outside\n    own",
			({ outline, a }) => promote(outline, a),
			"shelf\n  b\n    c\n    a\n      (mirror b)\n        own",
		);
		expect(result.promoted).toEqual([
			{ id: b, mirrorId: outside },
			{ id: a, mirrorId: inner },
		]);
		expect(result.nodeIds).toEqual([inner]);
		expect((await outline.get(outside)).parentId).toBe(a);
	});

	// Each origin leaves a place below the next one, and the last can only go below the first.
	const ring = "top #top\n  first #first\n    (mirror top)\n  holder\n    second #second\nshelf\n  (mirror second)";
	test.each<[string, string, string]>([
		[
			"directly below one another",
			`${ring}\n    (mirror first)`,
			"shelf\n  second\n    first\n      top\n        (mirror first)\n        holder\n          (mirror second)",
		],
		[
			"with a node between them",
			`${ring}\n    between\n      (mirror first)`,
			"shelf\n  second\n    between\n      first\n        top\n          (mirror first)\n          holder\n            (mirror second)",
		],
	])("never puts an origin below itself if it changes places with mirrors %s", async (_, scene, expected) => {
		await prove(scene, ({ outline, top }) => promote(outline, top!), expected);
	});

	test("leaves a mirror in the origin's place even if that place moves below the mirror's own child", async () => {
		const { result, outline, target, shown } = await prove(
			`
			top #top
			  first #first
			    (mirror top)
			  second #second
			    below
			shelf
			  (mirror second) #target
			    moved
			      (mirror first) #shown`,
			({ outline, top }) => promote(outline, top),
			`
			shelf
			  second
			    below
			    moved
			      first
			        top
			          (mirror first)
			          (mirror second)`,
			{ given: ({ outline, target }) => outline.setShortcut("key", target) },
		);
		expect(result.promoted.map(({ mirrorId }) => mirrorId)).toEqual(expect.arrayContaining([shown, target]));
		expect((await outline.get("key")).id).toBe(target);
	});

	test("puts the origins of deleted mirrors into the list of changed nodes", async () => {
		const { outline, rope } = await prove(
			"rope #rope\nboat #boat\n  (mirror rope)\n  sail #sail\nother\n  (mirror sail)",
			async ({ outline, boat }) => {
				const { revision } = await outline.changes({ since: 0 });
				await outline.delete(boat, { mirrors: "promote" });
				const { nodes } = await outline.changes({ since: revision });
				expect(nodes.map(({ name }) => name).sort()).toEqual(["rope", "sail"]);
			},
			"rope\nother\n  sail",
		);
		expect((await outline.get(rope)).mirror).toBeUndefined();
	});
});

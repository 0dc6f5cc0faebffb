import { describe, expect, test } from "vitest";
import { planted } from "../../../support/outline.js";
import { prove } from "../../../support/prove.js";

describe("a deletion that detaches mirrors", () => {
	test("makes each mirror a node of its own, with a copy of all that was visible below it", async () => {
		const { result, outline, rope, boat, first, second, third } = await prove(
			`
			rope #rope
			trip #trip
			  boat #boat
			    sail #sail
			      (mirror rope)
			    anchor
			plans
			  (mirror boat) #first
			other
			  (mirror boat) #second
			    mine
			  (mirror sail) #third`,
			async ({ outline, trip }) => {
				const plan = await outline.plan.delete(trip, { mirrors: "detach" });
				await outline.delete(trip, { mirrors: "detach" });
				return plan;
			},
			`
			rope
			plans
			  boat
			    sail
			      (mirror rope)
			    anchor
			other
			  boat
			    sail
			      (mirror rope)
			    anchor
			    mine
			  sail
			    (mirror rope)`,
			{ given: ({ outline, boat }) => outline.complete(boat) },
		);
		expect([...result.detached].sort()).toEqual([first, second, third].sort());
		expect(result).toMatchObject({ forbiddenBy: [], promoted: [], copies: 7 });
		expect(result.nodeIds).toContain(boat);
		for (const id of [first, second, third]) expect((await outline.get(id)).mirror).toBeUndefined();
		for (const id of [first, second]) expect((await outline.get(id)).completed).toBe(true);
		expect((await outline.get(rope)).mirror!.mirrorIds).toHaveLength(3);
	});

	test("keeps the order of the copies, with room for the mirror's own children", async () => {
		const { outline, copy } = await prove(
			"a #a\n  b #b\n    d\n  c #c\nshelf\n  (mirror a) #copy\n    own",
			({ outline, a }) => outline.delete(a, { mirrors: "detach" }),
			"shelf\n  a\n    b\n      (mirror c)\n      d\n    c\n    own\n    e",
			{
				given: async ({ outline, a, b, c }) => {
					// This mirror precedes its origin in reading order.
					await outline.mirror(c, { parent: b, position: "top" });
					await outline.create({ parent: a, name: "e", position: "bottom" });
				},
			},
		);
		const { nodes } = await outline.list(copy);
		expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(4);
	});

	test("copies a node at its place, also behind a mirror of it, and what mirrors have of their own", async () => {
		await prove(
			`
			rope #rope
			a #a
			  b
			    c #c
			      d
			  (mirror rope)
			    of the second mirror
			shelf
			  (mirror a)
			of the first mirror #own`,
			({ outline, a }) => outline.delete(a, { mirrors: "detach" }),
			`
			rope
			shelf
			  a
			    (mirror c)
			      of the first mirror
			    b
			      c
			        d
			    (mirror rope)
			      of the second mirror`,
			{
				given: async ({ outline, a, c, own }) => {
					const { id } = await outline.mirror(c, { parent: a, position: "top" });
					await outline.move(own, { parent: id });
				},
			},
		);
	});

	test("gives the children of a copied mirror and of its origin different places below one copy", async () => {
		const { outline, copy } = await prove(
			`
			top #top
			  x #x
			    y
			  a #a
			    (mirror x)
			      e
			shelf
			  (mirror a) #copy`,
			({ outline, top }) => outline.delete(top, { mirrors: "detach" }),
			`
			shelf
			  a
			    x
			      y
			      e
			      e`,
			// It gets the priority that the mirror's own child has, so that their ids say which one is first.
			{ given: ({ outline, x }) => outline.create({ parent: x, name: "e", position: "bottom" }) },
		);
		const { nodes } = await outline.list((await outline.list(copy)).nodes[0]!.id);
		expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(3);
	});

	test("puts the origins of deleted mirrors into the list of changed nodes", async () => {
		const scene = "rope #rope\nboat #boat\n  (mirror rope)\nother\n  (mirror boat)";
		const { outline, rope, boat } = await planted(scene);
		const { revision } = await outline.changes({ since: 0 });
		await outline.delete(boat, { mirrors: "detach" });
		const { nodes } = await outline.changes({ since: revision });
		expect(nodes.find(({ id }) => id === rope)?.mirror).toBeDefined();
	});
});

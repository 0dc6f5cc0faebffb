import { expect, test } from "vitest";
import type { OutlineNode } from "../../../../src/node.js";
import { idOf } from "../../../conformance/records.js";
import { recordAt } from "../../../support/batches.js";
import { dense, places } from "../../../support/dense.js";
import { codeOf, exported, newOutline, picture, plant } from "../../../support/outline.js";

const scene = `
trip #trip
  boat #boat
    sail #sail
other #other
plans #plans`;

test("a plan says what a deletion would take along, and what forbids it, and does nothing", async () => {
	const outline = newOutline();
	const { trip, boat, sail, other, plans } = await plant<"trip" | "boat" | "sail" | "other" | "plans">(outline, scene);
	const inner = (await outline.mirror(other, { parent: trip, position: "bottom" })).id;
	await outline.setShortcut("z", sail);
	await outline.setShortcut("b", boat);
	const before = await exported(outline);
	const plan = await outline.plan.delete(trip.slice(-12));
	expect(plan.nodeIds[0]).toBe(trip);
	expect(plan.nodeIds.indexOf(boat)).toBeLessThan(plan.nodeIds.indexOf(sail));
	expect({ ...plan, nodeIds: [...plan.nodeIds].sort() }).toEqual({
		nodeIds: [trip, boat, sail, inner].sort(),
		mirrorIds: [inner],
		keys: ["b", "z"],
		forbiddenBy: [],
		promoted: [],
		detached: [],
		copies: 0,
	});
	const mirror = (await outline.mirror(boat, { parent: plans })).id;
	expect((await outline.plan.delete("z")).forbiddenBy).toEqual([]);
	expect((await outline.plan.delete(trip)).forbiddenBy).toEqual([mirror]);
	expect(await codeOf(outline.delete(trip))).toBe("has_mirrors");
	await outline.removeMirror(mirror);
	expect(await exported(outline)).toEqual(before);
	await outline.delete(trip);
	expect((await exported(outline)).map(({ id }) => id).sort()).toEqual([other, plans].sort());
	expect((await outline.targets()).filter(({ type }) => type === "shortcut")).toEqual([]);
});

test("a plan for what isn't there, or can't be named so, is refused", async () => {
	const outline = newOutline();
	expect(await codeOf(outline.plan.delete("nowhere"))).toBe("not_found");
	expect(await codeOf(outline.plan.delete("None"))).toBe("unsupported_reference");
	expect(await codeOf(outline.plan.delete("today"))).toBe("not_found");
	await outline.create({ name: "x", parent: "today" });
	expect((await outline.plan.delete("calendar")).keys).toEqual(["2026", "2026-11", "2026-11-21", "calendar"]);
	await outline.close();
	expect(await codeOf(outline.plan.delete("today"))).toBe("closed");
});

const shared = `
rope #rope
trip #trip
  boat #boat
    sail #sail
      (mirror rope)
    anchor #anchor
plans #plans
  (mirror boat) #first
other #other
  (mirror boat) #second
  (mirror sail) #third`;
type Shared = "trip" | "boat" | "sail" | "anchor" | "rope" | "plans" | "first" | "other" | "second" | "third";

test("an origin that would go can be promoted: it takes the place of its oldest mirror", async () => {
	const outline = newOutline();
	const { trip, boat, anchor, sail, plans, first, second, third } = await plant<Shared>(outline, shared);
	await outline.move(anchor, { parent: first });
	await outline.setShortcut("b", first);
	const plan = await outline.plan.delete(trip, { mirrors: "promote" });
	// The mirrors are of the same second, so their ids decide.
	const [taken, kept] = first < second ? [first, second] : [second, first];
	expect(plan).toEqual({
		nodeIds: [trip, taken],
		mirrorIds: [taken],
		keys: [],
		forbiddenBy: [],
		promoted: [{ id: boat, mirrorId: taken }],
		detached: [],
		copies: 0,
	});
	await outline.delete(trip, { mirrors: "promote" });
	expect(await codeOf(outline.get(trip))).toBe("not_found");
	expect(await codeOf(outline.get(taken))).toBe("not_found");
	expect((await outline.get(boat)).mirror).toEqual({ mirrorIds: [kept] });
	expect((await outline.get(sail)).mirror).toEqual({ mirrorIds: [third] });
	expect((await outline.get("b")).id).toBe(taken === first ? boat : first);
	expect((await outline.list(plans)).nodes.map(({ name }) => name)).toEqual(["boat"]);
	const shown = (await outline.list("b")).nodes.map(({ name }) => name);
	expect(shown.sort()).toEqual(["anchor", "sail"]);
	await outline.undo();
	expect((await outline.get("b")).id).toBe(first);
	expect((await outline.get(boat)).parentId).toBe(trip);
});

test.each([
	["the one made first", 20, 10, 6],
	["the one made first, wherever it stands", 10, 20, 5],
	["of those made in one second the one whose id comes first", 10, 10, idOf(5) < idOf(6) ? 5 : 6],
])(
	"the oldest mirror is %s; its keys and its own children go to the origin, behind what is there",
	async (_, fifth, sixth, oldest) => {
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
		const { [idOf(0)]: top, [idOf(oldest)]: replaced, ...others } = before;
		expect(await places(mine)).toEqual({
			...others,
			[boat]: replaced,
			[idOf(7)]: [boat, 2],
			[idOf(8)]: [boat, 3],
		});
		expect((await mine.get("b")).id).toBe(boat);
		expect((await mine.get("c")).id).toBe(idOf(7));
	},
);

test("its mirrors can be detached: each is a node of its own then, with a copy of what was visible below it", async () => {
	const outline = newOutline();
	const { trip, boat, rope, plans, other, first, second, third } = await plant<Shared>(outline, shared);
	await outline.create({ parent: "inbox", name: "mine" });
	await outline.move((await outline.list("inbox")).nodes[0]!.id, { parent: second, position: "bottom" });
	await outline.complete(boat);
	const plan = await outline.plan.delete(trip, { mirrors: "detach" });
	expect([...plan.detached].sort()).toEqual([first, second, third].sort());
	expect(plan).toMatchObject({ forbiddenBy: [], promoted: [] });
	expect(plan.nodeIds).toContain(boat);
	await outline.delete(trip, { mirrors: "detach" });
	for (const id of [trip, boat]) expect(await codeOf(outline.get(id))).toBe("not_found");
	for (const id of [first, second, third]) expect((await outline.get(id)).mirror).toBeUndefined();
	expect(await outline.get(first)).toMatchObject({ name: "boat", completed: true, parentId: plans });
	const [sail, anchor] = (await outline.list(first)).nodes;
	expect([sail!.name, anchor!.name]).toEqual(["sail", "anchor"]);
	expect((await outline.list(sail!.id)).nodes.map(({ mirror }) => mirror)).toEqual([{ originId: rope }]);
	expect((await outline.list(second)).nodes.map(({ name }) => name)).toEqual(["sail", "anchor", "mine"]);
	expect((await outline.list(other)).nodes.map(({ id }) => id)).toEqual([second, third]);
	expect((await outline.get(rope)).mirror).toMatchObject({ mirrorIds: { length: 3 } });
	await outline.undo();
	expect((await outline.get(boat)).mirror).toMatchObject({ mirrorIds: { length: 2 } });
});

test("a policy that isn't one is refused, and within a batch it is the same", async () => {
	const outline = newOutline();
	const { trip, boat } = await plant<Shared>(outline, shared);
	expect(await codeOf(outline.delete(trip, { mirrors: "keep" as never }))).toBe("invalid_argument");
	expect(await codeOf(outline.plan.delete(trip, { mirrors: null as never }))).toBe("invalid_argument");
	expect(await codeOf(outline.delete(trip, { mirrors: "reject" }))).toBe("has_mirrors");
	await outline.batch([
		{ type: "delete", ref: trip, mirrors: "promote" },
		{ type: "delete", ref: boat, mirrors: "detach" },
	]);
	const names = (await exported(outline)).map(({ name }) => name).sort();
	expect(names).toEqual(["anchor", "boat", "other", "plans", "rope", "rope", "rope", "sail", "sail"]);
});

test("an origin below its own mirror is promoted out of what goes", async () => {
	const outline = newOutline();
	const { top, origin, mirror } = await plant<"top" | "origin" | "mirror">(
		outline,
		`
top #top
  origin #origin
shelf
  (mirror origin) #mirror`,
	);
	await outline.move(top, { parent: mirror });
	await outline.delete(top, { mirrors: "promote" });
	expect(await picture(outline)).toBe("shelf\n  origin");
	await outline.undo();
	expect((await outline.get(origin)).parentId).toBe(top);
	// What stays on the way to the origin comes along, below it.
	await outline.move(origin, { parent: (await outline.create({ parent: top, name: "between" })).id });
	const inner = await outline.mirror(top, { parent: origin });
	await outline.delete(top, { mirrors: "promote" });
	expect(await codeOf(outline.get(inner.id))).toBe("not_found");
	expect(await picture(outline)).toBe("shelf\n  origin\n    top\n      between\n        (mirror origin)");
});

test("an origin that is promoted out of one that stays leaves its mirror there", async () => {
	const outline = newOutline();
	const { a, b, outside } = await plant<"a" | "b" | "outside">(
		outline,
		`
a #a
  b #b
    c
shelf
  (mirror b) #outside`,
	);
	const inner = await outline.mirror(a, { parent: b, position: "bottom" });
	// What is the mirror's own goes along with it.
	const own = await outline.create({ name: "own" });
	await outline.move(own.id, { parent: outside });
	const plan = await outline.plan.delete(a, { mirrors: "promote" });
	expect(plan.promoted).toEqual([
		{ id: b, mirrorId: outside },
		{ id: a, mirrorId: inner.id },
	]);
	expect(plan.nodeIds).toEqual([inner.id]);
	await outline.delete(a, { mirrors: "promote" });
	expect(await picture(outline)).toBe("shelf\n  b\n    c\n    a\n      (mirror b)\n        own");
	expect((await outline.get(outside)).parentId).toBe(a);
});

// Each origin leaves a place below the next one, and the last has nowhere to go but below the first.
test.each(["", "  between\n"])(
	"no origin is promoted to below itself, whatever mirrors change places before (%j)",
	async (between) => {
		const outline = newOutline();
		const { top, first, second, deep } = await plant<"top" | "first" | "second" | "deep">(
			outline,
			`
top #top
  first #first
  holder
    second #second
shelf
  (mirror second) #deep`,
		);
		let under = deep;
		if (between !== "") under = (await outline.create({ parent: second, name: "between" })).id;
		await outline.move(under, { parent: deep }).catch(() => {});
		const copy = await outline.mirror(first, { parent: (await outline.list()).nodes[0]!.id });
		await outline.move(copy.id, { parent: under });
		await outline.mirror(top, { parent: first });
		const before = await exported(outline);
		await outline.delete(top, { mirrors: "promote" });
		expect(await outline.verify()).toMatchObject({ problems: [] });
		const indent = between === "" ? "" : "  ";
		expect(await picture(outline)).toBe(
			`shelf\n  second\n${between && "    between\n"}${indent}    first\n${indent}      top\n${indent}        (mirror first)\n${indent}        holder\n${indent}          (mirror second)`,
		);
		await outline.undo();
		const byId = (nodes: OutlineNode[]) => nodes.sort((one, other) => (one.id < other.id ? -1 : 1));
		expect(byId(await exported(outline))).toEqual(byId(before));
	},
);

test("an origin leaves its mirror in its place even where that comes to be below what was moved into the mirror", async () => {
	const outline = newOutline();
	const { top, first, second, moved, shown, target } = await plant<
		"top" | "first" | "second" | "moved" | "shown" | "target"
	>(
		outline,
		`
top #top
  first #first
  second #second
    below
moved #moved
  (mirror first) #shown
shelf
  (mirror second) #target`,
	);
	await outline.mirror(top, { parent: first });
	await outline.setShortcut("key", target);
	await outline.move(moved, { parent: target });
	const plan = await outline.plan.delete(top, { mirrors: "promote" });
	expect(plan.promoted.map(({ mirrorId }) => mirrorId)).toEqual(expect.arrayContaining([shown, target]));
	expect((await outline.list(shown)).nodes[0]!.name).toBe("top");
	await outline.delete(top, { mirrors: "promote" });
	expect(await picture(outline)).toBe(
		"shelf\n  second\n    moved\n      first\n        top\n          (mirror first)\n          (mirror second)\n    below",
	);
	expect((await outline.get("key")).id).toBe(target);
	expect((await outline.get(second)).parentId).not.toBe(top);
	expect(await outline.verify()).toMatchObject({ problems: [] });
	await outline.undo();
	expect((await outline.get(second)).parentId).toBe(top);
});

test("a detached copy keeps its shape, and has room for what was moved into the mirror", async () => {
	const outline = newOutline();
	const { a, c, shelf, copy } = await plant<"a" | "c" | "shelf" | "copy">(
		outline,
		`
a #a
  b
    d
  c #c
shelf #shelf
  (mirror a) #copy`,
	);
	// It comes before its origin in reading order.
	const [b] = (await outline.list(a)).nodes;
	await outline.mirror(c, { parent: b!.id, position: "top" });
	const first = await outline.create({ parent: shelf, name: "own" });
	await outline.move(first.id, { parent: copy, position: "bottom" });
	await outline.create({ parent: a, name: "e", position: "bottom" });
	await outline.delete(a, { mirrors: "detach" });
	expect(await picture(outline)).toBe("shelf\n  a\n    b\n      (mirror c)\n      d\n    c\n    own\n    e");
	const { nodes } = await outline.list(copy);
	expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(4);
});

test("whoever follows the changes hears of an origin elsewhere that has lost its mirror", async () => {
	const outline = newOutline();
	const { trip, boat, rope } = await plant<Shared>(outline, shared);
	const { revision } = await outline.changes({ since: 0 });
	await outline.delete(trip, { mirrors: "promote" });
	await outline.delete(boat, { mirrors: "detach" });
	const { nodes } = await outline.changes({ since: revision });
	expect(nodes.find(({ id }) => id === rope)?.mirror).toBeDefined();
});

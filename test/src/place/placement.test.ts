import { describe, expect, test } from "vitest";
import type { OutlineError } from "../../../src/errors.js";
import type { Outline } from "../../../src/outline.js";
import type { Position } from "../../../src/place/priority.js";
import { codeOf, exported, newOutline, picture, plant } from "../../support/outline.js";

const scene = `
parent #parent
  one #one
  two #two
  three #three
    below #below
other #other
  (mirror parent) #mirror`;

type Mark = "parent" | "one" | "two" | "three" | "below" | "other" | "mirror";

async function planted() {
	const outline = newOutline();
	return { outline, ...(await plant<Mark>(outline, scene)) };
}

async function names(outline: Outline, parent: string | null): Promise<string[]> {
	return (await outline.list(parent)).nodes.map(({ name }) => name);
}

describe("a position beside a sibling", () => {
	test("is where a node is created, with the parent said, by any reference, or left out", async () => {
		const { outline, parent, one, three } = await planted();
		await outline.create({ name: "a", position: { before: one } });
		await outline.create({ name: "b", parent, position: { after: one.slice(-12).toUpperCase() } });
		await outline.setShortcut("third", three);
		await outline.create({ name: "c\n- d", parent: parent.slice(-12), position: { after: "third" } });
		await outline.create({ name: "e", position: { before: parent } });
		await outline.create({ name: "f", parent: null, position: { after: parent } });
		expect(await names(outline, parent)).toEqual(["a", "one", "b", "two", "three", "c"]);
		expect(await names(outline, null)).toEqual(["e", "parent", "f", "other"]);
		expect(await picture(outline)).toContain("  c\n    d");
	});

	test("is where a node moves, within its parent, into another, and to the top level", async () => {
		const { outline, parent, one, two, three, below, other } = await planted();
		await outline.move(three, { position: { before: one } });
		expect(await names(outline, parent)).toEqual(["three", "one", "two"]);
		await outline.move(three, { parent, position: { after: one } });
		expect(await names(outline, parent)).toEqual(["one", "three", "two"]);
		await outline.move(below, { position: { after: two } });
		expect(await names(outline, parent)).toEqual(["one", "three", "two", "below"]);
		await outline.move(two, { parent: "None", position: { after: parent } });
		expect(await names(outline, null)).toEqual(["parent", "two", "other"]);
		await outline.move(other, { position: { before: parent } });
		expect(await names(outline, null)).toEqual(["other", "parent", "two"]);
	});

	test("where the node is already changes nothing", async () => {
		const { outline, one, two } = await planted();
		// Not in the middle between its neighbours, where it would be put now.
		const node = await outline.create({ name: "x", position: { after: one } });
		const between = await outline.create({ name: "y", position: { after: node.id } });
		await outline.delete(between.id);
		const { id } = await outline.create({ name: "z", position: { after: node.id } });
		await outline.delete(node.id);
		const before = await exported(outline);
		for (const position of [{ after: one }, { before: two }]) {
			expect(await outline.move(id, { position })).toEqual(await outline.get(id));
		}
		expect(await exported(outline)).toEqual(before);
	});

	test("is where a mirror is put", async () => {
		const { outline, parent, one, two, other } = await planted();
		const mirror = await outline.mirror(other, { parent, position: { after: one } });
		expect((await outline.list(parent)).nodes.map(({ id }) => id).slice(0, 3)).toEqual([one, mirror.id, two]);
	});

	test("is among what is visible under a mirror, whosever child it is", async () => {
		const { outline, parent, one, two, mirror } = await planted();
		const own = await outline.create({ name: "own" });
		await outline.move(own.id, { parent: mirror, position: { after: one } });
		expect(await names(outline, mirror)).toEqual(["one", "own", "two", "three"]);
		expect(await names(outline, parent)).toEqual(["one", "two", "three"]);
		// Created under the mirror, it is a child of the origin, and stands beside the mirror's own child.
		await outline.create({ name: "before own", parent: mirror, position: { before: own.id } });
		await outline.create({ name: "after own", position: { after: own.id } });
		expect(await names(outline, mirror)).toEqual(["one", "before own", "own", "after own", "two", "three"]);
		expect(await names(outline, parent)).toEqual(["one", "before own", "after own", "two", "three"]);
		await outline.move(two, { parent: mirror, position: { before: one } });
		expect(await names(outline, mirror)).toEqual(["two", "one", "before own", "own", "after own", "three"]);
		expect(await names(outline, parent)).toEqual(["one", "before own", "after own", "three"]);
	});

	test("holds beside a sibling of the same priority, which only a mirror's view may have", async () => {
		for (const side of ["before", "after"] as const) {
			for (const whose of ["the mirror's", "the origin's"]) {
				const { outline, parent, mirror } = await planted();
				const own = await outline.create({ name: "own" });
				const moved = await outline.move(own.id, { parent: mirror, position: "bottom" });
				const twin = await outline.create({ name: "twin", parent, position: "bottom" });
				expect(twin.priority).toBe(moved.priority);
				await outline.create({ name: "near", position: { before: twin.id } });
				const sibling = whose === "the mirror's" ? own.id : twin.id;
				const position = side === "after" ? { after: sibling } : { before: sibling };
				const node = await outline.create({ name: "beside", parent: mirror, position });
				const ids = (await outline.list(mirror)).nodes.map(({ id }) => id);
				expect(ids.indexOf(node.id) - ids.indexOf(sibling)).toBe(side === "after" ? 1 : -1);
			}
		}
	});

	test("gives a node that comes under a mirror a priority that no child of the mirror's own has", async () => {
		const { outline, parent, three, mirror } = await planted();
		const own = await outline.create({ name: "own" });
		await outline.move(own.id, { parent: mirror, position: "bottom" });
		const twin = await outline.create({ name: "twin", parent, position: "bottom" });
		const sibling = twin.id < own.id ? three : own.id;
		await outline.move(twin.id, { parent: mirror, position: { after: sibling } });
		const priorities = [await outline.get(own.id), await outline.get(twin.id)].map(({ priority }) => priority);
		expect(new Set(priorities).size).toBe(2);
	});

	test("takes a thousand nodes at one spot, one after the other, with distinct integers for priorities", async () => {
		for (const side of ["before", "after"] as const) {
			const { outline, parent, one, two } = await planted();
			const sibling = side === "before" ? two : one;
			const position = (side === "before" ? { before: sibling } : { after: sibling }) as Position;
			for (let number = 0; number < 1000; number++) await outline.create({ name: `${number}`, position });
			const { nodes } = await outline.list(parent);
			const numbers = Array.from({ length: 1000 }, (_, number) => `${number}`);
			const expected = side === "before" ? numbers : numbers.toReversed();
			expect(nodes.map(({ name }) => name)).toEqual(["one", ...expected, "two", "three"]);
			expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(nodes.length);
			expect(nodes.every(({ priority }) => Number.isSafeInteger(priority))).toBe(true);
		}
	});
});

describe("a position that can't be had", () => {
	test("is refused by its form", async () => {
		const { outline, one, two } = await planted();
		const refused = ["middle", 1, null, {}, { before: one, after: two }, { before: null }, { after: 1 }, []];
		for (const position of refused) {
			const create = outline.create({ name: "x", position: position as unknown as Position });
			expect(await codeOf(create)).toBe("invalid_argument");
		}
		for (const [reference, code] of [
			["", "invalid_reference"],
			["None", "unsupported_reference"],
			["nowhere", "not_found"],
			["0123456789ab", "not_found"],
			["today", "not_found"],
			["2026-13", "invalid_reference"],
		] as const) {
			expect(await codeOf(outline.create({ name: "x", position: { before: reference } }))).toBe(code);
			expect(await codeOf(outline.move(one, { position: { after: reference } }))).toBe(code);
		}
	});

	test("is refused where the sibling stands elsewhere, and nothing is changed, calendar included", async () => {
		const { outline, parent, one, below, other, mirror } = await planted();
		const before = await exported(outline);
		const elsewhere: { parent: string | null; position: Position }[] = [
			{ parent: null, position: { before: one } },
			{ parent, position: { before: below } },
			{ parent: mirror, position: { after: other } },
			{ parent: "today", position: { after: one } },
			{ parent: "inbox", position: { after: one } },
		];
		for (const place of elsewhere) {
			expect(await codeOf(outline.create({ name: "x", ...place }))).toBe("invalid_argument");
			expect(await codeOf(outline.move(other, place))).toBe("invalid_argument");
		}
		expect(await codeOf(outline.create({ name: "x", parent: "nowhere", position: { before: one } }))).toBe("not_found");
		expect(await codeOf(outline.mirror(below, { parent, position: { before: other } }))).toBe("invalid_argument");
		expect(await exported(outline)).toEqual(before);
		const message = await outline.create({ name: "x", parent, position: { before: below } }).catch((error) => error);
		expect((message as OutlineError).message).toContain(below);
	});

	test("is refused where it would make a cycle, or is the node itself", async () => {
		const { outline, parent, one, below, three, mirror } = await planted();
		expect(await codeOf(outline.move(three, { position: { before: below } }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move(parent, { position: { before: one } }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move(mirror, { position: { before: one } }))).toBe("would_create_cycle");
		expect(await codeOf(outline.mirror(parent, { parent, position: { before: one } }))).toBe("would_create_cycle");
		expect(await codeOf(outline.move(one, { position: { before: one } }))).toBe("invalid_argument");
		// Beside a sibling, a node may stay under a parent that shows the same origin only if it was there before.
		expect(await codeOf(outline.move(one, { parent: mirror, position: { after: three } }))).toBeUndefined();
	});
});

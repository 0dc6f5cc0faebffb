import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { paged } from "../../conformance/wrapped.js";
import { codeOf, exported, newOutline, picture } from "../../support/outline.js";

describe("ensure", () => {
	test.each([
		["inbox", ["Inbox"]],
		["calendar", ["Calendar"]],
		["2027", ["Calendar", "2027"]],
		["2027-02", ["Calendar", "2027", "February"]],
		["today", ["Calendar", "2026", "November", "Sat, Nov 21, 2026"]],
		["tomorrow", ["Calendar", "2026", "November", "Sun, Nov 22, 2026"]],
		["next_week", ["Calendar", "2026", "November", "Mon, Nov 23, 2026"]],
		["2026-12-01", ["Calendar", "2026", "December", "Tue, Dec 1, 2026"]],
	])("makes the node of %s in one step, and returns it as it is from then on", async (key, names) => {
		const outline = newOutline();
		const node = await outline.ensure(key);
		expect(node).toEqual(await outline.get(key));
		const nodes = await exported(outline);
		expect(nodes.map(({ name }) => name.replace(/<.*?>/g, "")).sort()).toEqual([...names].sort());
		expect(outline.history).toEqual({ undo: 1, redo: 0 });
		const events: unknown[] = [];
		outline.subscribe((event) => events.push(event));
		expect(await outline.ensure(key)).toEqual(node);
		expect(outline.history.undo).toBe(1);
		expect(events).toEqual([]);
		expect(await exported(outline)).toEqual(nodes);
	});

	test("can be undone and redone, and keeps its node if another client has put a node into it", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		await outline.ensure("2026");
		const { id } = await outline.ensure("today");
		expect(await outline.undo()).toMatchObject({ operation: "ensure" });
		expect(await codeOf(outline.get("today"))).toBe("not_found");
		expect((await outline.get("2026")).name).toBe("2026");
		await outline.redo();
		expect((await outline.get("today")).id).toBe(id);
		await newOutline({ storage }).create({ name: "another's", parent: "today" });
		expect(await outline.undo()).toEqual({ operation: "ensure", nodeIds: [] });
		expect((await outline.get("today")).id).toBe(id);
		expect((await outline.verify()).total).toBe(0);
	});

	test("keeps its node and the nodes above it when it is undone, if a node is below them by then", async () => {
		const outline = newOutline({ now: () => Date.UTC(2026, 10, 21) });
		await outline.ensure("2026-11");
		await outline.create({ parent: "today", name: "boat" });
		await outline.undo();
		const before = await picture(outline);
		expect(before).toMatch(/^Calendar\n {2}2026\n {4}November\n {6}\S.*$/);
		expect(await outline.undo()).toEqual({ operation: "ensure", nodeIds: [] });
		expect(await picture(outline)).toBe(before);
		expect((await outline.redo())?.operation).toBe("ensure");
		expect((await outline.redo())?.operation).toBe("create");
		expect(await picture(outline)).toBe(`${before}\n        boat`);
	});

	test("returns any other node as it is, and makes none for it", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		await outline.setShortcut("key", id);
		for (const ref of [id, id.slice(-12), "key"]) expect(await outline.ensure(ref)).toEqual(await outline.get(id));
		const codes = ["nowhere", "None", "", "2026-13", 5].map((ref) => codeOf(outline.ensure(ref as string)));
		expect(await Promise.all(codes)).toEqual([
			"not_found",
			"unsupported_reference",
			"invalid_reference",
			"invalid_reference",
			"invalid_argument",
		]);
		expect(await exported(outline)).toHaveLength(1);
	});

	test("makes one node however many ask at once", async () => {
		const storage = createMemoryStorage();
		const outlines = [newOutline({ storage }), newOutline({ storage: paged(storage) }), newOutline({ storage })];
		const nodes = await Promise.all(outlines.flatMap((outline) => [outline.ensure("today"), outline.ensure("inbox")]));
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(2);
		expect(await exported(outlines[0]!)).toHaveLength(5);
	});

	test("is an operation of batches, whose node has a name there", async () => {
		const outline = newOutline();
		const { results, ids } = await outline.batch([
			{ type: "ensure", ref: "2026-12-24", as: "eve" },
			{ type: "create", parent: { as: "eve" }, name: "tree" },
			{ type: "ensure", ref: "2026-12-24" },
		]);
		expect(ids.eve).toBe((await outline.get("2026-12-24")).id);
		expect(results[2]).toMatchObject({ id: ids.eve });
		await outline.undo();
		expect(await exported(outline)).toEqual([]);
	});

	test("makes nothing outside of a scope, and in a scope what belongs there", async () => {
		const outline = newOutline();
		const home = await outline.create({ name: "home" });
		const scope = outline.scope(home.id, { write: true });
		expect(await codeOf(scope.ensure("today"))).toBe("not_found");
		expect(await codeOf(outline.scope(home.id).ensure("today"))).toBe("forbidden");
		const before = await picture(outline);
		const month = await outline.ensure("2026-12");
		const inMonth = outline.scope(month.id, { write: true });
		expect((await inMonth.ensure("2026-12-01")).parentId).toBe(month.id);
		expect(await codeOf(inMonth.ensure("2027-01-01"))).toBe("not_found");
		expect((await outline.get("2026-12-01")).parentId).toBe(month.id);
		await outline.delete("calendar");
		expect(await picture(outline)).toBe(before);
	});
});

test("today is the key of the day in the outline's zone", () => {
	const now = () => Date.parse("2026-11-21T23:30:00Z");
	expect(newOutline({ now }).today()).toBe("2026-11-21");
	expect(newOutline({ now, timeZone: "Europe/Berlin" }).today()).toBe("2026-11-22");
});

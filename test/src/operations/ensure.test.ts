import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { paged } from "../../conformance/wrapped.js";
import { codeOf, exported, newOutline, picture, twoOutlines } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged } from "../../support/prove.js";

const day = (date: string, text: string) => `      <time datetime="${date}">${text}</time>`;

describe("ensure", () => {
	test.each([
		["inbox", "Inbox"],
		["calendar", "Calendar"],
		["2027", "Calendar\n  2027"],
		["2027-02", "Calendar\n  2027\n    February"],
		["today", `Calendar\n  2026\n    November\n${day("2026-11-21", "Sat, Nov 21, 2026")}`],
		["tomorrow", `Calendar\n  2026\n    November\n${day("2026-11-22", "Sun, Nov 22, 2026")}`],
		["next_week", `Calendar\n  2026\n    November\n${day("2026-11-23", "Mon, Nov 23, 2026")}`],
		["2026-12-01", `Calendar\n  2026\n    December\n${day("2026-12-01", "Tue, Dec 1, 2026")}`],
	])("creates the node of %s in one step, and returns the existing node after that", async (key, expected) => {
		const { result, outline } = await prove("", ({ outline }) => outline.ensure(key), expected);
		expect(outline.history.undo).toBe(1);
		expect(result).toEqual(await outline.get(key));
		const given: OperationOn<""> = ({ outline }) => outline.ensure(key);
		await proveUnchanged("", ({ outline }) => outline.ensure(key), { given });
	});

	test.each(["full id", "short id", "shortcut"])("returns the node of a %s", async (form) => {
		const { result, outline, x } = await proveUnchanged(
			"x #x",
			({ outline, x }) => outline.ensure({ "full id": x, "short id": x.slice(-12) }[form] ?? "key"),
			{ given: ({ outline, x }) => outline.setShortcut("key", x) },
		);
		expect(result).toEqual(await outline.get(x));
	});

	test.each([
		["nowhere", "not_found"],
		["None", "unsupported_reference"],
		["", "invalid_reference"],
		["2026-13", "invalid_reference"],
		[5, "invalid_argument"],
	])("refuses %j with %s", async (ref, code) => {
		await proveRefusal("x", ({ outline }) => outline.ensure(ref as string), code);
	});

	test("undone deletes its node, unless another client has put a node into it", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		await outline.ensure("2026");
		const { id } = await outline.ensure("today");
		expect(await outline.undo()).toMatchObject({ operation: "ensure" });
		expect(await codeOf(outline.get("today"))).toBe("not_found");
		expect((await outline.get("2026")).name).toBe("2026");
		await outline.redo();
		await newOutline({ storage }).create({ name: "another's", parent: "today" });
		expect(await outline.undo()).toEqual({ operation: "ensure", nodeIds: [] });
		expect((await outline.get("today")).id).toBe(id);
		expect((await outline.verify()).total).toBe(0);
	});

	test("undone keeps its node and the nodes above it if there is a node below them", async () => {
		const outline = newOutline();
		await outline.ensure("2026-11");
		await outline.create({ parent: "today", name: "boat" });
		await outline.undo();
		const before = await picture(outline);
		expect(before).toBe(`Calendar\n  2026\n    November\n${day("2026-11-21", "Sat, Nov 21, 2026")}`);
		expect(await outline.undo()).toEqual({ operation: "ensure", nodeIds: [] });
		expect(await picture(outline)).toBe(before);
		expect((await outline.redo())?.operation).toBe("ensure");
		expect((await outline.redo())?.operation).toBe("create");
		expect(await picture(outline)).toBe(`${before}\n        boat`);
	});

	test("undone keeps a node that another client has edited, if there is a node below it", async () => {
		const [outline, another] = twoOutlines();
		await outline.ensure("2026-11");
		await another.create({ parent: "today", name: "boat" });
		await another.update("2026-11", { note: "theirs" });
		const before = await picture(outline);
		expect(await outline.undo()).toEqual({ operation: "ensure", nodeIds: [] });
		expect(await picture(outline)).toBe(before);
		expect((await outline.get("2026-11")).note).toBe("theirs");
	});

	test("creates one node if several clients call it at once", async () => {
		const storage = createMemoryStorage();
		const outlines = [newOutline({ storage }), newOutline({ storage: paged(storage) }), newOutline({ storage })];
		const nodes = await Promise.all(outlines.flatMap((outline) => [outline.ensure("today"), outline.ensure("inbox")]));
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(2);
		expect(await exported(outlines[0]!)).toHaveLength(5);
	});

	test("in a batch can name its node for later operations", async () => {
		const { result, outline } = await prove(
			"",
			({ outline }) =>
				outline.batch([
					{ type: "ensure", ref: "2026-12", as: "month" },
					{ type: "create", parent: { as: "month" }, name: "tree" },
					{ type: "ensure", ref: "2026-12" },
				]),
			"Calendar\n  2026\n    December\n      tree",
		);
		expect(result.ids.month).toBe((await outline.get("2026-12")).id);
		expect(result.results[2].id).toBe(result.ids.month);
		await outline.undo();
		expect(await exported(outline)).toEqual([]);
	});

	test("in a scope creates only nodes below it", async () => {
		const outline = newOutline();
		const home = await outline.create({ name: "home" });
		expect(await codeOf(outline.scope(home.id, { write: true }).ensure("today"))).toBe("not_found");
		expect(await codeOf(outline.scope(home.id).ensure("today"))).toBe("forbidden");
		const month = await outline.ensure("2026-12");
		const inMonth = outline.scope(month.id, { write: true });
		expect((await inMonth.ensure("2026-12-01")).parentId).toBe(month.id);
		expect(await codeOf(inMonth.ensure("2027-01-01"))).toBe("not_found");
		expect((await outline.get("2026-12-01")).parentId).toBe(month.id);
		expect(await exported(outline)).toHaveLength(5);
	});
});

test("today is the key of the day in the outline's zone", () => {
	const now = () => Date.parse("2026-11-21T23:30:00Z");
	expect(newOutline({ now }).today()).toBe("2026-11-21");
	expect(newOutline({ now, timeZone: "Europe/Berlin" }).today()).toBe("2026-11-22");
});

import { describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import { countedIds, numberedId } from "../../support/ids.js";
import { beforeCommits } from "../../support/interrupted.js";
import { codeOf, exported, namesBelow, newOutline, picture } from "../../support/outline.js";
import { prove, proveRefusal } from "../../support/prove.js";
import { turnsDuring, turnsUntil } from "../../support/turns.js";

describe("a batch", () => {
	test("does its operations in order, and refers by names to the nodes that it creates", async () => {
		const { result, outline } = await prove(
			"old #old\n  child",
			({ outline, old }) =>
				outline.batch([
					{ type: "create", as: "trip", name: "# Trip" },
					{ type: "create", as: "boat", parent: { as: "trip" }, name: "boat" },
					{ type: "create", parent: { as: "trip" }, name: "tent", position: { after: { as: "boat" } } },
					{ type: "move", ref: old, parent: { as: "trip" }, position: { before: { as: "boat" } } },
					{ type: "update", ref: { as: "boat" }, name: "*boat*", format: "markdown", note: "red" },
					{ type: "complete", ref: { as: "boat" } },
					{ type: "create", as: "list", name: "list", position: "bottom" },
					{ type: "mirror", as: "mirror", ref: { as: "boat" }, parent: { as: "list" } },
					{ type: "setShortcut", key: "t", ref: { as: "trip" } },
					{ type: "create", parent: "t", name: "last", position: "bottom" },
					{ type: "create", parent: "2026", name: "call", completed: true },
				]),
			`
			Trip
			  old
			    child
			  <i>boat</i>
			  tent
			  last
			list
			  (mirror <i>boat</i>)
			Calendar
			  2026
			    call`,
		);
		const boat = "<i>boat</i>";
		expect(result.results.map((each) => each?.name ?? null)).toEqual([
			"Trip",
			"boat",
			"tent",
			"old",
			boat,
			boat,
			"list",
			boat,
			null,
			"last",
			"call",
		]);
		expect(result.results.at(-1)?.completed).toBe(true);
		expect(Object.keys(result.ids)).toEqual(["trip", "boat", "list", "mirror"]);
		expect(await outline.get(result.ids.mirror)).toEqual(result.results[7]);
		expect((await outline.get("t")).id).toBe(result.ids.trip);
	});

	test("is one commit and one event, also if it deletes nodes that it has created", async () => {
		const storage = createMemoryStorage();
		const { outline } = await prove(
			"",
			({ outline }) =>
				outline.batch([
					{ type: "create", as: "a", name: "a" },
					{ type: "create", as: "gone", name: "gone\n- too" },
					{ type: "setShortcut", key: "x", ref: { as: "gone" } },
					{ type: "delete", ref: { as: "gone" } },
					{ type: "update", ref: { as: "a" }, name: "b", completed: true },
				]),
			"b",
			{ storage },
		);
		expect(outline.history.undo).toBe(1);
		expect((await outline.list()).nodes[0]?.completed).toBe(true);
		expect(await codeOf(outline.get("x"))).toBe("not_found");
		const { revision } = await storage.read([]);
		await outline.batch([]);
		await outline.batch([
			{ type: "create", as: "c", name: "c" },
			{ type: "delete", ref: { as: "c" } },
		]);
		expect((await storage.read([])).revision).toBe(revision);
	});

	test("changes nothing if one of its operations fails, and the error names that operation", async () => {
		const error = await proveRefusal(
			"one #one\n  two",
			({ outline, one }) =>
				outline.batch([
					{ type: "create", parent: "today", name: "x" },
					{ type: "delete", ref: one },
					{ type: "complete", ref: one },
					{ type: "create", name: "y" },
				]),
			"not_found",
		);
		expect(error.operation).toBe(2);
		expect(error.message).toMatch(/^operations\[2\] \(complete\): /);
	});

	test("keeps the mirrors that an error lists", async () => {
		const error = await proveRefusal(
			"",
			({ outline }) =>
				outline.batch([
					{ type: "create", as: "a", name: "a" },
					{ type: "create", as: "b", name: "b" },
					{ type: "mirror", as: "m", ref: { as: "a" }, parent: { as: "b" } },
					{ type: "delete", ref: { as: "a" } },
				]),
			"has_mirrors",
		);
		expect(error).toMatchObject({ operation: 3, mirrorIds: [expect.any(String)] });
	});

	const create = { type: "create", as: "a", name: "a" };
	test.each<[string, number | undefined, unknown]>([
		["invalid_argument", undefined, undefined],
		["invalid_argument", undefined, {}],
		["invalid_argument", 0, [null]],
		["invalid_argument", 0, new Array(2)],
		["invalid_argument", 0, ["create"]],
		["invalid_argument", 0, [{ name: "a" }]],
		["invalid_argument", 0, [{ type: "constructor" }]],
		["invalid_argument", 1, [create, create]],
		["invalid_argument", 1, [create, { type: "complete", ref: { as: "b" } }]],
		["invalid_argument", 0, [{ type: "complete", ref: { as: "a" } }, create]],
		["invalid_argument", 0, [{ ...create, parent: { as: "a" } }]],
		["invalid_argument", 0, [{ ...create, as: "" }]],
		["invalid_argument", 0, [{ ...create, as: 1 }]],
		["invalid_argument", 0, [{ ...create, format: "rtf" }]],
		["invalid_argument", 1, [create, { type: "complete", ref: { as: 1 } }]],
		["invalid_argument", 1, [create, { type: "complete", ref: { as: "a" }, as: "c" }]],
		["invalid_argument", 1, [create, { type: "create" }]],
		["unsupported_reference", 1, [create, { type: "complete", ref: "None" }]],
		["reserved_key", 1, [create, { type: "setShortcut", key: "today", ref: { as: "a" } }]],
		["unsupported_reference", 1, [create, { type: "mirror", ref: { as: "a" }, parent: "inbox" }]],
	])("fails with %s at operation %s: %j", async (code, operation, operations) => {
		const error = await proveRefusal("", ({ outline }) => outline.batch(operations as BatchOperation[]), code);
		expect(error.operation).toBe(operation);
	});

	test("names its nodes for its own operations only", async () => {
		await proveRefusal("", ({ outline }) => outline.get({ as: "a" } as unknown as string), "invalid_argument");
	});

	test("finds the cycles of the tree as its earlier operations have changed it", async () => {
		const scene = "a\n  b #b\n    c #c\nd #d";
		const error = await proveRefusal(
			scene,
			({ outline, b, c, d }) =>
				outline.batch([
					{ type: "move", ref: b, parent: d },
					{ type: "move", ref: d, parent: c },
				]),
			"would_create_cycle",
		);
		expect(error.operation).toBe(1);
		await prove(
			scene,
			({ outline, b, c }) =>
				outline.batch([
					{ type: "move", ref: c, parent: null },
					{ type: "move", ref: b, parent: c },
				]),
			"c\n  b\na\nd",
		);
	});

	test("puts a month in its place among the months that it hasn't deleted", async () => {
		await prove(
			"",
			({ outline }) =>
				outline.batch([
					{ type: "delete", ref: "2026-03" },
					{ type: "create", parent: "2026-09", name: "x" },
					{ type: "create", parent: "2026-05", name: "y" },
					{ type: "create", parent: "2026-03", name: "z" },
					{ type: "delete", ref: "2026-09" },
					{ type: "create", parent: "2026-08", name: "w" },
				]),
			`
			Calendar
			  2026
			    March
			      z
			    May
			      y
			    July
			      old
			    August
			      w`,
			{
				given: async ({ outline }) => {
					for (const parent of ["2026-03", "2026-07"]) await outline.create({ parent, name: "old" });
				},
			},
		);
	});

	test("works on nodes that it creates by ids that the host knows before, and on no node that it has deleted", async () => {
		const outline = newOutline({ generateId: countedIds((drawn) => drawn) });
		await outline.create({ name: "old" });
		const last = { type: "create", parent: numberedId(2).toUpperCase(), name: "last", position: "bottom" } as const;
		await outline.batch([
			{ type: "create", name: "first" },
			{ type: "createTree", name: "tree", children: [{ name: "child" }] },
			{ type: "move", ref: numberedId(3), parent: numberedId(1) },
			last,
		]);
		expect(await picture(outline)).toBe("tree\n  last\nfirst\n  child\nold");
		const gone = [
			{ type: "complete", ref: numberedId(1) } as const,
			{ type: "delete", ref: numberedId(2) } as const,
			last,
		];
		await expect(outline.batch(gone)).rejects.toMatchObject({ code: "not_found", operation: 2 });
		await expect(outline.batch([...gone].reverse())).resolves.toBeDefined();
		expect(await picture(outline)).toBe("first\n  child\nold");
	});

	test("may be large", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const operations = Array.from({ length: 30_000 }, (_, number): BatchOperation => {
			const parent = number === 0 ? null : { as: `${Math.floor((number - 1) / 8)}` };
			return { type: "create", as: `${number}`, name: `node ${number}`, parent, position: "bottom" };
		});
		const { ids } = await outline.batch(operations);
		expect(await exported(outline)).toHaveLength(30_000);
		expect(await namesBelow(outline, ids["12"]!)).toEqual(
			Array.from({ length: 8 }, (_, place) => `node ${97 + place}`),
		);
	});

	test("is read in slices if it is long, as it was at the time of the call, and refused as a short one is", async () => {
		const children = [{ name: "child" }];
		const tree = { type: "createTree", parent: { as: "inbox" }, name: "# tree", children } as const;
		const position = { after: { as: "inbox" } };
		const long = (last: BatchOperation): BatchOperation[] => [
			...Array.from({ length: 20_000 }, (): BatchOperation => ({ type: "ensure", ref: "inbox" })),
			{ type: "ensure", ref: "inbox", as: "inbox" },
			tree,
			last,
		];
		const outline = newOutline();
		const operations = long({ type: "create", name: "end", position });
		const doing = outline.batch(operations);
		children.pop();
		Object.assign(tree, { name: "another", parent: null });
		position.after.as = "another";
		operations.length = 0;
		expect((await doing).results.length).toBe(20_003);
		expect(await picture(outline)).toBe("Inbox\n  tree\n    child\nend");

		Object.assign(tree, { parent: { as: "inbox" } });
		const wrong = long({ type: "update", ref: "inbox", name: "x", colour: "red" } as BatchOperation);
		await expect(outline.batch(wrong)).rejects.toMatchObject({ code: "invalid_argument", operation: 20_002 });
		expect(await picture(outline)).toBe("Inbox\n  tree\n    child\nend");

		const few = await turnsDuring(() => outline.batch([{ type: "complete", ref: "inbox" }]));
		const many = await turnsDuring(() => codeOf(outline.batch(wrong)));
		expect(many).toBeGreaterThan(few + 20_000 / 256 / 2);
	});

	test("reads many short texts with markup in slices", async () => {
		const outline = newOutline();
		await outline.preload();
		const turnsWith = (count: number) => {
			const creates = Array.from({ length: count }, () => ({ type: "create", name: "*a*" }) as const);
			return turnsUntil(codeOf(outline.batch([{ type: "create", name: "*a*", parent: "nowhere" }, ...creates])));
		};
		let now = Date.now();
		const clock = vi.spyOn(Date, "now").mockImplementation(() => now++);
		try {
			// Each text asks for the time once or twice, and a slice has six milliseconds.
			expect(await turnsWith(900)).toBeGreaterThan((await turnsWith(300)) + 600 / 6 / 2);
		} finally {
			clock.mockRestore();
		}
	});

	test("draws free ids for all of its nodes at once", async () => {
		const storage = createMemoryStorage();
		const drawing = (...numbers: number[]) =>
			newOutline({ storage, generateId: countedIds((drawn) => numbers[drawn]!) });
		await drawing(1, 2, 7).create({ name: "a\n\nb\n\nc" });
		// 1, 2 and 7 belong to other nodes; the host draws 7 in place of 2, and 4 and 1 twice.
		const outline = drawing(3, 1, 4, 2, 4, 1, 5, 7, 6);
		const names = ["d", "e", "f", "g"];
		const { results } = await outline.batch(names.map((name) => ({ type: "create", name, position: "bottom" })));
		expect(results.map((result) => result!.id)).toEqual([3, 5, 4, 6].map(numberedId));
		expect((await exported(outline)).map(({ name }) => name)).toEqual(["a", "b", "c", ...names]);
	});

	test("changes nothing if all ids that it draws belong to other nodes", async () => {
		const storage = createMemoryStorage();
		const taken = await newOutline({ storage }).create({ name: "a" });
		let drawn = 0;
		const generateId = () => `${String(drawn++).padStart(8, "0")}${taken.id.slice(8)}`;
		const outline = newOutline({ storage, generateId });
		const operations = ["b", "c"].map((name) => ({ type: "create", name }) as const);
		await expect(outline.batch(operations)).rejects.toThrow(RangeError);
		expect((await exported(outline)).map(({ name }) => name)).toEqual(["a"]);
	});

	test("shortens a type that no operation has, however long it is", async () => {
		const type = "x".repeat(100_000) as "create";
		const error = await newOutline()
			.batch([{ type, name: "a" }])
			.catch((reason: Error) => reason);
		expect(error).toMatchObject({ code: "invalid_argument", operation: 0 });
		expect((error as Error).message).toMatch(/^operations\[0\]: The type is "x{77}\.\.\."\. /);
	});

	test("starts again as a whole if another client commits in the meantime", async () => {
		const storage = createMemoryStorage();
		const other = newOutline({ storage });
		let disturbances = 0;
		const disturbed = newOutline({
			storage: beforeCommits(storage, async () => {
				if (disturbances++ < 3) await other.create({ name: "other" });
			}),
		});
		const { results, ids } = await disturbed.batch([
			{ type: "create", as: "a", name: "a" },
			{ type: "create", parent: { as: "a" }, name: "b" },
		]);
		expect(results[1]).toMatchObject({ parentId: ids.a });
		expect((await other.list()).nodes.map(({ name }) => name)).toEqual(["a", "other", "other", "other"]);
	});
});

import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineEvent } from "../../../src/engine/event.js";
import { OutlineError } from "../../../src/errors.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { OutlineTree, TreeInput } from "../../../src/operations/create-tree.js";
import { codeOf, exported, newOutline, picture, plant } from "../../support/outline.js";
import { turnsDuring } from "../../support/turns.js";

function errorOf(promise: Promise<unknown>): Promise<OutlineError> {
	return promise.then(
		() => {
			throw new Error("It went through.");
		},
		(error) => {
			if (error instanceof OutlineError) return error;
			throw error;
		},
	);
}

describe("a batch", () => {
	test("does its operations in order, and refers to what it makes by names", async () => {
		const outline = newOutline();
		const { old } = await plant<"old">(outline, "old #old\n  child");
		const { results, ids } = await outline.batch([
			{ type: "create", as: "trip", name: "# Trip" },
			{ type: "create", as: "boat", parent: { as: "trip" }, name: "boat" },
			{ type: "create", parent: { as: "trip" }, name: "tent", position: { after: { as: "boat" } } },
			{ type: "move", ref: old, parent: { as: "trip" }, position: { before: { as: "boat" } } },
			{ type: "update", ref: { as: "boat" }, name: "<b>boat</b>", note: "red" },
			{ type: "complete", ref: { as: "boat" } },
			{ type: "create", as: "list", name: "list", position: "bottom" },
			{ type: "mirror", as: "mirror", ref: { as: "boat" }, parent: { as: "list" } },
			{ type: "setShortcut", key: "t", ref: { as: "trip" } },
			{ type: "create", parent: "t", name: "last", position: "bottom" },
			{ type: "create", parent: "today", name: "call" },
		]);
		expect(await picture(outline)).toBe(
			[
				"Trip\n  old\n    child\n  <b>boat</b>\n  tent\n  last",
				"list\n  (mirror <b>boat</b>)",
				'Calendar\n  2026\n    November\n      <time datetime="2026-11-21">Sat, Nov 21, 2026</time>\n        call',
			].join("\n"),
		);
		expect(results.map((result) => result?.name ?? null)).toEqual([
			"Trip",
			"boat",
			"tent",
			"old",
			"<b>boat</b>",
			"<b>boat</b>",
			"list",
			"<b>boat</b>",
			null,
			"last",
			"call",
		]);
		expect(Object.keys(ids)).toEqual(["trip", "boat", "list", "mirror"]);
		expect(await outline.get(ids.mirror!)).toEqual(results[7]);
		expect((await outline.get("t")).id).toBe(ids.trip);
	});

	test("is one commit and one event, also where things come and go again", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		await outline.batch([
			{ type: "create", as: "a", name: "a" },
			{ type: "create", as: "gone", name: "gone\n- too" },
			{ type: "setShortcut", key: "x", ref: { as: "gone" } },
			{ type: "delete", ref: { as: "gone" } },
			{ type: "update", ref: { as: "a" }, name: "b" },
		]);
		expect(events.map(({ revision, changes }) => [revision, changes.map(({ after }) => after?.name)])).toEqual([
			[1, ["b"]],
		]);
		expect(await codeOf(outline.get("x"))).toBe("not_found");
		await outline.batch([]);
		await outline.batch([
			{ type: "create", as: "c", name: "c" },
			{ type: "delete", ref: { as: "c" } },
		]);
		expect((await storage.read([])).revision).toBe(1);
	});

	test("does nothing at all if one of its operations can't be done, and says which", async () => {
		const outline = newOutline();
		const { one } = await plant<"one">(outline, "one #one\n  two");
		const before = await exported(outline);
		const error = await errorOf(
			outline.batch([
				{ type: "create", parent: "today", name: "x" },
				{ type: "delete", ref: one },
				{ type: "complete", ref: one },
				{ type: "create", name: "y" },
			]),
		);
		expect(error).toMatchObject({ code: "not_found", operation: 2 });
		expect(error.message).toMatch(/^operations\[2\] \(complete\): /);
		expect(await exported(outline)).toEqual(before);
		expect((await outline.targets()).find(({ key }) => key === "today")?.name).toBeNull();
	});

	test("keeps what an error tells: the mirrors that stand in the way", async () => {
		const outline = newOutline();
		const error = await errorOf(
			outline.batch([
				{ type: "create", as: "a", name: "a" },
				{ type: "create", as: "b", name: "b" },
				{ type: "mirror", as: "m", ref: { as: "a" }, parent: { as: "b" } },
				{ type: "delete", ref: { as: "a" } },
			]),
		);
		expect(error).toMatchObject({ code: "has_mirrors", operation: 3 });
		expect(error.mirrorIds).toHaveLength(1);
	});

	test("is checked before anything is done", async () => {
		const outline = newOutline();
		const create = { type: "create", as: "a", name: "a" };
		const refused: [unknown, string, number | undefined][] = [
			[undefined, "invalid_argument", undefined],
			[{}, "invalid_argument", undefined],
			[[null], "invalid_argument", 0],
			[new Array(2), "invalid_argument", 0],
			[["create"], "invalid_argument", 0],
			[[{ name: "a" }], "invalid_argument", 0],
			[[{ type: "constructor" }], "invalid_argument", 0],
			[[create, create], "invalid_argument", 1],
			[[create, { type: "complete", ref: { as: "b" } }], "invalid_argument", 1],
			[[{ type: "complete", ref: { as: "a" } }, create], "invalid_argument", 0],
			[[{ ...create, parent: { as: "a" } }], "invalid_argument", 0],
			[[{ ...create, as: "" }], "invalid_argument", 0],
			[[{ ...create, as: 1 }], "invalid_argument", 0],
			[[create, { type: "complete", ref: { as: 1 } }], "invalid_argument", 1],
			[[create, { type: "complete", ref: { as: "a" }, as: "c" }], "invalid_argument", 1],
			[[create, { type: "create" }], "invalid_argument", 1],
			[[create, { type: "complete", ref: "None" }], "unsupported_reference", 1],
			[[create, { type: "setShortcut", key: "today", ref: { as: "a" } }], "reserved_key", 1],
			[[create, { type: "mirror", ref: { as: "a" }, parent: "inbox" }], "unsupported_reference", 1],
		];
		for (const [operations, code, operation] of refused) {
			expect(await errorOf(outline.batch(operations as BatchOperation[]))).toMatchObject({ code, operation });
		}
		expect(await exported(outline)).toEqual([]);
		// Outside of a batch nothing has such a name.
		expect(await codeOf(outline.get({ as: "a" } as unknown as string))).toBe("invalid_argument");
	});

	test("looks for cycles in the tree as it has become", async () => {
		const outline = newOutline();
		const { b, c, d } = await plant<"b" | "c" | "d">(outline, "a\n  b #b\n    c #c\nd #d");
		const moves: BatchOperation[] = [
			{ type: "move", ref: b, parent: d },
			{ type: "move", ref: d, parent: c },
		];
		expect(await errorOf(outline.batch(moves))).toMatchObject({ code: "would_create_cycle", operation: 1 });
		// And what would have been one before is none any more.
		await outline.batch([
			{ type: "move", ref: c, parent: null },
			{ type: "move", ref: b, parent: c },
		]);
		expect(await picture(outline)).toBe("c\n  b\na\nd");
	});

	test("puts a day where it belongs among those that are still there", async () => {
		const outline = newOutline();
		for (const day of ["2026-11-19", "2026-11-23"]) await outline.create({ name: day, parent: day });
		await outline.batch([
			{ type: "delete", ref: "2026-11-19" },
			{ type: "create", parent: "2026-11-25", name: "x" },
			{ type: "create", parent: "2026-11-21", name: "y" },
			{ type: "create", parent: "2026-11-19", name: "z" },
			{ type: "delete", ref: "2026-11-25" },
			{ type: "create", parent: "2026-11-24", name: "w" },
		]);
		const { nodes } = await outline.list("2026-11");
		expect(nodes.map(({ name }) => /datetime="([\d-]+)"/.exec(name)?.[1])).toEqual([
			"2026-11-19",
			"2026-11-21",
			"2026-11-23",
			"2026-11-24",
		]);
	});

	test("may be large", { timeout: 120_000 }, async () => {
		const outline = newOutline();
		const operations = Array.from({ length: 100_000 }, (_, number): BatchOperation => {
			const parent = number === 0 ? null : { as: `${Math.floor((number - 1) / 8)}` };
			return { type: "create", as: `${number}`, name: `node ${number}`, parent, position: "bottom" };
		});
		const { ids } = await outline.batch(operations);
		expect(await exported(outline)).toHaveLength(100_000);
		expect((await outline.list(ids["12"])).nodes.map(({ name }) => name)).toEqual(
			Array.from({ length: 8 }, (_, place) => `node ${97 + place}`),
		);
	});

	test("is read in slices if it is long, as it was when it was given, and refused as a short one is", async () => {
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
		position.after.as = "nobody";
		operations.length = 0;
		expect((await doing).results.length).toBe(20_003);
		expect(await picture(outline)).toBe("Inbox\n  tree\n    child\nend");

		Object.assign(tree, { parent: { as: "inbox" } });
		const wrong = long({ type: "update", ref: "inbox", name: "x", colour: "red" } as BatchOperation);
		expect(await errorOf(outline.batch(wrong))).toMatchObject({ code: "invalid_argument", operation: 20_002 });
		expect(await picture(outline)).toBe("Inbox\n  tree\n    child\nend");

		const few = await turnsDuring(() => outline.batch([{ type: "complete", ref: "inbox" }]));
		const many = await turnsDuring(() => codeOf(outline.batch(wrong)));
		expect(many).toBeGreaterThan(few + 20_000 / 256 / 2);
	});

	test("draws ids that nobody has, for all that it makes at once", async () => {
		const storage = createMemoryStorage();
		const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
		const drawing = (...numbers: number[]) => {
			const generateId = () => idOf(numbers.shift()!);
			return newOutline({ storage, generateId });
		};
		await drawing(1, 2, 7).create({ name: "a\n\nb\n\nc" });
		// 1, 2 and 7 are taken, the last of which is drawn in place of 2; 4 and 1 are drawn twice.
		const outline = drawing(3, 1, 4, 2, 4, 1, 5, 7, 6);
		const names = ["d", "e", "f", "g"];
		const { results } = await outline.batch(names.map((name) => ({ type: "create", name, position: "bottom" })));
		expect(results.map((result) => result!.id)).toEqual([3, 5, 4, 6].map(idOf));
		expect((await exported(outline)).map(({ name }) => name)).toEqual(["a", "b", "c", ...names]);
	});

	test("does nothing when the ids that it draws are all taken", async () => {
		const storage = createMemoryStorage();
		const taken = await newOutline({ storage }).create({ name: "a" });
		let drawn = 0;
		const generateId = () => `${String(drawn++).padStart(8, "0")}${taken.id.slice(8)}`;
		const outline = newOutline({ storage, generateId });
		const operations = ["b", "c"].map((name) => ({ type: "create", name }) as const);
		await expect(outline.batch(operations)).rejects.toThrow(RangeError);
		expect((await exported(outline)).map(({ name }) => name)).toEqual(["a"]);
	});

	test("is tried again as a whole when somebody else commits in between", async () => {
		const storage = createMemoryStorage();
		const other = newOutline({ storage });
		let disturbances = 0;
		const disturbed = newOutline({
			storage: {
				read: (queries) => storage.read(queries),
				async commit(batch) {
					if (disturbances++ < 3) await other.create({ name: "other" });
					return storage.commit(batch);
				},
				scan: () => storage.scan(),
				close: () => storage.close(),
			},
		});
		const { results, ids } = await disturbed.batch([
			{ type: "create", as: "a", name: "a" },
			{ type: "create", parent: { as: "a" }, name: "b" },
		]);
		expect(results[1]).toMatchObject({ parentId: ids.a });
		expect((await other.list()).nodes.map(({ name }) => name)).toEqual(["a", "other", "other", "other"]);
	});
});

describe("createTree", () => {
	const names = ({ name, children }: OutlineTree): unknown => [name, ...children.map(names)];

	test("makes nested nodes in one commit, and gives them as they are", async () => {
		const outline = newOutline();
		const { place, sibling } = await plant<"place" | "sibling">(outline, "place #place\n  sibling #sibling");
		const tree = await outline.createTree({
			parent: place,
			position: { after: sibling },
			name: "# Trip\n- first",
			note: "n",
			children: [
				{ name: "- [x] book", children: [{ name: "ferry" }, { name: "cabin", note: "outside" }] },
				{ name: "pack", layoutMode: "todo", completed: true },
				{ name: "- [x] open again", completed: false },
			],
		});
		expect(names(tree)).toEqual(["Trip", ["first"], ["book", ["ferry"], ["cabin"]], ["pack"], ["open again"]]);
		expect(await picture(outline)).toBe(
			"place\n  sibling\n  Trip\n    first\n    book\n      ferry\n      cabin\n    pack\n    open again",
		);
		const all = (node: OutlineTree): OutlineTree[] => [node, ...node.children.flatMap(all)];
		for (const { children, ...node } of all(tree)) expect(await outline.get(node.id)).toEqual(node);
		expect(all(tree).map(({ layoutMode, completed, note }) => [layoutMode, completed, note])).toEqual([
			["h1", false, "n"],
			["bullets", false, null],
			["todo", true, null],
			["bullets", false, null],
			["bullets", false, "outside"],
			["todo", true, null],
			["todo", false, null],
		]);
	});

	test("takes any depth and the same input twice, but none within itself", async () => {
		const outline = newOutline();
		let deep: TreeInput = { name: "leaf" };
		for (let depth = 0; depth < 20_000; depth++) deep = { name: "x", children: [deep] };
		const tree = await outline.createTree(deep);
		let levels = 0;
		for (let at: OutlineTree | undefined = tree; at !== undefined; at = at.children[0]) levels += 1;
		expect(levels).toBe(20_001);
		const twice: TreeInput = { name: "twice", children: [{ name: "below" }] };
		const both = await outline.createTree({ name: "both", children: [twice, { name: "z", children: [twice] }, twice] });
		expect(names(both)).toEqual(["both", ["twice", ["below"]], ["z", ["twice", ["below"]]], ["twice", ["below"]]]);
		const endless: { name: string; children: TreeInput[] } = { name: "endless", children: [] };
		endless.children.push({ name: "x", children: [endless] });
		const error = await errorOf(outline.createTree(endless));
		expect(error.code).toBe("invalid_argument");
		expect(error.message).toContain("children[0].children[0]");
	});

	test("refuses what it can't make, naming the place, and makes nothing", async () => {
		const outline = newOutline();
		const refused: [unknown, string][] = [
			[undefined, "createTree"],
			[{}, "name"],
			[{ name: "a", children: {} }, "children"],
			[{ name: "a", children: [null] }, "children[0]"],
			[{ name: "a", children: [{ name: "b" }, { name: "c", children: [["d"]] }] }, "children[1].children[0]"],
			[{ name: "a", children: [{}] }, "children[0]: name"],
			[{ name: "a", children: [{ name: "b", note: 1 }] }, "children[0]: note"],
			[{ name: "a", children: [{ name: "b", layoutMode: "h9" }] }, "children[0]: layoutMode"],
			[{ name: "a", children: [{ name: "b", completed: "yes" }] }, "children[0] has"],
			[{ name: "a", completed: 1 }, "completed"],
		];
		for (const [input, named] of refused) {
			const error = await errorOf(outline.createTree(input as TreeInput));
			expect(error.code).toBe("invalid_argument");
			expect(error.message).toContain(named);
		}
		expect(await codeOf(outline.createTree({ name: "a", parent: "nowhere" }))).toBe("not_found");
		expect(await exported(outline)).toEqual([]);
	});
});

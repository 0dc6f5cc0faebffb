import { describe, expect, test } from "vitest";
import type { CreateInput, MoveInput } from "../../../src/index.js";
import type { Position } from "../../../src/place/priority.js";
import { namesBelow, newOutline, plant } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal, type Scene } from "../../support/prove.js";

const scene = `
	parent #parent
	  one #one
	  two #two
	    below #below
	other #other
	  (mirror parent) #mirror`;

type Marks = Scene<typeof scene>;

const mirrored = `
	origin #origin
	  one #one
	  two #two
	place
	  (mirror origin) #mirror
	    own #own
	free #free`;

/** Draws ids one after the other, in ascending or in descending order. */
function counting(step: 1 | -1): () => string {
	let number = 1000;
	return () => {
		number += step;
		return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
	};
}

describe("a position beside a sibling", () => {
	test.each<[string, (marks: Marks) => Partial<CreateInput>, string]>([
		[
			"a sibling without a parent",
			({ one }) => ({ position: { before: one } }),
			"parent\n  new\n    child\n  one\n  two\n    below\nother\n  (mirror parent)",
		],
		[
			"a sibling by its short id",
			({ parent, one }) => ({ parent, position: { after: one.slice(-12).toUpperCase() } }),
			"parent\n  one\n  new\n    child\n  two\n    below\nother\n  (mirror parent)",
		],
		[
			"a sibling by its shortcut",
			({ parent }) => ({ parent: parent.slice(-12), position: { after: "second" } }),
			"parent\n  one\n  two\n    below\n  new\n    child\nother\n  (mirror parent)",
		],
		[
			"a node of the top level without a parent",
			({ parent }) => ({ position: { before: parent } }),
			"new\n  child\nparent\n  one\n  two\n    below\nother\n  (mirror parent)",
		],
		[
			"a node of the top level as such",
			({ parent }) => ({ parent: null, position: { after: parent } }),
			"parent\n  one\n  two\n    below\nnew\n  child\nother\n  (mirror parent)",
		],
	])("lets create name %s", async (_, input, expected) => {
		const create: OperationOn<typeof scene> = (marks) =>
			marks.outline.create({ name: "new\n- child", ...input(marks) });
		await prove(scene, create, expected, { given: ({ outline, two }) => outline.setShortcut("second", two) });
	});

	test.each<["two" | "below" | "other", (marks: Marks) => MoveInput, string]>([
		["two", ({ one }) => ({ position: { before: one } }), "parent\n  two\n    below\n  one\nother\n  (mirror parent)"],
		[
			"below",
			({ parent, one }) => ({ parent, position: { after: one } }),
			"parent\n  one\n  below\n  two\nother\n  (mirror parent)",
		],
		["below", ({ two }) => ({ position: { after: two } }), "parent\n  one\n  two\n  below\nother\n  (mirror parent)"],
		[
			"two",
			({ parent }) => ({ parent: "None", position: { after: parent } }),
			"parent\n  one\ntwo\n  below\nother\n  (mirror parent)",
		],
		[
			"other",
			({ parent }) => ({ position: { before: parent } }),
			"other\n  (mirror parent)\nparent\n  one\n  two\n    below",
		],
	])("lets move take the node %s there", async (mark, input, expected) => {
		await prove(scene, (marks) => marks.outline.move(marks[mark], input(marks)), expected);
	});

	test("lets mirror put a mirror between siblings", async () => {
		await prove(
			scene,
			({ outline, parent, one, other }) => outline.mirror(other, { parent, position: { after: one } }),
			"parent\n  one\n  (mirror other)\n  two\n    below\nother\n  (mirror parent)",
		);
	});

	test.each(["after", "before"] as const)("changes nothing for a node directly %s its sibling", async (side) => {
		// The node isn't in the middle between its siblings, where a move would put it.
		let node = "";
		await prove(
			"one #one\ntwo #two",
			({ outline, one, two }) => outline.move(node, { position: side === "after" ? { after: one } : { before: two } }),
			"one\nnode\ntwo",
			{
				given: async ({ outline, one }) => {
					const x = await outline.create({ name: "x", position: { after: one } });
					const y = await outline.create({ name: "y", position: { after: x.id } });
					await outline.delete(y.id);
					node = (await outline.create({ name: "node", position: { after: x.id } })).id;
					await outline.delete(x.id);
				},
			},
		);
	});

	test.each<[string, OperationOn<typeof mirrored>, string, string[]]>([
		[
			"moves a child of the mirror beside a child of the origin",
			({ outline, mirror, own, one }) => outline.move(own, { parent: mirror, position: { after: one } }),
			"origin\n  one\n  two\nplace\n  (mirror origin)\n    own\nfree",
			["one", "own", "two"],
		],
		[
			"leaves a child of the mirror that is there already",
			({ outline, mirror, own, two }) => outline.move(own, { parent: mirror, position: { after: two } }),
			"origin\n  one\n  two\nplace\n  (mirror origin)\n    own\nfree",
			["one", "two", "own"],
		],
		[
			"moves a child of the origin to the mirror alone",
			({ outline, mirror, one, two }) => outline.move(two, { parent: mirror, position: { before: one } }),
			"origin\n  one\nplace\n  (mirror origin)\n    two\n    own\nfree",
			["two", "one", "own"],
		],
		[
			"moves any node beside a child of the mirror",
			({ outline, own, free }) => outline.move(free, { position: { before: own } }),
			"origin\n  one\n  two\nplace\n  (mirror origin)\n    free\n    own",
			["one", "two", "free", "own"],
		],
		[
			"creates a child of the origin before a child of the mirror",
			({ outline, mirror, own }) => outline.create({ name: "new", parent: mirror, position: { before: own } }),
			"origin\n  one\n  two\n  new\nplace\n  (mirror origin)\n    own\nfree",
			["one", "two", "new", "own"],
		],
		[
			"creates a child of the origin after a child of the mirror",
			({ outline, own }) => outline.create({ name: "new", position: { after: own } }),
			"origin\n  one\n  two\n  new\nplace\n  (mirror origin)\n    own\nfree",
			["one", "two", "own", "new"],
		],
	])("under a mirror %s", async (_, operation, expected, visible) => {
		const { outline, mirror } = await prove(mirrored, operation, expected);
		expect(await namesBelow(outline, mirror)).toEqual(visible);
	});

	test.each([
		["before", "own", ["new", "own"]],
		["after", "own", ["own", "new"]],
		["before", "twin", ["new", "twin"]],
		["after", "twin", ["twin", "new"]],
	] as const)(
		"%s %s holds if a child of the origin has the priority of one of the mirror",
		async (side, name, order) => {
			for (const step of [1, -1] as const) {
				const outline = newOutline({ generateId: counting(step) });
				const { origin, mirror, own } = await plant<"origin" | "mirror" | "own">(
					outline,
					"origin #origin\n  one\nplace\n  (mirror origin) #mirror\n    own #own",
				);
				const twin = await outline.create({ name: "twin", parent: origin, position: "bottom" });
				expect(twin.priority).toBe((await outline.get(own)).priority);
				await outline.create({ name: "near", position: { before: twin.id } });
				const sibling = name === "own" ? own : twin.id;
				const position = side === "after" ? { after: sibling } : { before: sibling };
				await outline.create({ name: "new", parent: mirror, position });
				const names = await namesBelow(outline, mirror);
				const first = names.indexOf(order[0]);
				expect(names.slice(first, first + 2)).toEqual(order);
			}
		},
	);

	test.each([
		["ascending", 1, "own", "own\n    twin"],
		["descending", -1, "two", "twin\n    own"],
	] as const)("under a mirror avoids the priorities of its children, with %s ids", async (_, step, sibling, order) => {
		const { result, outline, own } = await prove(
			mirrored,
			async ({ outline, origin, mirror, ...marks }) => {
				const twin = await outline.create({ name: "twin", parent: origin, position: "bottom" });
				return outline.move(twin.id, { parent: mirror, position: { after: marks[sibling] } });
			},
			`origin\n  one\n  two\nplace\n  (mirror origin)\n    ${order}\nfree`,
			{ generateId: counting(step) },
		);
		expect(result.priority).not.toBe((await outline.get(own)).priority);
	});

	test.each(["before", "after"] as const)(
		"takes a thousand nodes %s one sibling, with distinct integers",
		async (side) => {
			const outline = newOutline();
			const { one, two } = await plant<"one" | "two">(outline, "one #one\ntwo #two");
			const position = side === "before" ? { before: two } : { after: one };
			for (let number = 0; number < 1000; number++) await outline.create({ name: `${number}`, position });
			const { nodes } = await outline.list();
			const numbers = Array.from({ length: 1000 }, (_, number) => `${number}`);
			const expected = side === "before" ? numbers : numbers.toReversed();
			expect(nodes.map(({ name }) => name)).toEqual(["one", ...expected, "two"]);
			expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(nodes.length);
			expect(nodes.every(({ priority }) => Number.isSafeInteger(priority))).toBe(true);
		},
	);
});

describe("a position is refused", () => {
	test.each<[string, (marks: Marks) => unknown]>([
		["another word", () => "middle"],
		["a number", () => 1],
		["null", () => null],
		["no sibling", () => ({})],
		["two siblings", ({ one, two }) => ({ before: one, after: two })],
		["null as the sibling", () => ({ before: null })],
		["a number as the sibling", () => ({ after: 1 })],
		["a list", () => []],
	])("as %s", async (_, position) => {
		const create: OperationOn<typeof scene> = (marks) =>
			marks.outline.create({ name: "x", position: position(marks) as Position });
		await proveRefusal(scene, create, "invalid_argument");
	});

	test.each([
		["", "invalid_reference"],
		["None", "unsupported_reference"],
		["nowhere", "not_found"],
		["0123456789ab", "not_found"],
		["today", "not_found"],
		["2026-13", "invalid_reference"],
	])("beside the sibling %j with %s", async (sibling, code) => {
		const create: OperationOn<typeof scene> = ({ outline }) =>
			outline.create({ name: "x", position: { before: sibling } });
		await proveRefusal(scene, create, code);
		await proveRefusal(scene, ({ outline, one }) => outline.move(one, { position: { after: sibling } }), code);
	});

	test.each<[string, (marks: Marks) => { parent: string | null; position: Position }]>([
		["the top level", ({ one }) => ({ parent: null, position: { before: one } })],
		["its grandparent", ({ parent, below }) => ({ parent, position: { before: below } })],
		["a mirror", ({ mirror, other }) => ({ parent: mirror, position: { after: other } })],
		["a missing day", ({ one }) => ({ parent: "today", position: { after: one } })],
		["a missing inbox", ({ one }) => ({ parent: "inbox", position: { after: one } })],
	])("beside a sibling that is no child of %s", async (_, place) => {
		const create: OperationOn<typeof scene> = (marks) => marks.outline.create({ name: "x", ...place(marks) });
		const move: OperationOn<typeof scene> = (marks) => marks.outline.move(marks.other, place(marks));
		for (const operation of [create, move]) {
			const { message } = await proveRefusal(scene, operation, "invalid_argument");
			expect(message).toMatch(/names the node [-0-9a-f]{36}, which is no child of /);
		}
	});

	test("for a mirror beside a sibling that is no child of its parent", async () => {
		const mirror: OperationOn<typeof scene> = ({ outline, below, parent, other }) =>
			outline.mirror(below, { parent, position: { before: other } });
		await proveRefusal(scene, mirror, "invalid_argument");
	});

	test("under a parent that isn't there", async () => {
		const create: OperationOn<typeof scene> = ({ outline, one }) =>
			outline.create({ name: "x", parent: "nowhere", position: { before: one } });
		await proveRefusal(scene, create, "not_found");
	});

	test.each<[string, string, OperationOn<typeof scene>]>([
		[
			"would_create_cycle",
			"below the node",
			({ outline, two, below }) => outline.move(two, { position: { before: below } }),
		],
		[
			"would_create_cycle",
			"as its child",
			({ outline, parent, one }) => outline.move(parent, { position: { before: one } }),
		],
		[
			"would_create_cycle",
			"in a mirror's origin",
			({ outline, mirror, one }) => outline.move(mirror, { position: { before: one } }),
		],
		[
			"would_create_cycle",
			"in a new mirror's origin",
			({ outline, parent, one }) => outline.mirror(parent, { parent, position: { before: one } }),
		],
		[
			"invalid_argument",
			"beside the node itself",
			({ outline, one }) => outline.move(one, { position: { before: one } }),
		],
	])("with %s %s", async (code, _, operation) => {
		await proveRefusal(scene, operation, code);
	});
});

import { describe, expect, test } from "vitest";
import type { CreateInput, MoveInput } from "../../../src/index.js";
import type { Position } from "../../../src/place/priority.js";
import { countedIds } from "../../support/ids.js";
import { namesBelow, planted } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged, type Scene } from "../../support/prove.js";

const scene = "p #p\n  a #a\n  b #b\n    c #c\nq #q\n  (mirror p) #m";

type Marks = Scene<typeof scene>;

const mirrored = "o #o\n  a #a\n  b #b\nq\n  (mirror o) #m\n    own #own\nfree #free";

/** Draws ids one after the other, in ascending or in descending order. */
const counting = (step: 1 | -1) => countedIds((drawn) => 1000 + step * (drawn + 1));

describe("a position beside a sibling", () => {
	test.each<[string, (marks: Marks) => Partial<CreateInput>, string]>([
		["of any parent", ({ a }) => ({ position: { before: a } }), "p\n  x\n    y\n  a\n  b\n    c"],
		["by short id", ({ p, a }) => ({ parent: p, position: { after: a.slice(-12) } }), "p\n  a\n  x\n    y\n  b\n    c"],
		["by shortcut", ({ p }) => ({ parent: p.slice(-12), position: { after: "B" } }), "p\n  a\n  b\n    c\n  x\n    y"],
		["at the top level", ({ p }) => ({ position: { before: p } }), "x\n  y\np\n  a\n  b\n    c"],
		["of no parent", ({ p }) => ({ parent: null, position: { after: p } }), "p\n  a\n  b\n    c\nx\n  y"],
	])("lets create name a sibling %s", async (_, input, expected) => {
		const create: OperationOn<typeof scene> = (marks) => marks.outline.create({ name: "x\n- y", ...input(marks) });
		const given: OperationOn<typeof scene> = ({ outline, b }) => outline.setShortcut("B", b);
		await prove(scene, create, `${expected}\nq\n  (mirror p)`, { given });
	});

	test.each<["b" | "c" | "q", (marks: Marks) => MoveInput, string]>([
		["b", ({ a }) => ({ position: { before: a } }), "p\n  b\n    c\n  a\nq\n  (mirror p)"],
		["c", ({ p, a }) => ({ parent: p, position: { after: a } }), "p\n  a\n  c\n  b\nq\n  (mirror p)"],
		["c", ({ b }) => ({ position: { after: b.toUpperCase() } }), "p\n  a\n  b\n  c\nq\n  (mirror p)"],
		["b", ({ p }) => ({ parent: "None", position: { after: p } }), "p\n  a\nb\n  c\nq\n  (mirror p)"],
		["q", ({ p }) => ({ position: { before: p } }), "q\n  (mirror p)\np\n  a\n  b\n    c"],
	])("lets move take the node %s there", async (mark, input, expected) => {
		await prove(scene, (marks) => marks.outline.move(marks[mark], input(marks)), expected);
	});

	test("lets mirror put a mirror between siblings", async () => {
		await prove(
			scene,
			({ outline, p, a, q }) => outline.mirror(q, { parent: p, position: { after: a } }),
			"p\n  a\n  (mirror q)\n  b\n    c\nq\n  (mirror p)",
		);
	});

	test.each(["after", "before"] as const)("changes nothing for a node directly %s its sibling", async (side) => {
		// The node isn't in the middle between its siblings, where a move would put it.
		const nodes = "a #a\nb #b\nx #x\nz #z\ny #y";
		const { result, outline } = await proveUnchanged(
			nodes,
			({ outline, a, z, b }) => outline.move(z, { position: side === "after" ? { after: a } : { before: b } }),
			{
				given: async ({ outline, a, x, y, z }) => {
					await outline.move(x, { position: { after: a } });
					await outline.move(y, { position: { after: x } });
					await outline.delete(y);
					await outline.move(z, { position: { after: x } });
					await outline.delete(x);
				},
			},
		);
		expect(await outline.get(result.id)).toEqual(result);
		expect(await namesBelow(outline, null)).toEqual(["a", "z", "b"]);
	});

	test.each<[string, OperationOn<typeof mirrored>, string, string]>([
		[
			"moves a child of the mirror beside a child of the origin",
			({ outline, m, own, a }) => outline.move(own, { parent: m, position: { after: a } }),
			"o\n  a\n  b\nq\n  (mirror o)\n    own\nfree",
			"a own b",
		],
		[
			"leaves a child of the mirror that is there already",
			({ outline, m, own, b }) => outline.move(own, { parent: m, position: { after: b } }),
			"o\n  a\n  b\nq\n  (mirror o)\n    own\nfree",
			"a b own",
		],
		[
			"moves a child of the origin to the mirror alone",
			({ outline, m, a, b }) => outline.move(b, { parent: m, position: { before: a } }),
			"o\n  a\nq\n  (mirror o)\n    b\n    own\nfree",
			"b a own",
		],
		[
			"moves any node beside a child of the mirror",
			({ outline, own, free }) => outline.move(free, { position: { before: own } }),
			"o\n  a\n  b\nq\n  (mirror o)\n    free\n    own",
			"a b free own",
		],
		[
			"creates a child of the origin before a child of the mirror",
			({ outline, m, own }) => outline.create({ name: "new", parent: m, position: { before: own } }),
			"o\n  a\n  b\n  new\nq\n  (mirror o)\n    own\nfree",
			"a b new own",
		],
		[
			"creates a child of the origin after a child of the mirror",
			({ outline, own }) => outline.create({ name: "new", position: { after: own } }),
			"o\n  a\n  b\n  new\nq\n  (mirror o)\n    own\nfree",
			"a b own new",
		],
	])("under a mirror %s", async (_, operation, expected, visible) => {
		const { outline, m } = await prove(mirrored, operation, expected);
		expect((await namesBelow(outline, m)).join(" ")).toBe(visible);
	});

	test.each([
		["before", "own", "new own"],
		["after", "own", "own new"],
		["before", "twin", "new twin"],
		["after", "twin", "twin new"],
	] as const)(
		"%s %s holds if a child of the origin has the priority of one of the mirror",
		async (side, name, order) => {
			for (const step of [1, -1] as const) {
				const { outline, o, m, own } = await planted(mirrored, { generateId: counting(step) });
				const twin = await outline.create({ name: "twin", parent: o, position: "bottom" });
				expect(twin.priority).toBe((await outline.get(own)).priority);
				await outline.create({ name: "near", position: { before: twin.id } });
				const sibling = name === "own" ? own : twin.id;
				const position = side === "before" ? { before: sibling } : { after: sibling };
				await outline.create({ name: "new", parent: m, position });
				expect((await namesBelow(outline, m)).join(" ")).toContain(order);
			}
		},
	);

	test.each([
		["ascending", 1, "own", "own\n    twin"],
		["descending", -1, "b", "twin\n    own"],
	] as const)("under a mirror avoids the priorities of its children, with %s ids", async (_, step, sibling, order) => {
		const { result, outline, own } = await prove(
			mirrored,
			async ({ outline, o, m, ...marks }) => {
				const twin = await outline.create({ name: "twin", parent: o, position: "bottom" });
				return outline.move(twin.id, { parent: m, position: { after: marks[sibling] } });
			},
			`o\n  a\n  b\nq\n  (mirror o)\n    ${order}\nfree`,
			{ generateId: counting(step) },
		);
		expect(result.priority).not.toBe((await outline.get(own)).priority);
	});

	test.each(["before", "after"] as const)("takes a thousand nodes %s one sibling, with integers", async (side) => {
		const { outline, a, b } = await planted("a #a\nb #b");
		const position = side === "before" ? { before: b } : { after: a };
		for (let number = 0; number < 1000; number++) await outline.create({ name: `${number}`, position });
		const { nodes } = await outline.list();
		const numbers = Array.from({ length: 1000 }, (_, number) => `${number}`);
		const expected = side === "before" ? numbers : numbers.toReversed();
		expect(nodes.map(({ name }) => name)).toEqual(["a", ...expected, "b"]);
		expect(new Set(nodes.map(({ priority }) => priority)).size).toBe(nodes.length);
		expect(nodes.every(({ priority }) => Number.isSafeInteger(priority))).toBe(true);
	});
});

describe("a position is refused", () => {
	/** Proves that neither a create nor a move may go there, and returns both messages. */
	const proveBoth = async (input: (marks: Marks) => MoveInput, code: string): Promise<string[]> => [
		(await proveRefusal(scene, (marks) => marks.outline.create({ name: "x", ...input(marks) }), code)).message,
		(await proveRefusal(scene, (marks) => marks.outline.move(marks.q, input(marks)), code)).message,
	];

	test.each<[string, (marks: Marks) => unknown]>([
		["another word", () => "middle"],
		["a number", () => 1],
		["null", () => null],
		["no sibling", () => ({})],
		["two siblings", ({ a, b }) => ({ before: a, after: b })],
		["null as the sibling", () => ({ before: null })],
		["a number as the sibling", () => ({ after: 1 })],
		["a list", () => []],
	])("as %s", async (_, position) => {
		const messages = await proveBoth((marks) => ({ position: position(marks) as Position }), "invalid_argument");
		for (const message of messages) expect(message).toContain("position");
	});

	test.each([
		["", "invalid_reference"],
		["None", "unsupported_reference"],
		["nowhere", "not_found"],
		["0123456789ab", "not_found"],
		["today", "not_found"],
		["2026-13", "invalid_reference"],
	])("beside the sibling %j with %s", async (sibling, code) => {
		await proveBoth(() => ({ position: { before: sibling } }), code);
		await proveBoth(() => ({ position: { after: sibling } }), code);
	});

	test.each<[string, (marks: Marks) => MoveInput]>([
		["the top level", ({ a }) => ({ parent: null, position: { before: a } })],
		["its grandparent", ({ p, c }) => ({ parent: p, position: { before: c } })],
		["a mirror", ({ m, q }) => ({ parent: m, position: { after: q } })],
		["a missing day", ({ a }) => ({ parent: "today", position: { after: a } })],
		["a missing inbox", ({ a }) => ({ parent: "inbox", position: { after: a } })],
	])("beside a sibling that is no child of %s", async (_, input) => {
		for (const message of await proveBoth(input, "invalid_argument")) {
			expect(message).toMatch(/names the node [-0-9a-f]{36}, which is no child of /);
		}
	});

	test("under a parent that isn't there", async () => {
		await proveBoth(({ a }) => ({ parent: "nowhere", position: { before: a } }), "not_found");
	});

	test.each<[string, string, OperationOn<typeof scene>]>([
		["would_create_cycle", "below the node", ({ outline, b, c }) => outline.move(b, { position: { before: c } })],
		["would_create_cycle", "deep below it", ({ outline, p, c }) => outline.move(p, { position: { before: c } })],
		["would_create_cycle", "in a mirror's origin", ({ outline, m, a }) => outline.move(m, { position: { before: a } })],
		[
			"would_create_cycle",
			"in a new mirror's origin",
			({ outline, p, a }) => outline.mirror(p, { parent: p, position: { before: a } }),
		],
		["invalid_argument", "beside the node itself", ({ outline, a }) => outline.move(a, { position: { before: a } })],
		[
			"invalid_argument",
			"for a mirror beside no child of its parent",
			({ outline, p, c, q }) => outline.mirror(c, { parent: p, position: { before: q } }),
		],
	])("with %s %s", async (code, _, operation) => {
		await proveRefusal(scene, operation, code);
	});
});

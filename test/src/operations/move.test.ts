import { describe, expect, test } from "vitest";
import type { MoveInput } from "../../../src/index.js";
import type { OutlineNode } from "../../../src/node.js";
import { namesBelow } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged } from "../../support/prove.js";

const home = `
	home
	  a
	  b #b
	    below #below
	  c
	away #away`;

const mirrored = `
	origin #origin
	  child #child
	place #place
	  (mirror origin) #mirror
	    own
	other #other`;

describe("§4.6 move", () => {
	test.each<[MoveInput | undefined, string]>([
		[undefined, "home\n  b\n    below\n  a\n  c\naway"],
		[{}, "home\n  b\n    below\n  a\n  c\naway"],
		[{ position: "bottom" }, "home\n  a\n  c\n  b\n    below\naway"],
		[{ parent: "None" }, "b\n  below\nhome\n  a\n  c\naway"],
		[{ parent: null }, "b\n  below\nhome\n  a\n  c\naway"],
		[{ parent: null, position: "bottom" }, "home\n  a\n  c\naway\nb\n  below"],
		[{ parent: "away" }, "home\n  a\n  c\naway\n  b\n    below"],
	])("with the input %j", async (input, expected) => {
		const { result, outline, b } = await prove(home, ({ outline, b }) => outline.move(b, input), expected, {
			given: ({ outline, away }) => outline.setShortcut("away", away),
		});
		expect(await outline.get(b)).toEqual(result);
	});

	test("to an end of its siblings changes nothing for the node that is there", async () => {
		const given: OperationOn<"a #a\nx #x\nb #b"> = ({ outline, x }) => outline.delete(x);
		await proveUnchanged("a #a\nx #x\nb #b", ({ outline, a }) => outline.move(a), { given });
		await proveUnchanged("a #a\nx #x\nb #b", ({ outline, b }) => outline.move(b, { position: "bottom" }), { given });
	});

	test("leaves modifiedAt and the priorities of all siblings", async () => {
		let now = 0;
		const before: OutlineNode[] = [];
		const { result, outline } = await prove("a\nb\nc #c", ({ outline, c }) => outline.move(c), "c\na\nb", {
			now: () => now,
			given: async ({ outline }) => {
				before.push(...(await outline.list()).nodes);
				now = 9_000_000;
			},
		});
		expect(result.modifiedAt).toBe(0);
		expect((await outline.list()).nodes.slice(1)).toEqual(before.slice(0, 2));
	});

	test.each<[string, OperationOn<typeof mirrored>, string]>([
		[
			"of a mirror leaves its origin",
			({ outline, mirror, other }) => outline.move(mirror, { parent: other }),
			"origin\n  child\nplace\nother\n  (mirror origin)\n    own",
		],
		[
			"of an origin leaves its mirrors",
			({ outline, origin, other }) => outline.move(origin, { parent: other }),
			"place\n  (mirror origin)\n    own\nother\n  origin\n    child",
		],
		[
			"to a mirror puts the node under that mirror alone",
			({ outline, mirror, other }) => outline.move(other, { parent: mirror }),
			"origin\n  child\nplace\n  (mirror origin)\n    other\n    own",
		],
		[
			"from a mirror to its origin shows the node under every mirror",
			({ outline, mirror, origin, other }) =>
				outline.move(other, { parent: mirror }).then(() => outline.move(other, { parent: origin })),
			"origin\n  other\n  child\nplace\n  (mirror origin)\n    own",
		],
	])("%s", async (_, operation, expected) => {
		await prove(mirrored, operation, expected);
	});

	test("to the top or the bottom of a mirror counts all children that are visible there", async () => {
		const { outline, mirror } = await prove(
			mirrored,
			({ outline, mirror, other }) => outline.move(other, { parent: mirror, position: "bottom" }),
			"origin\n  child\nplace\n  (mirror origin)\n    own\n    other",
		);
		expect(await namesBelow(outline, mirror)).toEqual(["child", "own", "other"]);
		for (const [input, expected] of [
			[{ parent: mirror, position: "top" }, ["other", "child", "own"]],
			[{ parent: mirror, position: "bottom" }, ["child", "own", "other"]],
			[{}, ["other", "child", "own"]],
		] as const) {
			await outline.move((await outline.list(mirror)).nodes.find(({ name }) => name === "other")!.id, input);
			expect(await namesBelow(outline, mirror)).toEqual(expected);
		}
	});

	test.each<[string, OperationOn<typeof home>]>([
		["into itself", ({ outline, b }) => outline.move(b, { parent: b })],
		["below itself", ({ outline, b, below }) => outline.move(b, { parent: below })],
		["of a calendar entry below itself", ({ outline }) => outline.move("2026", { parent: "2026-11-21" })],
		["of the calendar below itself", ({ outline }) => outline.move("calendar", { parent: "2030-01-01" })],
	])("%s is refused", async (_, operation) => {
		await proveRefusal(home, operation, "would_create_cycle", {
			given: ({ outline }) => outline.create({ parent: "2026", name: "x" }),
		});
	});

	test.each<[string, OperationOn<typeof mirrored>]>([
		["of a mirror to its origin", ({ outline, mirror, origin }) => outline.move(mirror, { parent: origin })],
		["of an origin to its mirror", ({ outline, mirror, origin }) => outline.move(origin, { parent: mirror })],
		[
			"of an origin to its mirror deep below it",
			async ({ outline, origin, child }) => {
				const inside = (await outline.list(child)).nodes[0]!;
				await outline.move(origin, { parent: inside.id });
			},
		],
	])("%s is refused", async (_, operation) => {
		await proveRefusal(mirrored, operation, "would_create_cycle", {
			given: ({ outline, origin, child }) => outline.mirror(origin, { parent: child }),
		});
	});
});

import { describe, expect, test } from "vitest";
import type { UpdateInput } from "../../../src/index.js";
import type { OutlineNode } from "../../../src/node.js";
import { newOutline } from "../../support/outline.js";
import { prove, proveRefusal } from "../../support/prove.js";

describe("§4.2 update", () => {
	test.each<[UpdateInput, Partial<OutlineNode>]>([
		[{}, {}],
		[{ name: "a", note: "n", layoutMode: "h1", completed: false }, {}],
		[{ name: "b" }, { name: "b", modifiedAt: 5000 }],
		[{ name: "" }, { name: "", modifiedAt: 5000 }],
		[{ note: null }, { note: null, modifiedAt: 5000 }],
		[{ note: "*m*" }, { note: "*m*", modifiedAt: 5000 }],
		[{ layoutMode: "todo" }, { layoutMode: "todo", modifiedAt: 5000 }],
		[{ completed: true }, { completed: true, completedAt: 5000, modifiedAt: 5000 }],
	])("of %j changes %j", async (input, changes) => {
		let now = 1_000_000;
		const { result, outline, a } = await prove(
			"a #a",
			({ outline, a }) => outline.update(a, input),
			changes.name ?? "a",
			{
				now: () => now,
				given: async ({ outline, a }) => {
					await outline.update(a, { note: "n", layoutMode: "h1" });
					now = 5_000_999;
				},
			},
		);
		const unchanged = { name: "a", note: "n", layoutMode: "h1", createdAt: 1000, modifiedAt: 1000, completedAt: null };
		expect(result).toMatchObject({ ...unchanged, ...changes });
		expect(await outline.get(a)).toEqual(result);
	});

	test("of a mirror changes the origin and all its mirrors", async () => {
		const { result, outline, one, two } = await prove(
			"origin #origin\nplace\n  (mirror origin) #one\n  (mirror origin) #two",
			({ outline, one }) => outline.update(one, { name: "<i>new</i>", note: "n", layoutMode: "h2" }),
			"<i>new</i>\nplace\n  (mirror <i>new</i>)\n  (mirror <i>new</i>)",
		);
		expect(result).toMatchObject({ id: one, name: "<i>new</i>", note: "n", layoutMode: "h2" });
		expect(await outline.get(one)).toEqual(result);
		expect(await outline.get(two)).toMatchObject({ name: "<i>new</i>", note: "n", layoutMode: "h2" });
	});

	test.each<[UpdateInput, Partial<OutlineNode>]>([
		[{ name: "**a** <b>b</b>" }, { name: "**a** <b>b</b>" }],
		[{ name: "<b>a</b> **b** [2026-11-21] # c" }, { name: "<b>a</b> **b** [2026-11-21] # c" }],
		[{ name: "<b>b</b>", format: "text" }, { name: "&lt;b&gt;b&lt;/b&gt;" }],
		[{ name: "**a**", format: "markdown" }, { name: "<b>a</b>" }],
		[
			{ name: "- [x] a", format: "markdown" },
			{ name: "a", layoutMode: "todo", completed: true },
		],
		[
			{ name: "- [x] a", format: "markdown", completed: false },
			{ name: "a", layoutMode: "todo", completed: false },
		],
		[
			{ name: "# c", format: "markdown" },
			{ name: "c", layoutMode: "h1" },
		],
	])("reads the name in its format, which is HTML by default: %j", async (input, expected) => {
		const { result } = await prove("x #x", ({ outline, x }) => outline.update(x, input), expected.name!);
		expect(result).toMatchObject({ layoutMode: "bullets", completed: false, ...expected });
	});

	test("keeps the layout mode and the completion if a Markdown name has no prefix for them", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "- [x] a" });
		const updated = (name: string) => outline.update(id, { name, format: "markdown" });
		expect(await updated("b")).toMatchObject({ name: "b", layoutMode: "todo", completed: true });
		expect(await updated("- [ ] b")).toMatchObject({ layoutMode: "todo", completed: false });
	});

	test("takes an HTML fragment in a code block too", async () => {
		const name = "<b>a</b> **b** [2026-11-21] # c";
		await prove("x #x", ({ outline, x }) => outline.update(x, { name }), name, {
			given: ({ outline, x }) => outline.update(x, { layoutMode: "code-block" }),
		});
	});

	test.each([
		{ name: null },
		{ name: 1 },
		{ name: "a", format: "rtf" },
		{ name: "a\n\nb", format: "markdown" },
		{ layoutMode: "x" },
		{ note: 1 },
		{ completed: "yes" },
		null,
		5,
	])("refuses %j", async (input) => {
		await proveRefusal("x #x", ({ outline, x }) => outline.update(x, input as never), "invalid_argument");
	});

	test("refuses a node that isn't there", async () => {
		await proveRefusal("x", ({ outline }) => outline.update("nowhere", { name: "y" }), "not_found");
	});
});

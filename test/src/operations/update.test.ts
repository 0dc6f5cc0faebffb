import { describe, expect, test } from "vitest";
import type { UpdateInput } from "../../../src/index.js";
import type { OutlineNode } from "../../../src/node.js";
import { codeOf, newOutline } from "../../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged } from "../../support/prove.js";

describe("§4.2 update", () => {
	/** Gives the node more content at 1000 s, and lets the clock show 5000.999 s. */
	const clock = () => {
		let now = 1_000_000;
		const given: OperationOn<"a #a"> = async ({ outline, a }) => {
			await outline.update(a, { note: "n", layoutMode: "h1" });
			now = 5_000_999;
		};
		return { now: () => now, given };
	};

	test.each<[UpdateInput, Partial<OutlineNode>]>([
		[{ name: "b" }, { name: "b" }],
		[{ name: "" }, { name: "" }],
		[{ note: null }, { note: null }],
		[{ note: "*m*" }, { note: "*m*" }],
		[{ layoutMode: "todo" }, { layoutMode: "todo" }],
		[{ completed: true }, { completed: true, completedAt: 5000 }],
	])("of %j changes %j and the time of the last change", async (input, changes) => {
		const update: OperationOn<"a #a", OutlineNode> = ({ outline, a }) => outline.update(a, input);
		const { result, outline, a } = await prove("a #a", update, changes.name ?? "a", clock());
		const unchanged = { name: "a", note: "n", layoutMode: "h1", createdAt: 1000, completedAt: null };
		expect(result).toMatchObject({ ...unchanged, modifiedAt: 5000, ...changes });
		expect(await outline.get(a)).toEqual(result);
	});

	test.each<[UpdateInput, number | null]>([
		[{ completed: true, note: "m" }, 1000],
		[{ completed: true, name: "- [ ] a", format: "markdown" }, 1000],
		[{ completed: undefined, note: "m" }, 1000],
		[{ completed: false }, null],
	])("of %j leaves a node that was completed at 1000 s with the time %j", async (input, completedAt) => {
		const { now, given } = clock();
		const { result } = await prove("a #a", ({ outline, a }) => outline.update(a, input), "a", {
			now,
			given: (scene) => scene.outline.complete(scene.a).then(() => given(scene)),
		});
		expect(result).toMatchObject({ completed: completedAt !== null, completedAt, modifiedAt: 5000 });
	});

	test.each<[UpdateInput]>([[{}], [{ name: "a", note: "n", layoutMode: "h1", completed: false }]])(
		"of %j changes nothing if the node has these values",
		async (input) => {
			const update: OperationOn<"a #a", OutlineNode> = ({ outline, a }) => outline.update(a, input);
			const { result } = await proveUnchanged("a #a", update, clock());
			expect(result).toMatchObject({ name: "a", note: "n", layoutMode: "h1", modifiedAt: 1000 });
		},
	);

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
		{ completed: null },
		null,
		5,
	])("refuses %j", async (input) => {
		await proveRefusal("x #x", ({ outline, x }) => outline.update(x, input as never), "invalid_argument");
	});

	describe("with the texts that the edit began from", () => {
		const meanwhile: OperationOn<"one two three #a"> = async ({ outline, a }) => {
			await outline.update(a, { note: "first\nsecond" });
			await outline.update(a, { name: "one two THREE", note: "first\nSECOND" });
		};

		test("merges other words that have changed since", async () => {
			const base = { name: "one two three", note: "first\nsecond" };
			const edit: OperationOn<"one two three #a", OutlineNode> = ({ outline, a }) =>
				outline.update(a, { name: "ONE two three", note: "FIRST\nsecond", base });
			const { result } = await prove("one two three #a", edit, "ONE two THREE", { given: meanwhile });
			expect(result).toMatchObject({ name: "ONE two THREE", note: "FIRST\nSECOND" });
		});

		test.each<[UpdateInput]>([
			[{ name: "one two 3", base: { name: "one two three" } }],
			[{ note: "first\n2nd", base: { note: "first\nsecond" } }],
			[{ name: "1 two three", note: null, base: { name: "one two three", note: "first\nsecond" } }],
		])("refuses %j, with the node as it is stored", async (input) => {
			const edit: OperationOn<"one two three #a"> = ({ outline, a }) => outline.update(a, input);
			const error = await proveRefusal("one two three #a", edit, "edit_conflict", { given: meanwhile });
			expect(error.stored).toMatchObject({ name: "one two THREE", note: "first\nSECOND" });
			const inBatch: OperationOn<"one two three #a"> = ({ outline, a }) =>
				outline.batch([
					{ type: "create", name: "x" },
					{ type: "update", ref: a, ...input },
				]);
			const batched = await proveRefusal("one two three #a", inBatch, "edit_conflict", { given: meanwhile });
			expect(batched).toMatchObject({ operation: 1, stored: { name: "one two THREE" } });
		});

		test("refuses a merged text that is longer than the limit, and not one that is as long", async () => {
			const outline = newOutline({ limits: { name: 12, note: 12 } });
			const { id } = await outline.create({ name: "one two", note: "one two", format: "text" });
			const base = { name: "one two", note: "one two" };
			await outline.update(id, { name: "one <b>&amp;</b> two", note: "one & two" });
			for (const text of ["one two thr", "one two 3rd"]) {
				expect(await codeOf(outline.update(id, { name: text, base: { name: base.name } }))).toBe("edit_conflict");
				expect(await codeOf(outline.update(id, { note: text, base: { note: base.note } }))).toBe("edit_conflict");
			}
			const { name, note } = await outline.update(id, { name: "one two 3,", note: "one two 3,", base });
			expect({ name, note }).toEqual({ name: "one <b>&amp;</b> two 3,", note: "one & two 3," });
			// The other edit alone has the limit already.
			expect((await outline.update(id, { name: base.name, base: { name: base.name } })).name).toBe(name);
		});

		test("overwrites a text without a base, and changes nothing if the same edit was made already", async () => {
			const edit: OperationOn<"one two three #a", OutlineNode> = ({ outline, a }) =>
				outline.update(a, { name: "x", note: "first\nSECOND", base: { note: "first\nsecond" } });
			const { result } = await prove("one two three #a", edit, "x", { given: meanwhile });
			expect(result.note).toBe("first\nSECOND");
			await proveUnchanged(
				"one two three #a",
				({ outline, a }) => outline.update(a, { name: "one two THREE", base: { name: "one two three" } }),
				{ given: meanwhile },
			);
		});

		test("works on a mirror, with names in Markdown, and with notes that come or go", async () => {
			const { outline, m, a } = await prove(
				"one two #a\nplace\n  (mirror a) #m",
				async ({ outline, m }) => {
					await outline.update(m, { name: "one 2", note: "n" });
					await outline.update(m, { name: "**one** two", format: "markdown", base: { name: "one two" } });
					await outline.update(m, { note: null, base: { note: "n" } });
				},
				"<b>one</b> 2\nplace\n  (mirror <b>one</b> 2)",
			);
			expect(await outline.get(m)).toMatchObject({ name: "<b>one</b> 2", note: null });
			expect((await outline.get(a)).note).toBeNull();
		});

		test.each([
			[{ name: "x", base: "y" }],
			[{ name: "x", base: null }],
			[{ name: "x", base: { name: 1 } }],
			[{ name: "x", base: { name: null } }],
			[{ name: "x", base: { note: "n" } }],
			[{ base: { name: "x" } }],
			[{ name: "x", base: { text: "x" } }],
		])("refuses %j as malformed", async (input) => {
			await proveRefusal("a #a", ({ outline, a }) => outline.update(a, input as never), "invalid_argument");
		});
	});
});

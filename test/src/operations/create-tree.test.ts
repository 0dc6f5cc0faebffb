import { describe, expect, test } from "vitest";
import type { OutlineTree, TreeInput } from "../../../src/operations/create-tree.js";
import { newOutline } from "../../support/outline.js";
import { prove, proveRefusal } from "../../support/prove.js";

const names = ({ name, children }: OutlineTree): unknown => [name, ...children.map(names)];
const all = (tree: OutlineTree): OutlineTree[] => [tree, ...tree.children.flatMap(all)];

describe("createTree", () => {
	test("creates nested nodes in one commit, and returns them", async () => {
		const { result, outline } = await prove(
			"place #place\n  sibling #sibling",
			({ outline, place, sibling }) =>
				outline.createTree({
					parent: place,
					position: { after: sibling },
					name: "# Trip\n- first",
					note: "n",
					children: [
						{ name: "- [x] book", children: [{ name: "ferry" }, { name: "cabin", note: "outside" }] },
						{ name: "pack", layoutMode: "todo", completed: true },
						{ name: "- [x] open again", completed: false },
						{ name: "# text", format: "text" },
					],
				}),
			`
			place
			  sibling
			  Trip
			    first
			    book
			      ferry
			      cabin
			    pack
			    open again
			    # text`,
		);
		expect(outline.history.undo).toBe(1);
		expect(names(result)).toEqual([
			"Trip",
			["first"],
			["book", ["ferry"], ["cabin"]],
			["pack"],
			["open again"],
			["# text"],
		]);
		for (const { children, ...node } of all(result)) expect(await outline.get(node.id)).toEqual(node);
		expect(all(result).map(({ layoutMode, completed, note }) => [layoutMode, completed, note])).toEqual([
			["h1", false, "n"],
			["bullets", false, null],
			["todo", true, null],
			["bullets", false, null],
			["bullets", false, "outside"],
			["todo", true, null],
			["todo", false, null],
			["bullets", false, null],
		]);
	});

	test("takes the same input twice in one tree", async () => {
		const twice: TreeInput = { name: "twice", children: [{ name: "below" }] };
		await prove(
			"",
			({ outline }) => outline.createTree({ name: "both", children: [twice, { name: "z", children: [twice] }, twice] }),
			"both\n  twice\n    below\n  z\n    twice\n      below\n  twice\n    below",
		);
	});

	test("creates 20,000 levels", async () => {
		let deep: TreeInput = { name: "leaf" };
		for (let depth = 0; depth < 20_000; depth++) deep = { name: "x", children: [deep] };
		const tree = await newOutline().createTree(deep);
		let levels = 0;
		for (let at: OutlineTree | undefined = tree; at !== undefined; at = at.children[0]) levels += 1;
		expect(levels).toBe(20_001);
	});

	test.each<[string, unknown]>([
		["createTree", undefined],
		["name", {}],
		["children", { name: "a", children: {} }],
		["children[0]", { name: "a", children: [null] }],
		["children[1].children[0]", { name: "a", children: [{ name: "b" }, { name: "c", children: [["d"]] }] }],
		["children[0]: name", { name: "a", children: [{}] }],
		["children[0]: note", { name: "a", children: [{ name: "b", note: 1 }] }],
		["children[0]: layoutMode", { name: "a", children: [{ name: "b", layoutMode: "h9" }] }],
		["children[0]: format", { name: "a", children: [{ name: "b", format: "rtf" }] }],
		["children[0]: completed", { name: "a", children: [{ name: "b", completed: "yes" }] }],
		["completed", { name: "a", completed: 1 }],
	])("names %s in its refusal of %j", async (place, input) => {
		const error = await proveRefusal("", ({ outline }) => outline.createTree(input as TreeInput), "invalid_argument");
		expect(error.message).toContain(place);
	});

	test("reads a long input as it was at the time of the call", async () => {
		const leaf: TreeInput = { name: "leaf", properties: { of: { list: [1] } } };
		const branch = { name: "branch", children: [leaf, leaf] };
		// The call reads some 8,000 nodes at once, and copies the rest.
		const read = Array.from({ length: 9000 }, (_, index): TreeInput => ({ name: `${index}` }));
		const inner = { name: "inner", children: [...read, leaf] };
		const middle = { name: "middle", children: [inner, branch] };
		const empty = { name: "empty", children: [] as TreeInput[] };
		const tree = { name: "tree", children: [middle, leaf, { name: "end", children: [middle, branch, empty] }] };
		const outline = newOutline();
		const creating = outline.createTree(tree);
		Object.assign(leaf, { name: "changed", children: [{ name: "more" }] });
		(leaf.properties!.of as { list: number[] }).list.push(2);
		Object.assign(branch, { name: "changed", children: [] });
		Object.assign(middle, { name: "changed", children: [] });
		for (const { children } of [tree, inner, empty]) children.push({ name: "more" });
		const created = all(await creating);
		const count = (name: string) => created.filter((node) => node.name === name).length;
		expect(created).toHaveLength(2 * 9000 + 19);
		expect(["tree", "middle", "inner", "branch", "leaf", "end"].map(count)).toEqual([1, 2, 2, 3, 9, 1]);
		expect(created.filter(({ properties }) => "of" in properties).map(({ properties }) => properties)).toEqual(
			Array(9).fill({ of: { list: [1] } }),
		);
	});

	test("names the first wrong node, also if the texts before it take longer to read", async () => {
		const marked: TreeInput = { name: "**a**", children: [{ name: "*b*", children: [{ name: "c" }] }] };
		const refusal = async (...children: unknown[]) => {
			const create: Parameters<typeof proveRefusal>[1] = ({ outline }) =>
				outline.createTree({ name: "top", children: children as TreeInput[] });
			return (await proveRefusal("", create, "invalid_argument")).message;
		};
		expect(await refusal(marked, { name: 5 })).toMatch(/^children\[1\]: name is 5/);
		expect(await refusal(marked, { name: "**x**", note: 1 }, [])).toMatch(/^children\[1\]: note is 1/);
		expect(await refusal(marked, { name: "x", children: [marked, { name: "y", children: [{}] }] })).toMatch(
			/^children\[1\]\.children\[1\]\.children\[0\]: name is undefined/,
		);
		expect(await refusal({ name: "x", children: [marked, { name: "*y*", completed: 1 }] }, {})).toMatch(
			/^children\[0\]\.children\[1\]: completed is 1/,
		);
		expect(await refusal(marked, [])).toMatch(/^children\[1\]: The node is an array/);
	});

	test("refuses an input that contains itself", async () => {
		const endless: { name: string; children: TreeInput[] } = { name: "endless", children: [] };
		endless.children.push({ name: "x", children: [endless] });
		const error = await proveRefusal("", ({ outline }) => outline.createTree(endless), "invalid_argument");
		expect(error.message).toContain("children[0].children[0]: The node is also");
		const long: TreeInput & { children: TreeInput[] } = { name: "long", children: [] };
		for (let index = 0; index < 10_000; index++) long.children.push({ name: `${index}` });
		long.children.push({ name: "x", children: [long] });
		const outside = { name: "top", children: [{ name: "before" }, long] };
		const late = await proveRefusal("", ({ outline }) => outline.createTree(outside), "invalid_argument");
		expect(late.message).toContain("children[1].children[10000].children[0]: The node is also");
	});
});

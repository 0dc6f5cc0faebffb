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
		["children[0] has", { name: "a", children: [{ name: "b", completed: "yes" }] }],
		["completed", { name: "a", completed: 1 }],
	])("names %s in its refusal of %j", async (place, input) => {
		const error = await proveRefusal("", ({ outline }) => outline.createTree(input as TreeInput), "invalid_argument");
		expect(error.message).toContain(place);
	});

	test("refuses an input that contains itself, and a parent that isn't there", async () => {
		const endless: { name: string; children: TreeInput[] } = { name: "endless", children: [] };
		endless.children.push({ name: "x", children: [endless] });
		const error = await proveRefusal("", ({ outline }) => outline.createTree(endless), "invalid_argument");
		expect(error.message).toContain("children[0].children[0]");
		await proveRefusal("", ({ outline }) => outline.createTree({ name: "a", parent: "nowhere" }), "not_found");
	});
});

import { expect, test } from "vitest";
import { ChildLists } from "../../../src/live/child-lists.js";
import type { OutlineNode } from "../../../src/node.js";
import { newOutline } from "../../support/outline.js";

test("a commit copies a list once, and leaves the array that a caller has as it is", async () => {
	const outline = newOutline();
	await outline.createTree({ name: "0", children: [] });
	for (const name of ["1", "2"]) await outline.create({ name });
	const { nodes } = await outline.list();
	const lists = new ChildLists();
	lists.add(null, null, nodes);
	const before = [...nodes];
	const seen = new Set<readonly OutlineNode[] | undefined>();
	const change = (node: OutlineNode) => ({
		get id() {
			seen.add(lists.of(null));
			return node.id;
		},
		before: node,
		after: { ...node, priority: -node.priority - 1 },
	});
	lists.apply(nodes.map(change));
	expect(seen.add(lists.of(null)).size).toBe(2);
	expect(nodes).toEqual(before);
});

import { OutlineError, quoted } from "../errors.js";
import { newRecord, type OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import type { StoredNode } from "../storage.js";
import { type ExportedTree, treeOf } from "./exported-tree.js";

/** The number of nodes processed in a step. */
const nodesInStep = 1024;

/**
 * Returns the tree of nodes that the caller has. A node whose parent isn't among them becomes outermost.
 *
 * @throws `invalid_argument` if there are two nodes with one id
 */
export function* treeOfNodes(nodes: readonly OutlineNode[]): Steps<ExportedTree> {
	const ids = new Set<string>();
	for (const [index, { id }] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		if (ids.has(id)) {
			throw new OutlineError("invalid_argument", `nodes has two nodes with the id ${quoted(id)}. Leave one out.`);
		}
		ids.add(id);
	}
	const stored: StoredNode[] = [];
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const parentId = node.parentId !== null && ids.has(node.parentId) ? node.parentId : null;
		const { properties } = node;
		const record = newRecord(
			{
				...node,
				parentId,
				properties: properties === undefined ? null : JSON.stringify(properties),
				originId: node.mirror?.originId ?? null,
			},
			node.createdAt,
		);
		stored.push({ record, origin: null, mirrorIds: [] });
	}
	return yield* treeOf(stored, null, []);
}

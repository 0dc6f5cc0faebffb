import { OutlineError, quoted } from "../errors.js";
import { keyType } from "../id.js";
import { newRecord, type OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import { parentKey } from "../reference/calendar.js";
import { type Key, type StoredNode, shortcutGroup, systemGroup } from "../storage.js";
import { type ExportedTree, treeOf } from "./exported-tree.js";

/** The number of nodes processed in a step. */
const nodesInStep = 1024;

/**
 * Returns the tree of nodes that the caller has. A node whose parent isn't among them becomes outermost.
 * Leaves out keys of other nodes.
 *
 * @throws `invalid_argument` if there are two nodes with one id
 */
export function* treeOfNodes(
	nodes: readonly OutlineNode[],
	keys: readonly Pick<Key, "key" | "nodeId">[],
): Steps<ExportedTree> {
	const ids = new Set<string>();
	for (const [index, { id }] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		if (ids.has(id)) {
			throw new OutlineError("invalid_argument", `nodes has two nodes with the id ${quoted(id)}. Leave one out.`);
		}
		ids.add(id);
	}
	const priorities = rootPriorities(nodes.filter(({ parentId }) => parentId === null || !ids.has(parentId)));
	const stored: StoredNode[] = [];
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		// A host may have kept the node without them.
		const { id, parentId, properties = {} } = node;
		const rootPriority = priorities.get(id);
		const record = newRecord(
			{
				...node,
				parentId: rootPriority === undefined ? parentId : null,
				priority: rootPriority ?? node.priority,
				properties: Object.keys(properties).length === 0 ? null : JSON.stringify(properties),
				originId: node.mirror?.originId ?? null,
			},
			node.createdAt,
		);
		stored.push({ record, origin: null, mirrorIds: [] });
	}
	return yield* treeOf(
		stored,
		null,
		keys.flatMap(({ key, nodeId }) => (ids.has(nodeId) ? { key, group: groupOf(key), nodeId } : [])),
	);
}

/** Returns the priorities of outermost nodes: other ones if two are equal, because they had other parents. */
function rootPriorities(roots: readonly OutlineNode[]): ReadonlyMap<string, number> {
	const areUnique = new Set(roots.map(({ priority }) => priority)).size === roots.length;
	return new Map(roots.map(({ id, priority }, index) => [id, areUnique ? priority : index]));
}

function groupOf(key: string): string {
	if (keyType(key) === "shortcut") return shortcutGroup;
	return parentKey(key) ?? systemGroup;
}

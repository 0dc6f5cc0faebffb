import type { NodeRecord, Subtree } from "./storage.js";

/** The children of each node of a subtree. */
export function childrenIn({ nodes }: Subtree): Map<string, NodeRecord[]> {
	const children = new Map<string, NodeRecord[]>();
	for (const { record } of nodes) {
		if (record.parentId === null) continue;
		const siblings = children.get(record.parentId);
		if (siblings === undefined) children.set(record.parentId, [record]);
		else siblings.push(record);
	}
	return children;
}

import type { Steps } from "../pace.js";
import type { NodeRecord, Subtree } from "../storage.js";

/** How many nodes a step goes through. */
const stepSize = 1000;

/** The children of each node of a subtree. */
export function* childrenIn({ nodes }: Subtree): Steps<Map<string, NodeRecord[]>> {
	const children = new Map<string, NodeRecord[]>();
	for (const [at, { record }] of nodes.entries()) {
		if (at % stepSize === stepSize - 1) yield;
		if (record.parentId === null) continue;
		const siblings = children.get(record.parentId);
		if (siblings === undefined) children.set(record.parentId, [record]);
		else siblings.push(record);
	}
	return children;
}

import type { Steps } from "../pace.js";
import type { NodeRecord, Subtree } from "../storage.js";

/** The number of nodes in a step. */
const stepSize = 1000;

/** Returns the children of each node of a subtree, by the parent's id. */
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

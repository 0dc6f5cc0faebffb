import { type Steps, sorted } from "../pace.js";
import { byPlace } from "../siblings.js";
import type { NodeRecord, StoredNode, Subtree } from "../storage.js";

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

/**
 * A subtree with its nodes in reading order, which doesn't depend on the order of the storage's answer. Each node comes
 * once, also if the parents of a damaged outline form a cycle.
 */
export function* inReadingOrder(subtree: Subtree): Steps<Subtree> {
	if (subtree.nodes.length < 2) return subtree;
	const children = yield* childrenIn(subtree);
	const left = new Map(subtree.nodes.map((node) => [node.record.id, node]));
	const nodes: StoredNode[] = [];
	for (const waiting = [subtree.nodes[0]!]; waiting.length > 0; ) {
		const node = waiting.pop()!;
		if (!left.delete(node.record.id)) continue;
		if (nodes.push(node) % stepSize === 0) yield;
		const below = yield* sorted(children.get(node.record.id) ?? [], byPlace);
		for (const child of below.toReversed()) {
			const next = left.get(child.id);
			if (next !== undefined) waiting.push(next);
		}
	}
	return { ...subtree, nodes };
}

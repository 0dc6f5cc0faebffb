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

const lastFirst = (one: StoredNode, two: StoredNode) => byPlace(two.record, one.record);

/**
 * A subtree with its nodes in reading order, which doesn't depend on the order of the storage's answer. Each node comes
 * once, also if the parents of a damaged outline form a cycle: it contains the top node, which is no child here.
 */
export function* inReadingOrder(subtree: Subtree): Steps<Subtree> {
	if (subtree.nodes.length < 2) return subtree;
	const families = new Map<string | null, StoredNode[]>();
	for (let index = 1; index < subtree.nodes.length; index++) {
		const node = subtree.nodes[index]!;
		const { parentId } = node.record;
		const family = families.get(parentId);
		if (family === undefined) families.set(parentId, [node]);
		else family.push(node);
		if (index % stepSize === 0) yield;
	}
	const nodes: StoredNode[] = [];
	for (const waiting = [subtree.nodes[0]!]; waiting.length > 0; ) {
		const node = waiting.pop()!;
		if (nodes.push(node) % stepSize === 0) yield;
		const family = families.get(node.record.id);
		if (family === undefined) continue;
		const children = family.length === 1 ? family : yield* sorted(family, lastFirst);
		for (const child of children) waiting.push(child);
	}
	return { nodes, keys: subtree.keys };
}

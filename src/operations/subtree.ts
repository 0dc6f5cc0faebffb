import { addTo } from "../engine/lists.js";
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
		addTo(children, record.parentId, record);
	}
	return children;
}

const inOrder = (one: StoredNode, two: StoredNode) => byPlace(one.record, two.record);

/**
 * A subtree with its nodes in reading order, which doesn't depend on the order of the storage's answer. Each node comes
 * once, also if the parents of a damaged outline form a cycle: it contains the top node, which is no child here.
 */
export function* inReadingOrder(subtree: Subtree): Steps<Subtree> {
	if (subtree.nodes.length < 2) return subtree;
	const families = new Map<string | null, StoredNode[]>();
	// Most storages answer with the children of a node one after the other, and in their order.
	let family: StoredNode[] | undefined;
	for (let index = 1; index < subtree.nodes.length; index++) {
		const node = subtree.nodes[index]!;
		const { parentId } = node.record;
		if (family?.[0]?.record.parentId !== parentId) family = families.get(parentId);
		if (family === undefined) {
			family = [];
			families.set(parentId, family);
		}
		family.push(node);
		if (index % stepSize === 0) yield;
	}
	const nodes: StoredNode[] = [];
	let parents = families.size;
	for (const waiting = [subtree.nodes[0]!]; waiting.length > 0; ) {
		const node = waiting.pop()!;
		if (nodes.push(node) % stepSize === 0) yield;
		const found = parents === 0 ? undefined : families.get(node.record.id);
		if (found === undefined) continue;
		parents -= 1;
		const children = isShortAndInOrder(found) ? found : yield* sorted(found, inOrder);
		for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index]!);
	}
	return { nodes, keys: subtree.keys };
}

/** Whether a family is in order, and so short that it can be looked through in one step. */
function isShortAndInOrder(family: readonly StoredNode[]): boolean {
	if (family.length > stepSize) return false;
	for (let index = 1; index < family.length; index++) {
		if (inOrder(family[index - 1]!, family[index]!) > 0) return false;
	}
	return true;
}

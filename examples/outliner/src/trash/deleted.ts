import type { ChangedKey, OutlineChange, OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";

/** Nodes that one commit deleted below one parent, with all nodes that were below them. */
export interface Deleted {
	/** The parent that the outermost of them had; null for the top level. */
	readonly parentId: string | null;
	/** The outermost nodes, in order. */
	readonly roots: readonly OutlineNode[];
	/** All nodes, as they were before. */
	readonly nodes: readonly OutlineNode[];
}

/**
 * Returns the nodes that a commit deleted, by the parents of the outermost. Leaves out blank nodes, and a row
 * that a command joined with another row, because that row has its text.
 */
export function deletedIn(changes: readonly OutlineChange[]): Deleted[] {
	const gone = goneNodes(changes);
	if (gone.length === 1 && isJoined(gone[0]!, changes)) return [];
	const children = childrenOf(gone);
	const ids = new Set(gone.map(({ id }) => id));
	const deleted: Deleted[] = [];
	for (const [parentId, roots] of children) {
		if (parentId !== null && ids.has(parentId)) continue;
		const nodes = roots.flatMap((root) => subtree(root, children));
		if (!nodes.every(isBlank)) deleted.push({ parentId, roots, nodes });
	}
	return deleted;
}

/** Returns the keys that a commit dropped, with their nodes: days, the inbox and shortcuts. */
export function droppedKeys(keys: readonly ChangedKey[]): { readonly key: string; readonly nodeId: string }[] {
	return keys.flatMap(({ key, nodeId, previousId }) =>
		nodeId === null && previousId !== undefined ? { key, nodeId: previousId } : [],
	);
}

/** Returns a deleted node, followed by all deleted nodes that were below it. */
export function deletedFrom(root: OutlineNode, changes: readonly OutlineChange[]): OutlineNode[] {
	return subtree(root, childrenOf(goneNodes(changes)));
}

/** Whether a node has nothing to read. */
export function isBlank({ name, note, properties, mirror }: OutlineNode): boolean {
	return name === "" && note === null && Object.keys(properties).length === 0 && mirror?.originId == null;
}

/** The deleted nodes as they were before. */
function goneNodes(changes: readonly OutlineChange[]): OutlineNode[] {
	const gone = changes.flatMap(({ before, after }) => (before !== undefined && after === undefined ? [before] : []));
	if (!gone.some(isMirror)) return gone;
	const byId = new Map(changes.map((change) => [change.id, change]));
	return gone.map((node) => {
		const origin = byId.get(node.mirror?.originId ?? "");
		const { before, after } = origin ?? {};
		// An origin that was deleted is in the place of this mirror now. So the mirror can take its old place.
		const isReplaced = after !== undefined && after.parentId === node.parentId && after.priority === node.priority;
		return isReplaced && before ? { ...node, parentId: before.parentId, priority: before.priority } : node;
	});
}

function isMirror({ mirror }: OutlineNode): boolean {
	return mirror?.originId != null;
}

/** The nodes by their parents; siblings in order. */
function childrenOf(nodes: readonly OutlineNode[]): Map<string | null, OutlineNode[]> {
	const children = new Map<string | null, OutlineNode[]>();
	for (const node of nodes) {
		const siblings = children.get(node.parentId);
		if (siblings === undefined) children.set(node.parentId, [node]);
		else siblings.push(node);
	}
	for (const siblings of children.values()) siblings.sort((left, right) => left.priority - right.priority);
	return children;
}

function subtree(root: OutlineNode, children: ReadonlyMap<string | null, readonly OutlineNode[]>): OutlineNode[] {
	const nodes = [root];
	// Grows while the loop runs.
	for (const { id } of nodes) for (const child of children.get(id) ?? []) nodes.push(child);
	return nodes;
}

/** Whether another node has got the texts of a deleted one at the end of its own. */
function isJoined({ name, note }: OutlineNode, changes: readonly OutlineChange[]): boolean {
	const text = (html: string) => toText(html).replace(/\s+/g, "");
	return changes.some(
		({ before, after }) =>
			before !== undefined &&
			after !== undefined &&
			before.name !== after.name &&
			text(after.name) === text(before.name) + text(name) &&
			(note === null || after.note?.endsWith(note)),
	);
}

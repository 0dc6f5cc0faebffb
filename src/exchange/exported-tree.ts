import { ask, askAll, type Reading, stepwise } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import { type Pace, paced, type Steps, sorted } from "../pace.js";
import { calendarKey } from "../reference/calendar.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import {
	type KeyRecord,
	type NodeRecord,
	type StorageAdapter,
	type StoredKey,
	type StoredNode,
	shortcutGroup,
	systemGroup,
} from "../storage.js";

/** A node of a tree that is written. */
export interface ExportedNode {
	readonly node: StoredNode;
	/** How many nodes of the tree are above it. */
	readonly depth: number;
}

/** What is written: the true tree, in which every row stands once. */
export interface ExportedTree {
	/** In reading order. */
	readonly nodes: Iterable<ExportedNode>;
	/** How many nodes there are. */
	readonly size: number;
	/** The keys that point at these nodes, sorted; empty where they weren't asked for. */
	readonly keys: readonly KeyRecord[];
}

/** How a tree is read. */
export interface TreeSource {
	read<T>(reading: () => Reading<T>): Promise<T>;
	scan: StorageAdapter["scan"];
	/** The zone of the outline. */
	readonly timeZone: string;
}

/** How often the outline is read anew when its keys change meanwhile. */
const restarts = 16;

/** How many nodes are looked at in a step. */
const nodesInStep = 1024;

/**
 * Reads a node with all below it, or the whole outline: all of one revision. The keys of a whole outline are read before and
 * after its nodes, and again with the nodes if they differ, so they belong to these.
 *
 * @param pace - of the work that this is part of
 * @throws `not_found`; `conflict` when the keys keep changing
 */
export async function readTree(
	source: TreeSource,
	root: Reference,
	withKeys: boolean,
	pace: Pace,
): Promise<ExportedTree> {
	if (root.form !== "root") {
		const { nodes, keys } = await source.read(() => subtree(root));
		const parentId = nodes[0]!.record.parentId;
		const ordered = await paced(selfContained(nodes), pace);
		return paced(treeOf(ordered, parentId, withKeys ? await paced(ofKeys(keys), pace) : []), pace);
	}
	for (let attempt = 0; attempt < restarts; attempt++) {
		const keys = withKeys ? await source.read(allKeys) : [];
		const nodes: StoredNode[] = [];
		for await (const chunk of source.scan()) {
			for (const node of chunk) nodes.push(node);
			if (pace.isDue) await pace.turn();
		}
		const after = withKeys ? await source.read(allKeys) : [];
		if (await paced(areAlike(keys, after), pace)) return paced(treeOf(nodes, null, keys), pace);
	}
	throw new OutlineError(
		"conflict",
		`The keys of the outline changed ${restarts} times while it was being read. Try again when fewer others write to it.`,
	);
}

function* subtree(root: NodeReference) {
	const [answer] = yield* ask({ type: "subtree", of: root.at });
	if (answer.nodes.length === 0) throw notFound(root);
	return answer;
}

/** Every key: the groups of the calendar are the keys of the entries above. */
function* allKeys(): Reading<KeyRecord[]> {
	const keys: KeyRecord[] = [];
	let groups = [shortcutGroup, systemGroup, calendarKey];
	while (groups.length > 0) {
		const answers: readonly (readonly StoredKey[])[] = yield* askAll(
			groups.map((group) => ({ type: "keys", group }) as const),
		);
		const entries: string[] = [];
		for (const [index, answer] of answers.entries()) {
			for (const { record } of answer) {
				keys.push(record);
				// Years and months have entries below them.
				if (groups[index] !== shortcutGroup && groups[index] !== systemGroup && record.key.length < 10) {
					entries.push(record.key);
				}
			}
		}
		groups = entries;
	}
	return yield* stepwise(ofKeys(keys));
}

/** Keys in their order, without anything else that a storage may have given with them. */
function ofKeys(keys: readonly KeyRecord[]): Steps<KeyRecord[]> {
	const bare = keys.map(({ key, group, nodeId }) => ({ key, group, nodeId }));
	return sorted(bare, (left, right) => (left.key < right.key ? -1 : 1));
}

function* areAlike(before: readonly KeyRecord[], after: readonly KeyRecord[]): Steps<boolean> {
	for (const [index, key] of after.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		if (key.key !== before[index]?.key || key.nodeId !== before[index]?.nodeId) return false;
	}
	return before.length === after.length;
}

/** A mirror whose origin is not among the nodes takes along what it shows: its own row may be behind. */
function* selfContained(nodes: readonly StoredNode[]): Steps<StoredNode[]> {
	const ids = new Set<string>();
	for (const [index, { record }] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		ids.add(record.id);
	}
	const contained: StoredNode[] = [];
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		contained.push(node.origin === null || ids.has(node.origin.id) ? node : withContent(node, node.origin));
	}
	return contained;
}

function withContent(node: StoredNode, { name, note, layoutMode, modifiedAt, completedAt }: NodeRecord): StoredNode {
	return { ...node, record: { ...node.record, name, note, layoutMode, modifiedAt, completedAt } };
}

/** Sorts nodes so that each comes before its children, and these by their priority. */
function* treeOf(
	nodes: readonly StoredNode[],
	rootParentId: string | null,
	keys: readonly KeyRecord[],
): Steps<ExportedTree> {
	const children = new Map<string | null, StoredNode[]>();
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const siblings = children.get(node.record.parentId);
		if (siblings === undefined) children.set(node.record.parentId, [node]);
		else siblings.push(node);
	}
	let count = 0;
	for (const [parentId, siblings] of children) {
		if (++count % nodesInStep === 0) yield;
		if (siblings.length === 1) continue;
		// From last to first, as a stack takes them.
		const byPriority = (left: StoredNode, right: StoredNode) => right.record.priority - left.record.priority;
		children.set(parentId, yield* sorted(siblings, byPriority));
	}
	const roots = rootParentId === null ? (children.get(null) ?? []) : nodes.slice(0, 1);
	const stack = roots.map((node): ExportedNode => ({ node, depth: 0 }));
	const ordered: ExportedNode[] = [];
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		if (ordered.length % nodesInStep === nodesInStep - 1) yield;
		ordered.push(next);
		for (const node of children.get(next.node.record.id) ?? []) stack.push({ node, depth: next.depth + 1 });
	}
	return { nodes: ordered, size: ordered.length, keys };
}

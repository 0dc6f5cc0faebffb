import { addTo } from "../engine/lists.js";
import { ask, type Operation } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import { rewritten } from "../node.js";
import { type Pace, paced, type Steps, sorted } from "../pace.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import type { Key, StorageAdapter, StoredNode } from "../storage.js";

/** A node of an exported tree. */
export interface ExportedNode {
	readonly node: StoredNode;
	/** The number of its ancestors within the tree. */
	readonly depth: number;
}

/** The tree that an export writes: the true tree, which contains every record once. */
export interface ExportedTree {
	/** The nodes in reading order. */
	readonly nodes: Iterable<ExportedNode>;
	/** The number of nodes. */
	readonly size: number;
	/** The keys of these nodes, sorted. Empty if keys weren't requested. */
	readonly keys: readonly Key[];
}

/** The access to an outline that an export needs. */
export interface TreeSource {
	read<T>(operation: () => Operation<T>): Promise<T>;
	scan: StorageAdapter["scan"];
	/** The time zone of the outline. */
	readonly timeZone: string;
}

/** The maximum number of times the outline is read, if its keys change during each read. */
const restarts = 16;

/** The number of nodes processed in a step. */
const nodesInStep = 1024;

/** The number of changes in one query. */
const changesAtOnce = 4096;

/**
 * Reads a node with its subtree, or the whole outline, all at one revision. For a whole outline, the keys are
 * read before and after the nodes. If they have changed in between, the nodes are read again, so the keys
 * always match the nodes.
 *
 * @param pace - the pace of the export
 * @throws `not_found`; `conflict` if the keys keep changing
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
		const contained = await paced(selfContained(nodes), pace);
		return paced(treeOf(contained, parentId, withKeys ? await paced(sortedKeys(keys), pace) : []), pace);
	}
	const feed = new KeyFeed(source.read, pace);
	for (let attempt = 0; attempt < restarts; attempt++) {
		if (withKeys) await feed.read();
		const nodes: StoredNode[] = [];
		for await (const chunk of source.scan()) {
			for (const node of chunk) nodes.push(node);
			if (pace.isDue) await pace.turn();
		}
		if (withKeys && (await feed.read())) continue;
		return paced(treeOf(nodes, null, await paced(sortedKeys([...feed.keys.values()]), pace)), pace);
	}
	throw new OutlineError(
		"conflict",
		`The keys of the outline changed ${restarts} times during the export. Try again when fewer callers write to it.`,
	);
}

function* subtree(root: NodeReference) {
	const [answer] = yield* ask({ type: "subtree", of: root.at });
	if (answer.nodes.length === 0) throw notFound(root);
	return answer;
}

function* changesAfter(since: number) {
	const [page] = yield* ask({ type: "changes", since, limit: changesAtOnce });
	return page;
}

/**
 * Reads all keys, from the feed of changes. No query lists all keys: the group of a day is its month, which may be
 * deleted.
 */
class KeyFeed {
	readonly keys = new Map<string, Key>();
	readonly #read: TreeSource["read"];
	readonly #pace: Pace;
	#revision = 0;
	#horizon = 0;

	constructor(read: TreeSource["read"], pace: Pace) {
		this.#read = read;
		this.#pace = pace;
	}

	/** Reads the feed to its end. Returns whether a key has changed. */
	async read(): Promise<boolean> {
		for (let hasChanged = false; ; ) {
			const since = this.#revision;
			const page = await this.#read(() => changesAfter(since));
			if (since > 0 && page.horizon !== this.#horizon) {
				// The marks of keys that were read may be gone.
				this.keys.clear();
				this.#revision = 0;
				hasChanged = true;
				continue;
			}
			for (const key of page.keys) this.keys.set(key.key, key);
			for (const { key } of page.droppedKeys) this.keys.delete(key);
			hasChanged ||= page.keys.length + page.droppedKeys.length > 0;
			this.#horizon = page.horizon;
			this.#revision = page.revision;
			if (page.revision === since) return hasChanged;
			if (this.#pace.isDue) await this.#pace.turn();
		}
	}
}

/** Sorts keys, and leaves out their revisions. */
function sortedKeys(keys: readonly Key[]): Steps<Key[]> {
	const bare = keys.map(({ key, group, nodeId }) => ({ key, group, nodeId }));
	return sorted(bare, (left, right) => (left.key < right.key ? -1 : 1));
}

/**
 * Copies the origin's content into each mirror whose origin isn't among the nodes, because the mirror's own
 * content may be outdated.
 */
function* selfContained(nodes: readonly StoredNode[]): Steps<StoredNode[]> {
	const ids = new Set<string>();
	for (const [index, { record }] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		ids.add(record.id);
	}
	const contained: StoredNode[] = [];
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const { record, origin } = node;
		const isContained = origin === null || ids.has(origin.id);
		contained.push(isContained ? node : { ...node, record: rewritten(record, origin, origin.modifiedAt) });
	}
	return contained;
}

/** Orders nodes so that each comes before its children, and siblings by priority. */
export function* treeOf(
	nodes: readonly StoredNode[],
	rootParentId: string | null,
	keys: readonly Key[],
): Steps<ExportedTree> {
	const children = new Map<string | null, StoredNode[]>();
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		addTo(children, node.record.parentId, node);
	}
	let count = 0;
	for (const [parentId, siblings] of children) {
		if (++count % nodesInStep === 0) yield;
		if (siblings.length === 1) continue;
		// In reverse, because the stack returns the last one first.
		const byPriority = (left: StoredNode, right: StoredNode) => right.record.priority - left.record.priority;
		children.set(parentId, yield* sorted(siblings, byPriority));
	}
	const roots = rootParentId === null ? (children.get(null) ?? []) : nodes.slice(0, 1);
	const stack = roots.map((node): ExportedNode => ({ node, depth: 0 }));
	const contained: ExportedNode[] = [];
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		if (contained.length % nodesInStep === nodesInStep - 1) yield;
		contained.push(next);
		for (const node of children.get(next.node.record.id) ?? []) stack.push({ node, depth: next.depth + 1 });
	}
	return { nodes: contained, size: contained.length, keys };
}

import { ask, Counter, type Operation, pause } from "../engine/protocol.js";
import { idLength } from "../id.js";
import { nodeView, type OutlineNode } from "../node.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import type { StorageAdapter, StoredNode } from "../storage.js";

/** The children of a node, sorted by priority. */
export interface NodeList {
	/** The children as `get` returns them; below a mirror, with the mirror as their parent. */
	nodes: OutlineNode[];
	/** Present if the parent is a mirror. Spec §2.2, §4.4. */
	mirror?: {
		/** The id of the parent's origin; `null` if it is gone. */
		originId: string | null;
	};
}

/** The most children that a list returns at once. */
const nodesAtOnce = 4096;

/** Retrieves a node. Spec §4.3. @throws `not_found` */
export function* get(reference: NodeReference): Operation<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return nodeView(node);
}

/**
 * Returns the result of {@link get} for the full id of a node, if the storage has it without waiting. Returns
 * undefined for everything else. A text that is the id of a node needs no further check.
 */
export function getAtOnce(storage: StorageAdapter, ref: unknown): OutlineNode | undefined {
	if (storage.peek === undefined || typeof ref !== "string" || ref.length !== idLength) return undefined;
	const seen = storage.peek([{ type: "node", at: { id: ref } }]);
	const node = seen?.durable ? seen.results[0] : null;
	return node === null ? undefined : nodeView(node);
}

/** Returns the result of {@link list} if {@link getAtOnce} would have the parent. */
export function listAtOnce(storage: StorageAdapter, ref: unknown): NodeList | undefined {
	if (storage.peek === undefined || typeof ref !== "string" || ref.length !== idLength) return undefined;
	const at = { id: ref };
	const seen = storage.peek([
		{ type: "node", at },
		{ type: "children", of: at, scope: "visible" },
	]);
	if (!seen?.durable) return undefined;
	const [parent, children] = seen.results;
	if (parent === null || children.length > nodesAtOnce) return undefined;
	const { id } = parent.record;
	return listOf(
		parent,
		children.map((child) => nodeView(child, id)),
	);
}

/** Lists the children that are visible under a parent. Spec §2.2, §4.4. @throws `not_found` */
export function* list(reference: Reference): Operation<NodeList> {
	if (reference.form === "root") {
		const [children] = yield* ask({ type: "children", of: null, scope: "own" });
		return { nodes: yield* viewsOf(children, null) };
	}
	const [parent, children] = yield* ask(
		{ type: "node", at: reference.at },
		{ type: "children", of: reference.at, scope: "visible" },
	);
	if (parent === null) {
		if (reference.form === "inbox") return { nodes: [] };
		throw notFound(reference);
	}
	return listOf(parent, yield* viewsOf(children, parent.record.id));
}

function listOf(parent: StoredNode, nodes: OutlineNode[]): NodeList {
	if (parent.record.originId === null) return { nodes };
	return { nodes, mirror: { originId: parent.origin?.id ?? null } };
}

function* viewsOf(children: readonly StoredNode[], parentId: string | null): Operation<OutlineNode[]> {
	const nodes: OutlineNode[] = [];
	const counter = new Counter();
	for (const child of children) {
		if (counter.isDue()) yield* pause();
		nodes.push(nodeView(child, parentId));
	}
	return nodes;
}

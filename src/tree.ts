import type { Call } from "./call.js";
import type { Changes } from "./change.js";
import type { Block } from "./markup/markdown.js";
import { newRecord, nodeView, type OutlineNode } from "./node.js";
import { ask, type Reading } from "./operation.js";
import { gap, type Place } from "./order.js";
import { placeMoved, placeNew } from "./placement.js";
import { type NodeReference, notFound, type Reference } from "./reference.js";
import type { NodeRecord } from "./storage.js";

/** The children of a node, sorted by priority. */
export interface NodeList {
	nodes: OutlineNode[];
	/** Present if the parent is a mirror; `originId` is `null` when its origin is gone. Spec §2.2, §4.4. */
	mirror?: { originId: string | null };
}

/** A node to be created: its text, and how deep below the first it stands. Times are Unix seconds; left out, they are now. */
export interface DraftNode extends Block {
	readonly note: string | null;
	readonly createdAt?: number | undefined;
	readonly modifiedAt?: number | undefined;
	/** When it was completed, if it is. */
	readonly completedAt?: number | undefined;
}

/** A node and what is below it, to be created. */
export interface Draft {
	/** In reading order; the first is the node itself, and the only one at its depth. */
	readonly nodes: readonly DraftNode[];
	readonly position: Place;
}

/** Retrieves a node. Spec §4.3. @throws `not_found` */
export function* get(reference: NodeReference): Reading<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return nodeView(node);
}

/** Lists the children that are visible under a parent. Spec §2.2, §4.4. @throws `not_found` */
export function* list(reference: Reference): Reading<NodeList> {
	if (reference.form === "root") {
		const [children] = yield* ask({ type: "children", of: null, scope: "own" });
		return { nodes: children.map((child) => nodeView(child)) };
	}
	const [parent, children] = yield* ask(
		{ type: "node", at: reference.at },
		{ type: "children", of: reference.at, scope: "visible" },
	);
	if (parent === null) {
		if (reference.form === "inbox") return { nodes: [] };
		throw notFound(reference);
	}
	const nodes = children.map((child) => nodeView(child, parent.record.id));
	if (parent.record.originId === null) return { nodes };
	return { nodes, mirror: { originId: parent.origin?.id ?? null } };
}

/**
 * Creates a node with its descendants, and gives them in reading order. Under a mirror, it is created under that mirror's origin, where its position is among
 * what is visible under the mirror. Spec §4.1.
 *
 * @param parent - left out, it is the top level, or the parent of the sibling that the position names
 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` for a sibling that stands elsewhere
 */
export function* create(
	call: Call,
	changes: Changes,
	parent: Reference | undefined,
	draft: Draft,
): Reading<OutlineNode[]> {
	const { ids, parentId, priority } = yield* placeNew(call, changes, parent, draft.position, draft.nodes.length);
	const records = recordsOf(draft.nodes, ids, parentId, [priority], call.seconds);
	for (const record of records) changes.put(null, record);
	return records.map((record) => nodeView({ record, origin: null, mirrorIds: [] }));
}

/**
 * Moves a node with all below it; without a destination, within its parent, or to the sibling that the position names. A
 * mirror moves by itself, and moving into a mirror makes the node a child of that mirror alone. Spec §4.6.
 *
 * @throws `not_found` `would_create_cycle`; `invalid_argument` for a sibling that stands elsewhere
 */
export function* move(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	destination: Reference | undefined,
	place: Place,
): Reading<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	const { parentId, priority } = yield* placeMoved(call, changes, node, destination, place);
	const { record } = node;
	if (parentId === record.parentId && priority === record.priority) return nodeView(node);
	const moved: NodeRecord = { ...record, parentId, priority };
	changes.put(record, moved);
	return nodeView({ ...node, record: moved });
}

/**
 * The records of new nodes.
 *
 * @param nodes - in reading order, each at most one deeper than the one before
 * @param ids - one for each
 * @param parentId - of those at depth 0
 * @param priorities - one for each of those
 */
export function recordsOf(
	nodes: readonly DraftNode[],
	ids: readonly string[],
	parentId: string | null,
	priorities: readonly number[],
	seconds: number,
): NodeRecord[] {
	const path: { id: string; children: number }[] = [];
	let roots = 0;
	return nodes.map(({ depth, name, note, layoutMode, completed, ...times }, index) => {
		path.length = depth;
		const parent = path.at(-1);
		const id = ids[index]!;
		path.push({ id, children: 0 });
		const place =
			parent === undefined
				? { parentId, priority: priorities[roots++]! }
				: { parentId: parent.id, priority: gap * parent.children++ };
		const { createdAt = seconds, modifiedAt = seconds, completedAt = seconds } = times;
		const content = { name, note, layoutMode, completedAt: completed ? completedAt : null };
		return newRecord({ id, ...place, ...content, createdAt, modifiedAt }, seconds);
	});
}

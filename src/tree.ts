import type { Call } from "./call.js";
import type { Changes } from "./change.js";
import { OutlineError } from "./errors.js";
import { drawIds } from "./id.js";
import type { Block } from "./markup/markdown.js";
import { materialize } from "./materializer.js";
import { newRecord, nodeView, type OutlineNode, originIdOf } from "./node.js";
import { ask, type Reading } from "./operation.js";
import { gap, type Position, priorityAt } from "./order.js";
import { type NodeReference, notFound, type Reference } from "./reference.js";
import type { Locator, NodeRecord, StoredNode } from "./storage.js";

/** The children of a node, sorted by priority. */
export interface NodeList {
	nodes: OutlineNode[];
	/** Present if the parent is a mirror; `originId` is `null` when its origin is gone. Spec §2.2, §4.4. */
	mirror?: { originId: string | null };
}

/** A node and what is below it, to be created. */
export interface Draft {
	/** In reading order; the first is the node itself. */
	readonly blocks: readonly Block[];
	/** Of the node itself. */
	readonly note: string | null;
	readonly position: Position;
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
 * Creates a node with its descendants. Under a mirror, it is created under that mirror's origin, at the top or bottom of
 * what is visible under the mirror. Spec §4.1.
 *
 * @throws `not_found` for an unknown parent
 */
export function* create(call: Call, changes: Changes, parent: Reference, draft: Draft): Reading<OutlineNode> {
	const at = locatorOf(parent);
	const ends = visibleEnd(at, draft.position, 1);
	const { ids, answers } =
		at === null
			? yield* drawIds(call.ids, draft.blocks.length, ends)
			: yield* drawIds(call.ids, draft.blocks.length, ends, { type: "node", at });
	const [siblings, found = null]: readonly [readonly StoredNode[], (StoredNode | null)?] = answers;
	let parentId = found === null ? null : originIdOf(found);
	if (parent.form !== "root" && found === null) {
		parentId = (yield* materializeParent(call, changes, parent)).node.record.id;
	}
	const records = recordsOf(draft, ids, parentId, priorityAt(draft.position, siblings[0]), call.seconds);
	for (const record of records) changes.put(null, record);
	return nodeView({ record: records[0]!, origin: null, mirrorIds: [] });
}

/**
 * Moves a node with all below it; without a destination, within its parent. A mirror moves by itself, and moving into a
 * mirror makes the node a child of that mirror alone. Spec §4.6.
 *
 * @throws `not_found` `would_create_cycle`
 */
export function* move(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	destination: Reference | undefined,
	position: Position,
): Reading<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	const { record } = node;
	let parentId = record.parentId;
	let siblings: readonly StoredNode[];
	if (destination === undefined || destination.form === "root") {
		if (destination !== undefined) parentId = null;
		const [ends] = yield* ask(visibleEnd(parentId === null ? null : { id: parentId }, position, 2));
		siblings = outermostFirst(ends, position);
	} else {
		const target = yield* findDestination(call, changes, destination, position);
		assertNoCycle(node, target);
		parentId = target.parent.record.id;
		siblings = target.siblings;
	}
	if (parentId === record.parentId && siblings[0]?.record.id === record.id) return nodeView(node);
	const end = siblings.find((sibling) => sibling.record.id !== record.id);
	const moved: NodeRecord = { ...record, parentId, priority: priorityAt(position, end) };
	changes.put(record, moved);
	return nodeView({ ...node, record: moved });
}

/**
 * Deletes a node and all below it, with the keys that point there. Spec §3, §4.5.
 *
 * @throws `not_found`; `has_mirrors` naming the mirrors of any origin among them
 */
export function* remove(changes: Changes, reference: NodeReference): Reading<void> {
	const [{ nodes, keys }] = yield* ask({ type: "subtree", of: reference.at });
	if (nodes.length === 0) throw notFound(reference);
	const mirrorIds = nodes.flatMap((node) => node.mirrorIds);
	if (mirrorIds.length > 0) {
		const named = mirrorIds.slice(0, 5).join(", ") + (mirrorIds.length > 5 ? ` and ${mirrorIds.length - 5} more` : "");
		throw new OutlineError(
			"has_mirrors",
			`The node, or one below it, is an origin that still has mirrors. Delete these mirrors first, or move the origin out of what is deleted: ${named}.`,
			{ mirrorIds },
		);
	}
	for (const { record } of nodes) changes.remove(record);
	for (const { origin } of nodes) if (origin !== null) changes.touch(origin);
	for (const key of keys) changes.removeKey(key);
}

interface Destination {
	readonly parent: StoredNode;
	/** The outermost two of the children that are visible there, the outermost first. */
	readonly siblings: readonly StoredNode[];
	/** The ids of the parent and of its ancestors. */
	readonly lineage: readonly string[];
}

function* findDestination(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	position: Position,
): Reading<Destination> {
	const { at } = reference;
	const [parent, siblings, lineage] = yield* ask({ type: "node", at }, visibleEnd(at, position, 2), {
		type: "ancestors",
		of: at,
	});
	if (parent !== null) return { parent, siblings: outermostFirst(siblings, position), lineage };
	const { node, base, created } = yield* materializeParent(call, changes, reference);
	if (base === null) return { parent: node, siblings: [], lineage: created };
	const [above] = yield* ask({ type: "ancestors", of: { id: base.record.id } });
	return { parent: node, siblings: [], lineage: [...created, ...above] };
}

function assertNoCycle(node: StoredNode, { parent, lineage }: Destination): void {
	if (lineage.includes(node.record.id)) {
		throw new OutlineError(
			"would_create_cycle",
			`The node ${node.record.id} can't be moved to ${parent.record.id}, which is the node itself or below it.`,
		);
	}
	assertOtherOrigin(originIdOf(node), parent);
}

/** A node can't be a child of itself in the guise of a mirror. Spec §4.7. @throws `would_create_cycle` */
export function assertOtherOrigin(originId: string, parent: StoredNode): void {
	if (originIdOf(parent) !== originId) return;
	throw new OutlineError(
		"would_create_cycle",
		`The parent ${parent.record.id} shows the same origin (${originId}) as the node that would come under it.`,
	);
}

function* materializeParent(call: Call, changes: Changes, reference: NodeReference) {
	if (reference.form !== "inbox" && reference.form !== "calendar") throw notFound(reference);
	return yield* materialize(call, changes, reference.at.key);
}

function locatorOf(reference: Reference): Locator | null {
	return reference.form === "root" ? null : reference.at;
}

/** The outermost of the visible children; for a move two of them, since one may be the node that is being moved. */
export function visibleEnd(of: Locator | null, position: Position, limit: number) {
	return { type: "children", of, scope: "visible", limit, fromLast: position === "bottom" } as const;
}

function outermostFirst(ends: readonly StoredNode[], position: Position): readonly StoredNode[] {
	return position === "bottom" ? ends.toReversed() : ends;
}

function recordsOf(
	{ blocks, note }: Draft,
	ids: readonly string[],
	parentId: string | null,
	priority: number,
	seconds: number,
): NodeRecord[] {
	const path: { id: string; children: number }[] = [];
	return blocks.map((block, index) => {
		path.length = block.depth;
		const parent = path.at(-1);
		const id = ids[index]!;
		path.push({ id, children: 0 });
		const place =
			parent === undefined ? { parentId, priority } : { parentId: parent.id, priority: gap * parent.children++ };
		const { name, layoutMode, completed } = block;
		const content = { name, layoutMode, note: index === 0 ? note : null, completedAt: completed ? seconds : null };
		return newRecord({ id, ...place, ...content }, seconds);
	});
}

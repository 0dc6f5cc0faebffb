import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, breathe, Counter, type Reading, stepwise } from "../engine/protocol.js";
import { idLength, reserveMany } from "../id.js";
import type { Block } from "../markup/markdown.js";
import { nodeView, type OutlineNode, placed } from "../node.js";
import type { Steps } from "../pace.js";
import { placeMoved, placeNew } from "../place/placement.js";
import { gap, type Place } from "../place/priority.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import type { NodeRecord, StorageAdapter, StoredNode } from "../storage.js";

/** The children of a node, sorted by priority. */
export interface NodeList {
	/** Each as in `get`, but below a mirror with the mirror as its parent. */
	nodes: OutlineNode[];
	/** Present if the parent is a mirror. Spec §2.2, §4.4. */
	mirror?: {
		/** The id of the parent's origin; `null` when it is gone. */
		originId: string | null;
	};
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

const noMirrors: readonly string[] = [];

/** How many children are listed, and how many records are made, at once. */
const nodesAtOnce = 4096;

/** Retrieves a node. Spec §4.3. @throws `not_found` */
export function* get(reference: NodeReference): Reading<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return nodeView(node);
}

/**
 * What {@link get} gives for the full id of a node that is there, if the storage can tell at once: undefined for everything
 * else, whatever it is. A text that a node has for its id needn't be looked at.
 */
export function getAtOnce(storage: StorageAdapter, ref: unknown): OutlineNode | undefined {
	if (storage.peek === undefined || typeof ref !== "string" || ref.length !== idLength) return undefined;
	const seen = storage.peek([{ type: "node", at: { id: ref } }]);
	const node = seen?.durable ? seen.results[0] : null;
	return node === null ? undefined : nodeView(node);
}

/** What {@link list} gives, as {@link getAtOnce}. */
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
export function* list(reference: Reference): Reading<NodeList> {
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

function* viewsOf(children: readonly StoredNode[], parentId: string | null): Reading<OutlineNode[]> {
	const nodes: OutlineNode[] = [];
	const counter = new Counter();
	for (const child of children) {
		if (counter.breathes) yield* breathe();
		nodes.push(nodeView(child, parentId));
	}
	return nodes;
}

/**
 * Creates a node with its descendants, and gives what `view` makes of their records, in reading order. Under a mirror, it is
 * created under that mirror's origin, where its position is among what is visible under the mirror. Spec §4.1.
 *
 * @param parent - left out, it is the top level, or the parent of the sibling that the position names
 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` for a sibling that stands elsewhere
 */
export function* create<T>(
	call: Call,
	changes: Changes,
	parent: Reference | undefined,
	draft: Draft,
	view: (records: readonly NodeRecord[]) => T,
): Reading<T> {
	const { nodes, position } = draft;
	if (nodes.length > 1) yield* reserveMany(call.ids, nodes.length);
	const { ids, parentId, priority } = yield* placeNew(call, changes, parent, position, nodes.length);
	const records =
		nodes.length === 1
			? [new RecordMaker(parentId, [priority], call.seconds).next(nodes[0]!, ids[0]!)]
			: yield* stepwise(recordsOf(nodes, ids, parentId, [priority], call.seconds));
	changes.add(records);
	return view(records);
}

/** A node that has just been made, as callers see it. */
export function newView(record: NodeRecord): OutlineNode {
	return nodeView({ record, origin: null, mirrorIds: noMirrors });
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
	const moved = placed(record, parentId, priority);
	changes.put(record, moved);
	return nodeView({ record: moved, origin: node.origin, mirrorIds: node.mirrorIds });
}

/**
 * The records of new nodes.
 *
 * @param nodes - in reading order, each at most one deeper than the one before
 * @param ids - one for each
 * @param parentId - of those at depth 0
 * @param priorities - one for each of those
 */
export function* recordsOf(
	nodes: readonly DraftNode[],
	ids: readonly string[],
	parentId: string | null,
	priorities: readonly number[],
	seconds: number,
): Steps<NodeRecord[]> {
	const maker = new RecordMaker(parentId, priorities, seconds);
	const records: NodeRecord[] = [];
	for (let index = 0; index < nodes.length; index++) {
		if (index % nodesAtOnce === nodesAtOnce - 1) yield;
		records.push(maker.next(nodes[index]!, ids[index]!));
	}
	return records;
}

/** Makes the records of new nodes, in reading order. */
class RecordMaker {
	readonly #parentId: string | null;
	readonly #priorities: readonly number[];
	readonly #seconds: number;
	/** By depth, the id of the node that was made last there, and how many children it has. */
	readonly #lastIds: string[] = [];
	readonly #children: number[] = [];
	#roots = 0;

	constructor(parentId: string | null, priorities: readonly number[], seconds: number) {
		this.#parentId = parentId;
		this.#priorities = priorities;
		this.#seconds = seconds;
	}

	next(node: DraftNode, id: string): NodeRecord {
		const { depth, name, note, layoutMode, completed } = node;
		const { createdAt = this.#seconds, modifiedAt = this.#seconds, completedAt = this.#seconds } = node;
		this.#lastIds[depth] = id;
		this.#children[depth] = 0;
		return {
			id,
			parentId: depth === 0 ? this.#parentId : this.#lastIds[depth - 1]!,
			priority: depth === 0 ? this.#priorities[this.#roots++]! : gap * this.#children[depth - 1]!++,
			name,
			note,
			layoutMode,
			createdAt,
			modifiedAt,
			completedAt: completed ? completedAt : null,
			originId: null,
			revision: 0,
		};
	}
}

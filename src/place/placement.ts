import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { drawIds, replaceTaken, whichAreTaken } from "../engine/id-source.js";
import { LazyModule } from "../engine/lazy-module.js";
import { ask, askAll, type Operation } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { originIdOf } from "../node.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import { type Answers, type Locator, type NodeRecord, parentLocator, type Query, type StoredNode } from "../storage.js";
import type { Materialized } from "./on-demand.js";
import { type Beside, type End, type Place, priorityAt, priorityBeside } from "./priority.js";

/**
 * Few calls create nodes for keys. An operation whose call needs them (`call.needs`) runs after the module has
 * been loaded.
 */
export const onDemandModule = new LazyModule("The inbox and the calendar", () => import("./on-demand.js"));

/** The position of a new node. */
interface NewPlacement<Q extends readonly Query[]> {
	/** The ids of the node and of the other new nodes, the node's first. */
	readonly ids: readonly string[];
	/** The parent that the reference names, perhaps a mirror; `null` for the top level. */
	readonly parent: StoredNode | null;
	/** The id of the true parent: if the parent is a mirror, that of its origin. */
	readonly parentId: string | null;
	readonly priority: number;
	/** The answers to the further queries. */
	readonly answers: Answers<Q>;
}

/**
 * Finds the position of a new node, and draws its id and `count - 1` more. It also gets further queries
 * answered. For a position at an end, all this takes one round trip.
 *
 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` for a sibling of another parent
 */
export function* placeNew<const Q extends readonly Query[]>(
	call: Call,
	changes: Changes,
	reference: Reference | undefined,
	place: Place,
	count: number,
	...queries: Q
): Operation<NewPlacement<Q>> {
	if (typeof place !== "string") {
		const { ids, answers } = yield* drawIds(call.ids, count, ...queries);
		const { parent, sibling } = yield* findBeside(place, reference);
		const priority = yield* priorityBeside(changes, parent && { id: parent.record.id }, place.side, sibling);
		return { ids, parent, parentId: parent && originIdOf(parent), priority, answers: answers as unknown as Answers<Q> };
	}
	const at = reference === undefined || reference.form === "root" ? null : reference.at;
	const areFree = call.ids.hasReserved(count);
	const ids = call.ids.take(count);
	const ends = visibleEnd(at, place, 1);
	const taken = whichAreTaken(areFree ? [] : ids);
	const asked: readonly Query[] = at === null ? [taken, ends] : [taken, ends, { type: "node", at }];
	const answers: readonly unknown[] = yield* askAll(queries.length === 0 ? asked : [...asked, ...queries]);
	const [held, siblings, found] = answers as EndAnswers;
	if (held.length > 0) yield* replaceTaken(call.ids, ids, held);
	const parent = at === null ? null : (found ?? (yield* materialized(call, changes, reference as NodeReference)).node);
	const parentId = parent && originIdOf(parent);
	const priority = priorityAt(place, siblings[0]);
	changes.placeAtEnd(place, parentId, priority, siblings[0]?.record);
	const rest = answers.slice(asked.length) as unknown as Answers<Q>;
	return { ids, parent, parentId, priority, answers: rest };
}

/** The short ids in use, the outermost sibling, the parent if it was asked for, and further answers. */
type EndAnswers = readonly [held: readonly string[], siblings: readonly StoredNode[], parent: StoredNode | null];

/**
 * Finds the sibling that a position names, and its parent: the parent given, or else the sibling's own.
 *
 * @throws `not_found`; `invalid_argument` if the sibling isn't a visible child of the parent given
 */
function* findBeside(
	{ sibling: reference }: Beside,
	parentReference: Reference | undefined,
): Operation<{ parent: StoredNode | null; sibling: StoredNode }> {
	const given = parentReference === undefined || parentReference.form === "root" ? null : parentReference;
	const [sibling, found = null]: readonly (StoredNode | null)[] = yield* askAll([
		{ type: "node", at: reference.at },
		...(given === null ? [] : [{ type: "node", at: given.at } as const]),
	] as const);
	if (!sibling) throw notFound(reference);
	const { parentId } = sibling.record;
	if (parentReference === undefined) {
		if (parentId === null) return { parent: null, sibling };
		const [parent] = yield* ask({ type: "node", at: { id: parentId } });
		return { parent, sibling };
	}
	if (given === null ? parentId === null : found !== null && [found.record.id, originIdOf(found)].includes(parentId!)) {
		return { parent: found, sibling };
	}
	if (given !== null && found === null && given.form !== "inbox" && given.form !== "calendar") throw notFound(given);
	throw new OutlineError(
		"invalid_argument",
		`position names the node ${sibling.record.id}, which is no child of ${given === null ? "the top level" : quoted(given.text)}. Name one of its children, or leave out the parent.`,
	);
}

/** A parent and a priority. */
export type Placement = Pick<NodeRecord, "parentId" | "priority">;

/**
 * Finds the position of a node that moves. If it needn't move, this is the position that it has.
 *
 * @param destination - the new parent. Default: the parent of the sibling that `place` names, or else the
 * node's own
 * @throws `not_found` `would_create_cycle`; `invalid_argument` for a sibling of another parent
 */
export function placeMoved(
	call: Call,
	changes: Changes,
	node: StoredNode,
	destination: Reference | undefined,
	place: Place,
): Operation<Placement> {
	return typeof place === "string"
		? endOf(call, changes, node, destination, place)
		: besideSibling(changes, node, destination, place);
}

/** Finds a position at an end of a parent. If the node is the outermost there, it keeps its position. */
function* endOf(
	call: Call,
	changes: Changes,
	node: StoredNode,
	destination: Reference | undefined,
	end: End,
): Operation<Placement> {
	const { record } = node;
	let { parentId } = record;
	let siblings: readonly StoredNode[];
	if (destination === undefined || destination.form === "root") {
		if (destination !== undefined) parentId = null;
		const [ends] = yield* ask(visibleEnd(parentLocator(parentId), end, 2));
		siblings = outermostFirst(ends, end);
	} else {
		const target = yield* findNewParent(call, changes, destination, end);
		assertNoCycle(node, target);
		parentId = target.parent.record.id;
		siblings = target.siblings;
	}
	if (parentId === record.parentId && siblings[0]?.record.id === record.id) return record;
	const outermost = siblings.find((sibling) => sibling.record.id !== record.id);
	const priority = priorityAt(end, outermost);
	changes.placeAtEnd(end, parentId, priority, outermost?.record);
	return { parentId, priority };
}

function* besideSibling(
	changes: Changes,
	node: StoredNode,
	destination: Reference | undefined,
	place: Beside,
): Operation<Placement> {
	const { id } = node.record;
	const { parent, sibling } = yield* findBeside(place, destination);
	if (sibling.record.id === id) {
		throw new OutlineError(
			"invalid_argument",
			`position names the node ${id} itself. It can't go before or after itself. Name another node.`,
		);
	}
	const parentId = parent?.record.id ?? null;
	const stays = parentId === node.record.parentId;
	if (parent !== null && !stays) {
		const [ancestors] = yield* ask({ type: "ancestors", of: { id: parent.record.id } });
		assertNoCycle(node, { parent, ancestors });
	}
	const of = parentLocator(parentId);
	return { parentId, priority: yield* priorityBeside(changes, of, place.side, sibling, stays ? id : null) };
}

/** The new parent of a node that moves. */
interface NewParent {
	readonly parent: StoredNode;
	/** The outermost two of the children visible below it, the outermost first. */
	readonly siblings: readonly StoredNode[];
	/** The ids of the parent and of its ancestors. */
	readonly ancestors: readonly string[];
}

function* findNewParent(call: Call, changes: Changes, reference: NodeReference, end: End): Operation<NewParent> {
	const { at } = reference;
	const [parent, siblings, ancestors] = yield* ask({ type: "node", at }, visibleEnd(at, end, 2), {
		type: "ancestors",
		of: at,
	});
	if (parent !== null) return { parent, siblings: outermostFirst(siblings, end), ancestors };
	const { node, base, created } = yield* materialized(call, changes, reference);
	if (base === null) return { parent: node, siblings: [], ancestors: created };
	const [above] = yield* ask({ type: "ancestors", of: { id: base.record.id } });
	return { parent: node, siblings: [], ancestors: [...created, ...above] };
}

function assertNoCycle(node: StoredNode, { parent, ancestors }: Pick<NewParent, "parent" | "ancestors">): void {
	if (ancestors.includes(node.record.id)) {
		throw new OutlineError(
			"would_create_cycle",
			`The node ${node.record.id} can't be moved to ${parent.record.id}, which is the node itself or below it.`,
		);
	}
	assertOtherOrigin(originIdOf(node), parent);
}

/** Throws if a node would be a child of itself, as its own mirror. Spec §4.7. @throws `would_create_cycle` */
export function assertOtherOrigin(originId: string, parent: StoredNode): void {
	if (originIdOf(parent) !== originId) return;
	throw new OutlineError(
		"would_create_cycle",
		`The parent ${parent.record.id} shows the same origin (${originId}) as the node that would come under it.`,
	);
}

/** Creates the node of a key on demand. @throws `not_found` for any other reference */
function materialized(call: Call, changes: Changes, reference: NodeReference): Operation<Materialized> {
	if (reference.form !== "inbox" && reference.form !== "calendar") throw notFound(reference);
	return onDemandModule.loaded.materialize(call, changes, reference.at.key);
}

/** Returns the query for the outermost visible children. For a move, two: one may be the moved node. */
function visibleEnd(of: Locator | null, end: End, limit: number) {
	return { type: "children", of, scope: "visible", limit, fromLast: end === "bottom" } as const;
}

function outermostFirst(ends: readonly StoredNode[], end: End): readonly StoredNode[] {
	return end === "bottom" ? ends.toReversed() : ends;
}

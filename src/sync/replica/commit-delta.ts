import { askAll, type Operation } from "../../engine/protocol.js";
import { isSamePlace } from "../../node.js";
import { byPlace } from "../../siblings.js";
import {
	type Batch,
	type KeyChange,
	type Neighbours,
	type NodeChange,
	type NodeRecord,
	parentLocator,
	type Query,
	type StorageAdapter,
	type StoredNode,
} from "../../storage.js";
import type { DeltaFields, KeyDelta, KnownNode, Mutable, NodeDelta } from "../delta.js";
import { fieldsOfRecord } from "../record-fields.js";
import type { NodeKeys } from "./node-keys.js";

/** The fields that a delta carries. Stored lines have them in this order. */
export const deltaFields = [
	"parentId",
	"priority",
	"name",
	"note",
	"layoutMode",
	"properties",
	"createdAt",
	"modifiedAt",
	"completedAt",
	"originId",
] as const satisfies readonly (keyof DeltaFields)[];

/** The fields whose change alone never brings a deleted node back. */
const lightFields: ReadonlySet<string> = new Set(["priority", "layoutMode", "modifiedAt", "completedAt"]);

/** The most characters of a text that `rest` repeats. Each edit of the node carries it. */
const longText = 16_384;

/** The most ancestors that a delta names. */
const mostKnown = 4;

/** The most siblings to read one by one. From there on, one query reads all of a parent. */
const mostNearby = 64;

const none: readonly never[] = [];

/** Nodes by their ids. An object with the ids as its members would have a new shape each time, and be slow to make. */
export type KnownNodes = readonly (readonly [id: string, node: KnownNode])[];

/**
 * The part of a delta that isn't in the batch: the neighbours of placed nodes, and the ancestors of these.
 */
export interface Surroundings {
	/** Returns the neighbours of a placed node. */
	anchors(id: string): Neighbours | undefined;
	/** The ancestors of placed nodes. */
	known(): KnownNodes;
}

/** The surroundings of a commit that places no node. */
export const noSurroundings: Surroundings = { anchors: () => undefined, known: () => [] };

/** Whether a commit places the node: it is new, or has another parent or priority. */
function isPlaced({ before, after }: NodeChange): boolean {
	if (after === null) return false;
	return before === null || !isSamePlace(before, after);
}

/** Whether a commit places any node. */
export function places({ nodes }: Batch): boolean {
	for (const change of nodes) if (isPlaced(change)) return true;
	return false;
}

/** A parent under which a commit places nodes. */
interface Family {
	/** The placed nodes. */
	readonly placed: NodeRecord[];
	/** All changed nodes that are under the parent after the commit. */
	readonly there: NodeRecord[];
	/** The ids of the changed nodes that were under the parent before it. */
	readonly before: Set<string>;
}

/** Looks up the surroundings of a commit, on the state before it. */
export function* surroundingsOf(batch: Batch, nodeKeys: NodeKeys): Operation<Surroundings> {
	const queries = queriesForOne(batch);
	if (queries === null) return yield* aroundAll(batch, nodeKeys);
	yield* nodeKeys.load(batch.base);
	return aroundOne(batch, yield* askAll(queries), nodeKeys);
}

/**
 * Returns the surroundings of a commit of one node, if the storage needs no waiting; undefined if it does.
 * Most commits end here, in a fourth of the time that {@link surroundingsOf} takes.
 */
export function surroundingsAtOnce(
	storage: StorageAdapter,
	batch: Batch,
	nodeKeys: NodeKeys,
): Surroundings | undefined {
	const queries = nodeKeys.areKnownAt(batch.base) ? queriesForOne(batch) : null;
	if (queries?.length === 0) return aroundOne(batch, none, nodeKeys);
	const seen = queries === null ? undefined : storage.peek?.(queries);
	return seen?.revision === batch.base ? aroundOne(batch, seen.results, nodeKeys) : undefined;
}

/** Returns the queries for the surroundings of a commit of one node; null for any other commit. */
function queriesForOne({ nodes, keys, hints }: Batch): readonly Query[] | null {
	if (nodes.length !== 1 || keys.length > 0) return null;
	const { before, after } = nodes[0]!;
	if (after === null) return null;
	if (hints?.neighbours !== undefined) return queriesFor(after.parentId, [], 1);
	// The node itself may be the nearest one.
	const limit = before !== null && before.parentId === after.parentId ? 2 : 1;
	return queriesFor(after.parentId, [after.priority], limit);
}

function aroundOne({ nodes, hints }: Batch, answers: readonly unknown[], nodeKeys: NodeKeys): Surroundings {
	const { id } = nodes[0]!.after!;
	const given = hints?.neighbours;
	const neighbours = given ?? {
		above: nearest(answers[0] as readonly StoredNode[], -1, id),
		below: nearest(answers[1] as readonly StoredNode[], 0, id),
	};
	const lineage = (answers[given === undefined ? 2 : 0] ?? none) as readonly string[];
	return new AroundOne(neighbours, lineage, nodeKeys.ofAll(lineage));
}

/** Returns the first or the last of some nodes, or the one beside it if that is the node itself. */
function nearest(nodes: readonly StoredNode[], at: 0 | -1, id: string): string | null {
	const found = nodes.at(at)?.record.id;
	if (found !== id) return found ?? null;
	return nodes.length === 1 ? null : nodes.at(at === 0 ? 1 : -2)!.record.id;
}

/** The surroundings of a commit of one node. */
class AroundOne implements Surroundings {
	readonly #neighbours: Neighbours;
	readonly #lineage: readonly string[];
	readonly #keys: readonly (string | undefined)[];

	constructor(neighbours: Neighbours, lineage: readonly string[], keys: readonly (string | undefined)[]) {
		this.#neighbours = neighbours;
		this.#lineage = lineage;
		this.#keys = keys;
	}

	anchors(): Neighbours {
		return this.#neighbours;
	}

	known(): KnownNodes {
		return knownNodes(this.#lineage, this.#keys);
	}
}

/** {@link surroundingsOf} any commit. */
function* aroundAll(batch: Batch, nodeKeys: NodeKeys): Operation<Surroundings> {
	const newParents = newParentsOf(batch);
	const families = familiesOf(batch, newParents);
	// An undo may only delete a node, and move siblings back that made room for it.
	if (families.size === 0) return noSurroundings;
	addMembers(families, batch);

	const queries: Query[] = [];
	const ends = new Map<string | null, number>();
	for (const [parentId, { placed, before }] of families) {
		if (newParents.has(parentId)) continue;
		const few = placed.length * (before.size + 1) <= mostNearby;
		queries.push(...queriesFor(parentId, few ? placed.map(({ priority }) => priority) : null, before.size + 1));
		ends.set(parentId, queries.length);
	}
	const answers = queries.length === 0 ? none : yield* askAll(queries);
	if (queries.length > 0) yield* nodeKeys.load(batch.base);
	const anchors = new Map<string, Neighbours>();
	const known = new Map<string, KnownNode>();
	let next = 0;
	for (const [parentId, { placed, there, before }] of families) {
		const line = new Map(there.map((record) => [record.id, record]));
		const end = ends.get(parentId) ?? next;
		const hasLineage = parentId !== null && end > next;
		for (const answer of answers.slice(next, hasLineage ? end - 1 : end) as readonly (readonly StoredNode[])[]) {
			for (const { record } of answer) if (!before.has(record.id)) line.set(record.id, record);
		}
		if (hasLineage) {
			const lineage = answers[end - 1] as readonly string[];
			for (const [id, node] of knownNodes(lineage, nodeKeys.ofAll(lineage))) known.set(id, node);
		}
		next = end;
		const siblings = [...line.values()].sort(byPlace);
		const places = new Map(siblings.map(({ id }, index) => [id, index]));
		for (const { id } of placed) {
			const index = places.get(id)!;
			anchors.set(id, { above: siblings[index - 1]?.id ?? null, below: siblings[index + 1]?.id ?? null });
		}
	}
	return { anchors: (id) => anchors.get(id), known: () => [...known] };
}

/** Returns the ids of the new nodes under which a commit places nodes. */
function newParentsOf({ nodes }: Batch): ReadonlySet<string | null> {
	// No loops of its own, as in `Changes.batch`: the first one may run for long.
	const parents = new Set<string | null>();
	nodes.forEach(({ after }) => {
		if (after !== null) parents.add(after.parentId);
	});
	const newParents = new Set<string | null>();
	nodes.forEach(({ before, after }) => {
		if (before === null && parents.has(after!.id)) newParents.add(after!.id);
	});
	return newParents;
}

/** Returns the parents under which a commit places nodes, except new ones without a key. */
function familiesOf({ nodes, keys, hints }: Batch, newParents: ReadonlySet<string | null>): Map<string | null, Family> {
	const families = new Map<string | null, Family>();
	for (const change of nodes) {
		if (!isPlaced(change) || hints?.aside.has(change.after!.id)) continue;
		const { parentId } = change.after!;
		const family = families.get(parentId);
		if (family !== undefined) family.placed.push(change.after!);
		else if (!newParents.has(parentId) || keys.some(({ after }) => after?.nodeId === parentId)) {
			families.set(parentId, { placed: [change.after!], there: [], before: new Set() });
		}
	}
	return families;
}

/** Adds the changed nodes that are under each parent after the commit, and that were there before it. */
function addMembers(families: ReadonlyMap<string | null, Family>, { nodes }: Batch): void {
	for (const { before, after } of nodes) {
		if (after !== null) families.get(after.parentId)?.there.push(after);
		if (before !== null) families.get(before.parentId)?.before.add(before.id);
	}
}

/**
 * Returns the queries for the nearest siblings of some priorities, above and below each, or for all children
 * of a parent; and for its ancestors.
 */
function queriesFor(parentId: string | null, priorities: readonly number[] | null, limit: number): Query[] {
	const of = parentLocator(parentId);
	const queries: Query[] = [];
	if (priorities === null) queries.push({ type: "children", of, scope: "own" });
	for (const priority of priorities ?? none) {
		queries.push({ type: "children", of, scope: "own", before: priority, limit, fromLast: true });
		queries.push({ type: "children", of, scope: "own", after: priority, limit });
	}
	if (of !== null) queries.push({ type: "ancestors", of, limit: mostKnown + 1 });
	return queries;
}

/** Returns the nearest ancestors of a node. */
function knownNodes(lineage: readonly string[], keys: readonly (string | undefined)[]): KnownNodes {
	return lineage.slice(0, mostKnown).map((id, at) => {
		const parentId = lineage[at + 1] ?? null;
		const key = keys[at];
		return [id, key === undefined ? { parentId } : { parentId, key }];
	});
}

/** Returns the delta of one node, as an entry carries it. */
export function nodeDeltaOf(
	{ before, after }: NodeChange,
	surroundings: Surroundings,
	hints: Batch["hints"],
): NodeDelta {
	if (after === null) return { id: before!.id, before: fieldsOfRecord(before!), after: null };
	const { id } = after;
	const delta: Mutable<NodeDelta> = { id, before: null, after: null };
	if (before === null) delta.after = fieldsOfRecord(after);
	else addChanges(delta, before, after, hints?.aside.has(id) ?? false);
	// One by one, because spreading them takes several times as long.
	const anchors = surroundings.anchors(id);
	if (anchors !== undefined) {
		delta.above = anchors.above;
		delta.below = anchors.below;
	}
	const copyOf = hints?.copies.get(id);
	if (copyOf !== undefined) delta.copyOf = copyOf;
	const others = hints?.others?.get(id);
	if (others !== undefined) delta.others = others;
	return delta;
}

/** Adds the changed fields of a node, and the other fields, with which it can return if it is gone. */
function addChanges(delta: Mutable<NodeDelta>, before: NodeRecord, after: NodeRecord, isAside: boolean): void {
	const was: { [field: string]: unknown } = {};
	const is: { [field: string]: unknown } = {};
	let isLight = true;
	for (const field of deltaFields) {
		if (before[field] === after[field]) continue;
		was[field] = before[field];
		is[field] = after[field];
		isLight &&= lightFields.has(field);
	}
	delta.before = was;
	delta.after = is;
	if (!isLight) delta.rest = restOf(after, is);
	else if (before.priority !== after.priority && !isAside) delta.rest = { parentId: before.parentId };
	if (isAside) delta.aside = true;
}

/** The fields that a commit left alone, with which the node can return if it is gone. */
function restOf(after: NodeRecord, changed: { readonly [field: string]: unknown }): DeltaFields {
	const fields = fieldsOfRecord(after);
	const rest: { [field: string]: unknown } = {};
	for (const field of deltaFields) {
		if (field in changed) continue;
		const value = fields[field];
		if (value === undefined || (typeof value === "string" && value.length > longText)) continue;
		rest[field] = value;
	}
	return rest;
}

/** Returns the delta of a key. */
export function keyDeltaOf({ before, after }: KeyChange): KeyDelta {
	const { key, group } = (after ?? before)!;
	return { key, group, before: before?.nodeId ?? null, after: after?.nodeId ?? null };
}

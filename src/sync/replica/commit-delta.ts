import { askAll, type Operation } from "../../engine/protocol.js";
import { byPlace } from "../../siblings.js";
import type { Answer, Batch, KeyChange, NodeChange, NodeRecord, Query, StoredNode } from "../../storage.js";
import type { DeltaFields, KeyDelta, KnownNode, NodeDelta } from "../delta.js";
import { fieldsOfRecord } from "../record-fields.js";
import type { NodeKeys } from "./node-keys.js";

/** The fields that a delta carries. */
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

/** The length from which a text isn't repeated in `rest`. */
const longText = 2000;

/** The most ancestors that a delta names. */
const mostKnown = 4;

/** The most siblings to read one by one. From there on, one query reads all of a parent. */
const mostNearby = 64;

/** The siblings above and below a placed node. */
interface Anchors {
	readonly above: string | null;
	readonly below: string | null;
}

/** The part of a delta that isn't in the batch: the neighbours of placed nodes, and the ancestors of these. */
export interface Surroundings {
	readonly anchors: ReadonlyMap<string, Anchors>;
	readonly known: { readonly [id: string]: KnownNode };
}

/** The surroundings of a commit that places no node. */
export const noSurroundings: Surroundings = { anchors: new Map(), known: {} };

/** Whether a change changes any field but the revision. */
export function differs({ before, after }: NodeChange): boolean {
	if (before === null || after === null) return before !== after;
	for (const field of deltaFields) if (before[field] !== after[field]) return true;
	return false;
}

/** Whether a commit places the node: it is new, or has another parent or priority. */
function isPlaced({ before, after }: NodeChange): boolean {
	if (after === null) return false;
	return before === null || before.parentId !== after.parentId || before.priority !== after.priority;
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
	/** The number of changed nodes that were under the parent before it. */
	before: number;
}

/** Looks up the surroundings of a commit, on the state before it. */
export function* surroundingsOf({ base, nodes, keys, hints }: Batch, nodeKeys: NodeKeys): Operation<Surroundings> {
	const changed = new Map<string, NodeChange>();
	const families = new Map<string | null, Family>();
	for (const change of nodes) changed.set((change.after ?? change.before)!.id, change);
	for (const change of nodes) {
		if (!isPlaced(change) || hints?.aside.has(change.after!.id)) continue;
		const { parentId } = change.after!;
		const family = families.get(parentId);
		if (family !== undefined) family.placed.push(change.after!);
		else if (!isNew(changed, parentId) || keys.some(({ after }) => after?.nodeId === parentId)) {
			families.set(parentId, { placed: [change.after!], there: [], before: 0 });
		}
	}
	if (families.size === 0) return noSurroundings;
	for (const { before, after } of nodes) {
		if (after !== null) families.get(after.parentId)?.there.push(after);
		const from = before === null ? undefined : families.get(before.parentId);
		if (from !== undefined) from.before += 1;
	}

	const queries: Query[] = [];
	for (const [parentId, family] of families) {
		if (!isNew(changed, parentId)) queries.push(...familyQueries(parentId, family));
	}
	const answers = queries.length === 0 ? [] : yield* askAll(queries);
	const anchors = new Map<string, Anchors>();
	const known: { [id: string]: KnownNode } = {};
	let next = 0;
	for (const [parentId, { placed, there, before }] of families) {
		there.sort(byPlace);
		const stored = !isNew(changed, parentId);
		const nearby = placed.length * (before + 1) <= mostNearby;
		const all = stored && !nearby ? unchanged(answers[next++], changed) : undefined;
		const line = all === undefined ? undefined : [...there, ...all].sort(byPlace);
		const places = line === undefined ? undefined : new Map(line.map(({ id }, index) => [id, index]));
		for (const node of placed) {
			if (line !== undefined && places !== undefined) {
				const index = places.get(node.id)!;
				anchors.set(node.id, { above: line[index - 1]?.id ?? null, below: line[index + 1]?.id ?? null });
				continue;
			}
			const above = stored ? unchanged(answers[next++], changed).at(-1) : undefined;
			const below = stored ? unchanged(answers[next++], changed)[0] : undefined;
			const index = there.indexOf(node);
			anchors.set(node.id, {
				above: nearest(there[index - 1], above, (one, other) => one > other),
				below: nearest(there[index + 1], below, (one, other) => one < other),
			});
		}
		if (!stored || parentId === null) continue;
		const lineage = answers[next++] as readonly string[];
		yield* nodeKeys.load(base);
		for (let at = 0; at < lineage.length && at < mostKnown; at++) {
			const key = nodeKeys.of(lineage[at]!);
			known[lineage[at]!] = { parentId: lineage[at + 1] ?? null, ...(key !== undefined && { key }) };
		}
	}
	return { anchors, known };
}

function isNew(changed: ReadonlyMap<string, NodeChange>, id: string | null): boolean {
	return id !== null && changed.get(id)?.before === null;
}

function familyQueries(parentId: string | null, { placed, before }: Family): Query[] {
	const of = parentId === null ? null : { id: parentId };
	const children = { type: "children", of, scope: "own" } as const;
	const queries: Query[] = [];
	if (placed.length * (before + 1) > mostNearby) queries.push(children);
	else {
		for (const { priority } of placed) {
			queries.push({ ...children, before: priority, limit: before + 1, fromLast: true });
			queries.push({ ...children, after: priority, limit: before + 1 });
		}
	}
	if (of !== null) queries.push({ type: "ancestors", of });
	return queries;
}

/** The stored siblings that the commit leaves alone. */
function unchanged(answer: Answer<Query> | undefined, changed: ReadonlyMap<string, NodeChange>): NodeRecord[] {
	const records = (answer as readonly StoredNode[]).map(({ record }) => record);
	return records.filter(({ id }) => !changed.has(id));
}

function nearest(
	one: NodeRecord | undefined,
	other: NodeRecord | undefined,
	isNearer: (one: number, other: number) => boolean,
): string | null {
	if (one === undefined || other === undefined) return (one ?? other)?.id ?? null;
	return isNearer(one.priority, other.priority) ? one.id : other.id;
}

/** Returns the delta of one node, as an entry carries it. */
export function nodeDeltaOf(
	{ before, after }: NodeChange,
	{ anchors }: Surroundings,
	hints: Batch["hints"],
): NodeDelta {
	if (after === null) return { id: before!.id, before: fieldsOfRecord(before!), after: null };
	const { id } = after;
	if (before === null) {
		const copyOf = hints?.copies.get(id);
		return {
			id,
			before: null,
			after: fieldsOfRecord(after),
			...anchors.get(id),
			...(copyOf !== undefined && { copyOf }),
		};
	}
	const was: { [field: string]: unknown } = {};
	const is: { [field: string]: unknown } = {};
	let isLight = true;
	for (const field of deltaFields) {
		if (before[field] === after[field]) continue;
		was[field] = before[field];
		is[field] = after[field];
		isLight &&= lightFields.has(field);
	}
	return {
		id,
		before: was,
		after: is,
		...(!isLight && { rest: restOf(after, before, is) }),
		...anchors.get(id),
		...(hints?.aside.has(id) && { aside: true }),
	};
}

/** The fields that a commit left alone, with which the node can return if it is gone. */
function restOf(
	after: NodeRecord,
	{ parentId }: NodeRecord,
	changed: { readonly [field: string]: unknown },
): DeltaFields {
	const { priority: _, ...fields } = fieldsOfRecord({ ...after, parentId });
	const rest: { [field: string]: unknown } = {};
	for (const [field, value] of Object.entries(fields)) {
		if (field in changed || (typeof value === "string" && value.length > longText)) continue;
		rest[field] = value;
	}
	return rest;
}

/** Returns the delta of a key. */
export function keyDeltaOf({ before, after }: KeyChange): KeyDelta {
	const { key, group } = (after ?? before)!;
	return { key, group, before: before?.nodeId ?? null, after: after?.nodeId ?? null };
}

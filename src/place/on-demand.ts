import { v5 } from "uuid";
import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { drawIds, whichAreTaken } from "../engine/id-source.js";
import { ask, askAll, type Operation } from "../engine/protocol.js";
import { inboxKey, shortIdOf } from "../id.js";
import { newRecord } from "../node.js";
import { calendarName, parentKey } from "../reference/calendar.js";
import { type NodeRecord, type StoredNode, systemGroup } from "../storage.js";
import { priorityAt, priorityBeside } from "./priority.js";

/** The namespace of the ids that come from keys. It must never change: outlines on two devices agree by it. */
const keyNamespace = "5b6c1c0e-7c1d-4f43-9a0e-2f6a8a1d3c57";

/** Returns the id of the node that a key creates on demand: a UUID, version 5, of the key. Spec §2.4. */
function idOfKey(key: string): string {
	return v5(key, keyNamespace);
}

/** The part of a call that the creation of nodes needs. */
type Creating = Pick<Call, "seconds" | "ids"> & { readonly settings: Pick<Call["settings"], "names"> };

/** A new node of a key. It has no children yet. */
export interface Materialized {
	readonly node: StoredNode;
	/** The nearest ancestor that existed before; `null` if there was none. */
	readonly base: StoredNode | null;
	/** The ids of the new nodes, from top to bottom. The last is that of the node. */
	readonly created: readonly string[];
}

/**
 * Creates the node of the inbox or of a calendar key, with the missing entries above it. A calendar entry
 * goes among the entries of its kind, in chronological order. The inbox and the calendar go to the bottom of
 * the top level. Spec §2.4, §4.1, §4.6.
 *
 * The ids come from the keys, so two devices that have never met create the same day. Only if such an id is in
 * use for another node, the host's `generateId` returns one.
 *
 * @param lasting - whether the nodes stay if the operation is undone
 * @throws TypeError or RangeError for invalid ids of the host
 */
export function* materialize(call: Creating, changes: Changes, key: string, lasting = true): Operation<Materialized> {
	const chain = [key];
	for (let above = parentKey(key); above !== null; above = parentKey(above)) chain.push(above);
	const [held, ...answers] = yield* askAll([
		whichAreTaken(chain.map(idOfKey)),
		...chain.map((each) => ({ type: "node", at: { key: each } }) as const),
	]);
	const existing = answers.findIndex((node) => node !== null);
	const base = existing < 0 ? null : answers[existing]!;
	const missing = chain.slice(0, existing < 0 ? chain.length : existing).reverse();

	let parentId = base?.record.id ?? null;
	let record: NodeRecord | undefined;
	const created: string[] = [];
	for (const [index, each] of missing.entries()) {
		const priority = index > 0 ? 0 : yield* priorityOfEntry(changes, base, each);
		const name = each === inboxKey ? call.settings.names.inbox : calendarName(each, call.settings.names.calendar);
		const own = idOfKey(each);
		const isFree = !held.includes(shortIdOf(own)) && call.ids.claim(own);
		const id = isFree ? own : (yield* drawIds(call.ids, 1)).ids[0]!;
		record = newRecord({ id, parentId, priority, name }, call.seconds);
		const keyRecord = { key: each, group: parentKey(each) ?? systemGroup, nodeId: record.id };
		changes.materialize(record, keyRecord, lasting);
		created.push(record.id);
		parentId = record.id;
	}
	return { node: { record: record!, origin: null, mirrorIds: [] }, base, created };
}

/** Returns a priority for a new entry below the nearest entry above it; at the bottom of the top level if that is null. */
export function* priorityOfEntry(changes: Changes, base: StoredNode | null, key: string): Operation<number> {
	if (base !== null) return yield* chronological(changes, base.record.id, key);
	const [last] = yield* ask({ type: "children", of: null, scope: "own", limit: 1, fromLast: true });
	return priorityAt("bottom", last[0]);
}

/**
 * Returns a priority for a new entry: after the last earlier entry, or else before the first later one, or
 * else at the bottom. Entries that users have moved to another parent don't count.
 */
export function* chronological(changes: Changes, parentId: string, key: string): Operation<number> {
	const [entries, last] = yield* ask(
		{ type: "keys", group: parentKey(key)! },
		{ type: "children", of: { id: parentId }, scope: "own", limit: 1, fromLast: true },
	);
	const siblings = entries
		.filter(({ node }) => node.record.parentId === parentId)
		.sort((left, right) => (left.record.key < right.record.key ? -1 : 1));
	const earlier = siblings.findLast(({ record }) => record.key < key);
	if (earlier !== undefined) return yield* priorityBeside(changes, { id: parentId }, "after", earlier.node);
	const later = siblings.find(({ record }) => record.key > key);
	if (later !== undefined) return yield* priorityBeside(changes, { id: parentId }, "before", later.node);
	return priorityAt("bottom", last[0]);
}

import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { drawIds } from "../engine/id-source.js";
import { ask, type Operation } from "../engine/protocol.js";
import { newRecord } from "../node.js";
import { calendarName, parentKey } from "../reference/calendar.js";
import { inboxKey } from "../reference/reference.js";
import { type NodeRecord, type StoredNode, systemGroup } from "../storage.js";
import { priorityAt, priorityBeside } from "./priority.js";

/** A node that has just been made for a key: it has no children yet. */
export interface Materialized {
	readonly node: StoredNode;
	/** The nearest ancestor that was there before; `null` if that is the root. */
	readonly base: StoredNode | null;
	/** The ids of the nodes between the base and the node, and of the node itself. */
	readonly created: readonly string[];
}

/**
 * Makes the node of the inbox or of a calendar key that has none yet, with as many of the entries above it as are missing.
 * Calendar entries are put in chronological order among their own kind; the inbox and the calendar go to the bottom of the
 * top level. Spec §2.4, §4.1, §4.6.
 *
 * @param lasting - whether the nodes stay when the operation that has asked for them is undone
 * @throws TypeError or RangeError for ids of the host that can't be used
 */
export function* materialize(call: Call, changes: Changes, key: string, lasting = true): Operation<Materialized> {
	const chain = [key];
	for (let above = parentKey(key); above !== null; above = parentKey(above)) chain.push(above);
	const { ids, answers } = yield* drawIds(
		call.ids,
		chain.length,
		...chain.map((each) => ({ type: "node", at: { key: each } }) as const),
	);
	const existing = answers.findIndex((node) => node !== null);
	const base = existing < 0 ? null : answers[existing]!;
	const missing = chain.slice(0, existing < 0 ? chain.length : existing).reverse();

	let parentId = base?.record.id ?? null;
	let record: NodeRecord | undefined;
	const created: string[] = [];
	for (const [index, each] of missing.entries()) {
		const priority = index > 0 ? 0 : base === null ? yield* bottomOfRoot() : yield* chronological(changes, base, each);
		const name = each === inboxKey ? call.settings.names.inbox : calendarName(each, call.settings.names.calendar);
		record = newRecord({ id: ids[index]!, parentId, priority, name }, call.seconds);
		const keyRecord = { key: each, group: parentKey(each) ?? systemGroup, nodeId: record.id };
		changes.materialize(record, keyRecord, lasting);
		created.push(record.id);
		parentId = record.id;
	}
	return { node: { record: record!, origin: null, mirrorIds: [] }, base, created };
}

function* bottomOfRoot(): Operation<number> {
	const [last] = yield* ask({ type: "children", of: null, scope: "own", limit: 1, fromLast: true });
	return priorityAt("bottom", last[0]);
}

/** The place of a new entry among those of its kind that still stand below the entry above, whatever else stands there. */
function* chronological(changes: Changes, parent: StoredNode, key: string): Operation<number> {
	const parentId = parent.record.id;
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

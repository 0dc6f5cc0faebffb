import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, askAll, Counter, type Operation, pause, stepwise } from "../engine/protocol.js";
import { shortIdOf } from "../id.js";
import { differs } from "../node.js";
import { priorityOfEntry } from "../place/on-demand.js";
import { freeFrom } from "../place/priority.js";
import { parentKey } from "../reference/calendar.js";
import { type Key, type NodeRecord, type StoredNode, type Subtree, shortcutGroup } from "../storage.js";
import { displacedNodes, idsStayingAside } from "./displacement.js";
import { hasContentOf, isBlank, type Obstacles, reversalOf } from "./reversal.js";
import { nodesOf, type Step } from "./step.js";

/** The records that the nodes of a step get, by id; `null` for a node to be deleted. */
type Records = Map<string, NodeRecord | null>;

/**
 * Reverts a step. Deletes the nodes that it created, restores deleted nodes with their ids, mirrors and keys,
 * and sets back changed fields. Keeps later changes. Returns the ids of the changed nodes.
 *
 * @throws `undo_blocked` if this would overwrite later changes of nodes or keys; the error lists them
 */
export function* revert(call: Call, changes: Changes, step: Step): Operation<string[]> {
	const found = yield* currentNodes(step);
	const aside = yield* idsStayingAside(step, found);
	const { records, obstacles } = yield* stepwise(reversalOf(step, found, call.seconds, (id) => aside.has(id)));
	yield* keepEntriesInUse(step, found, changes, records, obstacles);
	yield* checkDeletions(step, records, obstacles);
	yield* checkRestored(found, records, obstacles);
	yield* checkMirrors(found, records, obstacles);
	const keys = yield* keysBefore(step, found, records, obstacles);
	obstacles.assertNone(step.operation);

	const displaced = yield* displacedNodes(found, records);
	const counter = new Counter();
	for (const [id, record] of records) {
		if (counter.isDue()) yield* pause();
		const copied = step.copies.get(id);
		if (record === null) changes.remove(found.get(id)!.record);
		else if (step.aside.has(id)) changes.moveAside(found.get(id)!.record, record);
		else if (copied !== undefined) changes.putCopy(record, copied);
		else changes.put(found.get(id)?.record ?? null, record);
	}
	for (const { before, after } of displaced) changes.moveAside(before, after);
	for (const [id, record] of records) {
		if (counter.isDue()) yield* pause();
		const was = found.get(id)?.record.originId ?? null;
		const is = record?.originId ?? null;
		if (was === is) continue;
		for (const originId of [was, is]) {
			const origin = originId === null ? undefined : found.get(originId)?.record;
			if (origin !== undefined) changes.touch(origin);
		}
	}
	for (const { before, after } of keys) {
		if (after === null) changes.removeKey(before!);
		else changes.putKey(before, after);
	}
	return [...records.keys()];
}

/**
 * The current state of a step's nodes, of their parents and origins before and after, and of the nodes its
 * keys return to.
 */
function* currentNodes(step: Step): Operation<Map<string, StoredNode>> {
	const ids = new Set<string>();
	const counter = new Counter();
	const add = ({ id, parentId, originId }: NodeRecord) => {
		ids.add(id);
		if (parentId !== null) ids.add(parentId);
		if (originId !== null) ids.add(originId);
	};
	for (const { before, after } of nodesOf(step)) {
		if (counter.isDue()) yield* pause();
		if (before !== null) add(before);
		if (after !== null) add(after);
	}
	for (const { before } of step.keys) if (before !== null) ids.add(before.nodeId);
	const [related] = yield* ask({ type: "related", ids: [...ids] });
	const found = new Map<string, StoredNode>();
	for (const node of related) {
		if (counter.isDue()) yield* pause();
		found.set(node.record.id, node);
	}
	return found;
}

/**
 * Keeps an entry that `ensure` or an import created if it has children that stay, such as days that were created
 * later. It becomes what a reference to its key would have created. Adds its new parent to `found`.
 */
function* keepEntriesInUse(
	step: Step,
	found: Map<string, StoredNode>,
	changes: Changes,
	records: Records,
	obstacles: Obstacles,
): Operation<void> {
	const isGoing = (id: string) => records.get(id) === null;
	const kept = yield* entriesInUse(step, records);
	for (const id of kept.keys()) {
		records.delete(id);
		obstacles.forget(id);
	}
	/** The priorities of moved entries, by their new parents. */
	const taken = new Map<string | null, Set<number>>();
	for (const { after } of step.keys) {
		const created = after === null || after.group === shortcutGroup ? undefined : kept.get(after.nodeId);
		if (created === undefined) continue;
		const current = found.get(created.id)!.record;
		const record = { ...current };
		const { parentId } = current;
		if (hasContentOf(current, created) && !isBlank(current)) {
			Object.assign(record, { note: null, properties: null, completedAt: null, modifiedAt: current.createdAt });
		}
		// An entry that a user has moved since stays there.
		if (parentId === created.parentId || (parentId !== null && isGoing(parentId))) {
			const above = yield* entryAbove(after!.key, isGoing);
			if (above !== null) found.set(above.record.id, above);
			record.parentId = above?.record.id ?? null;
			if (record.parentId !== parentId) {
				const priorities = taken.get(record.parentId) ?? new Set();
				taken.set(record.parentId, priorities);
				record.priority = freeFrom(yield* priorityOfEntry(changes, above, after!.key), priorities);
			}
		}
		if (differs(current, record)) records.set(created.id, record);
	}
}

/** Returns the entries to be deleted that have children that stay, as the step created them, by id. */
function* entriesInUse({ made, ensured }: Step, records: Records): Operation<ReadonlyMap<string, NodeRecord>> {
	const inUse = new Map<string, NodeRecord>();
	if (ensured.size === 0) return inUse;
	const goes = (id: string) => records.get(id) === null && !inUse.has(id);
	const going = made.filter(({ id }) => ensured.has(id) && goes(id));
	const lists = yield* askAll(going.map(({ id }) => ({ type: "children", of: { id }, scope: "own" }) as const));
	// Children first, because a parent stays if one of its children does. Parents were created before them.
	for (const [index, entry] of [...going.entries()].reverse()) {
		const stays = lists[index]!.some(
			({ record }) => !goes(record.id) && (records.get(record.id) ?? record).parentId === entry.id,
		);
		if (stays) inUse.set(entry.id, entry);
	}
	return inUse;
}

/** Returns the nearest entry of the calendar above a key that exists and stays; `null` if there is none. */
function* entryAbove(key: string, isGoing: (id: string) => boolean): Operation<StoredNode | null> {
	for (let above = parentKey(key); above !== null; above = parentKey(above)) {
		const [entry] = yield* ask({ type: "node", at: { key: above } });
		if (entry !== null && !isGoing(entry.record.id)) return entry;
	}
	return null;
}

/**
 * Adds an obstacle for each node, mirror and key that the deletion of the step's nodes would affect, and that
 * the step itself didn't create.
 */
function* checkDeletions(step: Step, records: Records, obstacles: Obstacles): Operation<void> {
	const goes = (id: string | null) => id !== null && records.get(id) === null;
	const counter = new Counter();
	const tops: string[] = [];
	for (const { id, parentId } of step.made) {
		if (counter.isDue()) yield* pause();
		if (goes(id) && !goes(parentId)) tops.push(id);
	}
	const answers: readonly Subtree[] = yield* askAll(tops.map((id) => ({ type: "subtree", of: { id } }) as const));
	const dropped = new Set(step.keys.map(({ before, after }) => (before ?? after)!.key));
	for (const { nodes, keys } of answers) {
		for (const { record, mirrorIds } of nodes) {
			if (counter.isDue()) yield* pause();
			if (!goes(record.id)) {
				const { parentId } = records.get(record.id) ?? record;
				if (goes(parentId)) obstacles.node(record.id, "is below a node that would be deleted");
				continue;
			}
			for (const mirrorId of mirrorIds) {
				if (!goes(mirrorId) && records.get(mirrorId)?.originId !== null) {
					obstacles.node(mirrorId, "is a mirror of a node that would be deleted");
				}
			}
		}
		for (const { key, nodeId } of keys) {
			if (goes(nodeId) && !dropped.has(key)) obstacles.key(key, "points at a node that would be deleted");
		}
	}
}

/**
 * Adds obstacles for nodes that would miss their parent or origin, share a short id, or be their own
 * ancestor.
 */
function* checkRestored(
	found: ReadonlyMap<string, StoredNode>,
	records: Records,
	obstacles: Obstacles,
): Operation<void> {
	// A node's present parent and origin exist, even if it got them after the step, so that `found` lacks them.
	const isThere = (id: string, now: string | null | undefined) =>
		records.has(id) ? records.get(id) !== null : id === now || found.has(id);
	const counter = new Counter();
	const returning: NodeRecord[] = [];
	const shortIds: string[] = [];
	for (const [id, record] of records) {
		if (counter.isDue()) yield* pause();
		if (record === null) continue;
		const current = found.get(id)?.record;
		if (current === undefined) shortIds.push(shortIdOf(id));
		if (current === undefined || current.parentId !== record.parentId) returning.push(record);
		for (const field of ["parentId", "originId"] as const) {
			const needed = record[field];
			if (needed === null || isThere(needed, current?.[field])) continue;
			obstacles.node(needed, found.has(needed) ? "would be deleted" : "has been deleted");
		}
	}
	const parents = new Set(
		returning.flatMap(({ parentId }) => (parentId !== null && found.has(parentId) ? [parentId] : [])),
	);
	const [taken, ...lineages] = yield* askAll([
		{ type: "taken", shortIds },
		...Array.from(parents, (id) => ({ type: "ancestors", of: { id } }) as const),
	] as const);
	const takenIds = new Set(taken);
	const above = new Map<string, string | null>();
	for (const lineage of lineages) {
		for (const [index, id] of lineage.entries()) above.set(id, lineage[index + 1] ?? null);
	}
	for (const [id, record] of records) {
		if (counter.isDue()) yield* pause();
		if (takenIds.has(shortIdOf(id)) && !found.has(id)) {
			obstacles.node(id, "can't return: its short id has been taken");
		}
		if (record !== null) above.set(id, record.parentId);
	}
	yield* checkCycles(returning, above, obstacles);
}

/** Adds an obstacle for each cycle that some moved nodes would close. */
function* checkCycles(
	returning: readonly NodeRecord[],
	above: ReadonlyMap<string, string | null>,
	obstacles: Obstacles,
): Operation<void> {
	const counter = new Counter();
	/** Nodes without a cycle above them. */
	const ends = new Set<string>();
	for (const { id, parentId } of returning) {
		if (counter.isDue()) yield* pause();
		const path = new Set<string>();
		let at: string | null | undefined = id;
		while (at && !ends.has(at) && !path.has(at)) {
			path.add(at);
			at = above.get(at);
		}
		if (at && path.has(at)) obstacles.node(parentId!, "is below a node that would come under it");
		for (const each of path) ends.add(each);
	}
}

/** Adds obstacles for nodes that would be mirrors of mirrors, or be directly below a node with the same content. */
function* checkMirrors(
	found: ReadonlyMap<string, StoredNode>,
	records: Records,
	obstacles: Obstacles,
): Operation<void> {
	const recordOf = (id: string) => (records.has(id) ? records.get(id) : found.get(id)?.record);
	const shownBy = (id: string) => recordOf(id)?.originId ?? id;
	const counter = new Counter();
	/** The origins of nodes that become mirrors again. */
	const origins = new Set<string>();
	for (const [id, record] of records) {
		if (counter.isDue()) yield* pause();
		if (record === null) continue;
		const { parentId, originId } = record;
		const current = found.get(id)?.record;
		if (current?.parentId === parentId && current.originId === originId) continue;
		if (parentId !== null && shownBy(parentId) === shownBy(id)) {
			obstacles.node(id, "would be below a node with the same content");
		}
		if (originId === null || current?.originId === originId) continue;
		if (shownBy(originId) !== originId) obstacles.node(originId, "has become a mirror");
		if (current !== undefined) origins.add(originId);
		for (const mirrorId of found.get(id)?.mirrorIds ?? []) {
			const mirror = records.get(mirrorId);
			if (mirror === undefined || mirror?.originId === id) {
				obstacles.node(mirrorId, "is a mirror of a node that would be a mirror");
			}
		}
	}
	// A day that was created again may have mirrors, also below a node that becomes its mirror again.
	const others = [...origins].flatMap((id) => (found.get(id)?.mirrorIds ?? []).filter((each) => !records.has(each)));
	if (others.length === 0) return;
	const [mirrors] = yield* ask({ type: "related", ids: others });
	for (const { record } of mirrors) {
		if (record.parentId !== null && shownBy(record.parentId) === record.originId) {
			obstacles.node(record.id, "would be below a node with the same content");
		}
	}
}

/** The changes that revert the keys of a step. */
function* keysBefore(
	step: Step,
	found: ReadonlyMap<string, StoredNode>,
	records: Records,
	obstacles: Obstacles,
): Operation<{ before: Key | null; after: Key | null }[]> {
	const names = step.keys.map(({ before, after }) => (before ?? after)!.key);
	const nodes = yield* askAll(names.map((key) => ({ type: "node", at: { key } }) as const));
	const stays = (id: string) => step.ensured.has(id) && records.get(id) !== null;
	return step.keys.flatMap(({ before, after }, index) => {
		const { key, group } = (before ?? after)!;
		if (after !== null && (step.lasting.has(after.nodeId) || stays(after.nodeId))) return [];
		const nodeId = nodes[index]?.record.id;
		// Another writer has set the key back already.
		if (nodeId === before?.nodeId) return [];
		const isMoved = nodeId !== after?.nodeId;
		// A later reference to a deleted day has created a new node for it, so the old node returns without its
		// key.
		if (isMoved && group !== shortcutGroup) return [];
		const target = before?.nodeId;
		const isThere = target === undefined || (records.has(target) ? records.get(target) !== null : found.has(target));
		if (isMoved) {
			const change = after === null ? "is there again" : "points elsewhere";
			obstacles.key(key, nodeId === undefined ? "has been deleted" : change);
		} else if (!isThere) obstacles.key(key, "would point at a node that has been deleted");
		return [{ before: after, after: before }];
	});
}

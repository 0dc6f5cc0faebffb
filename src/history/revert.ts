import type { Call } from "../call.js";
import type { Changes } from "../change.js";
import { shortIdOf } from "../id.js";
import { ask, askAll, type Reading } from "../operation.js";
import { type NodeRecord, type StoredNode, type Subtree, shortcutGroup } from "../storage.js";
import type { Obstacles } from "./obstacles.js";
import { reversalOf } from "./reversal.js";
import { makeRoom } from "./room.js";
import { whoStaysAside } from "./spread.js";
import { nodesOf, type Step } from "./step.js";

type Records = ReadonlyMap<string, NodeRecord | null>;

/**
 * Takes a step back: what it has made goes, what it has deleted returns with its ids, mirrors and keys, what it has changed
 * is as it was. Gives the ids of the nodes that it changes. What others have changed since stays.
 *
 * @throws `undo_blocked` naming the nodes and keys that others have changed so that this would undo their work
 */
export function* revert(call: Call, changes: Changes, step: Step): Reading<string[]> {
	const found = yield* look(step);
	const aside = yield* whoStaysAside(step, found);
	const { records, obstacles } = reversalOf(step, found, call.seconds, (id) => aside.has(id));
	yield* checkWhatGoes(step, records, obstacles);
	yield* checkWhatReturns(found, records, obstacles);
	const keys = yield* keysBefore(step, found, records, obstacles);
	obstacles.assertNone(step.operation);

	const displaced = yield* makeRoom(found, records);
	for (const [id, record] of records) {
		if (record === null) changes.remove(found.get(id)!.record);
		else if (step.aside.has(id)) changes.moveAside(found.get(id)!.record, record);
		else changes.put(found.get(id)?.record ?? null, record);
	}
	for (const { before, after } of displaced) changes.moveAside(before, after);
	for (const [id, record] of records) {
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

/** The nodes of a step, their parents and origins, before and after, and those its keys return to: all as they are now. */
function* look(step: Step): Reading<Map<string, StoredNode>> {
	const ids = new Set<string>();
	for (const { before, after } of nodesOf(step)) {
		for (const record of [before, after]) {
			for (const id of [record?.id, record?.parentId, record?.originId]) if (id) ids.add(id);
		}
	}
	for (const { before } of step.keys) if (before !== null) ids.add(before.nodeId);
	const [related] = yield* ask({ type: "related", ids: [...ids] });
	return new Map(related.map((node) => [node.record.id, node]));
}

/** Nothing of others' may go along: no node below what goes, no mirror of it, and no key that points there. */
function* checkWhatGoes(step: Step, records: Records, obstacles: Obstacles): Reading<void> {
	const goes = (id: string | null) => id !== null && records.get(id) === null;
	const tops = nodesOf(step).flatMap(({ before, after }) =>
		before === null && goes(after!.id) && !goes(after!.parentId) ? [after!.id] : [],
	);
	const answers: readonly Subtree[] = yield* askAll(tops.map((id) => ({ type: "subtree", of: { id } }) as const));
	const dropped = new Set(step.keys.map(({ before, after }) => (before ?? after)!.key));
	for (const { nodes, keys } of answers) {
		for (const { record, mirrorIds } of nodes) {
			if (!goes(record.id)) {
				const { parentId } = records.get(record.id) ?? record;
				if (goes(parentId)) obstacles.node(record.id, "has come below what would go");
				continue;
			}
			for (const mirrorId of mirrorIds) {
				if (!goes(mirrorId) && records.get(mirrorId)?.originId !== null) {
					obstacles.node(mirrorId, "is a mirror of what would go");
				}
			}
		}
		for (const { key, nodeId } of keys) if (goes(nodeId) && !dropped.has(key)) obstacles.key(key);
	}
}

/** What returns needs its parent and its origin, a short id of its own, and a parent that isn't below it. */
function* checkWhatReturns(
	found: ReadonlyMap<string, StoredNode>,
	records: Records,
	obstacles: Obstacles,
): Reading<void> {
	const isThere = (id: string) => (records.has(id) ? records.get(id) !== null : found.has(id));
	const returning: NodeRecord[] = [];
	const shortIds: string[] = [];
	for (const [id, record] of records) {
		if (record === null) continue;
		const current = found.get(id)?.record;
		if (current === undefined) shortIds.push(shortIdOf(id));
		if (current === undefined || current.parentId !== record.parentId) returning.push(record);
		if (record.parentId !== null && !isThere(record.parentId)) obstacles.node(record.parentId, "has been deleted");
		if (record.originId !== null && !isThere(record.originId)) obstacles.node(record.originId, "has been deleted");
	}
	const parents = new Set(
		returning.flatMap(({ parentId }) => (parentId !== null && found.has(parentId) ? [parentId] : [])),
	);
	const [taken, ...lineages] = yield* askAll([
		{ type: "taken", shortIds },
		...Array.from(parents, (id) => ({ type: "ancestors", of: { id } }) as const),
	] as const);
	for (const id of records.keys()) {
		if (taken.includes(shortIdOf(id)) && !found.has(id))
			obstacles.node(id, "can't return: its short id has been taken");
	}
	const above = new Map<string, string | null>();
	for (const lineage of lineages) {
		for (const [place, id] of lineage.entries()) above.set(id, lineage[place + 1] ?? null);
	}
	for (const [id, record] of records) if (record !== null) above.set(id, record.parentId);
	/** Nodes from which the way up is known to end. */
	const ends = new Set<string>();
	for (const { id, parentId } of returning) {
		const way = new Set<string>();
		let at: string | null | undefined = id;
		while (at && !ends.has(at) && !way.has(at)) {
			way.add(at);
			at = above.get(at);
		}
		if (at && way.has(at)) obstacles.node(parentId!, "stands below what would come under it");
		for (const each of way) ends.add(each);
	}
}

/** What becomes of the keys of a step when it is taken back. */
function* keysBefore(
	step: Step,
	found: ReadonlyMap<string, StoredNode>,
	records: Records,
	obstacles: Obstacles,
): Reading<Step["keys"]> {
	const names = step.keys.map(({ before, after }) => (before ?? after)!.key);
	const nodes = yield* askAll(names.map((key) => ({ type: "node", at: { key } }) as const));
	return step.keys.flatMap(({ before, after }, place) => {
		const { key, group } = (before ?? after)!;
		if (after !== null && step.lasting.has(after.nodeId)) return [];
		const nodeId = nodes[place]?.record.id;
		const isMoved = nodeId !== after?.nodeId;
		// Whoever has asked for a day again has got a new node for it: what was deleted returns without its key.
		if (isMoved && group !== shortcutGroup) return [];
		const target = before?.nodeId;
		const isThere = target === undefined || (records.has(target) ? records.get(target) !== null : found.has(target));
		if (isMoved || !isThere) {
			obstacles.key(key);
			return [];
		}
		return [{ before: after, after: before }];
	});
}

import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, askAll, breathe, Counter, type Reading, stepwise } from "../engine/protocol.js";
import { shortIdOf } from "../id.js";
import { type NodeRecord, type StoredNode, type Subtree, shortcutGroup } from "../storage.js";
import type { Obstacles } from "./obstacles.js";
import { reversalOf } from "./reversal.js";
import { makeRoom } from "./room.js";
import { whoStaysAside } from "./spread.js";
import { nodesOf, type Step } from "./step.js";

/** What the nodes of a step become, by id; `null` for one that goes. */
type Records = Map<string, NodeRecord | null>;

/**
 * Takes a step back: what it has made goes, what it has deleted returns with its ids, mirrors and keys, what it has changed
 * is as it was. Gives the ids of the nodes that it changes. What others have changed since stays.
 *
 * @throws `undo_blocked` naming the nodes and keys that others have changed so that this would undo their work
 */
export function* revert(call: Call, changes: Changes, step: Step): Reading<string[]> {
	const found = yield* look(step);
	const aside = yield* whoStaysAside(step, found);
	const { records, obstacles } = yield* stepwise(reversalOf(step, found, call.seconds, (id) => aside.has(id)));
	yield* keepWhatIsInUse(step, records);
	yield* checkWhatGoes(step, records, obstacles);
	yield* checkWhatReturns(found, records, obstacles);
	const keys = yield* keysBefore(step, found, records, obstacles);
	obstacles.assertNone(step.operation);

	const displaced = yield* makeRoom(found, records);
	const counter = new Counter();
	for (const [id, record] of records) {
		if (counter.breathes) yield* breathe();
		if (record === null) changes.remove(found.get(id)!.record);
		else if (step.aside.has(id)) changes.moveAside(found.get(id)!.record, record);
		else changes.put(found.get(id)?.record ?? null, record);
	}
	for (const { before, after } of displaced) changes.moveAside(before, after);
	for (const [id, record] of records) {
		if (counter.breathes) yield* breathe();
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
	const counter = new Counter();
	const add = ({ id, parentId, originId }: NodeRecord) => {
		ids.add(id);
		if (parentId !== null) ids.add(parentId);
		if (originId !== null) ids.add(originId);
	};
	for (const { before, after } of nodesOf(step)) {
		if (counter.breathes) yield* breathe();
		if (before !== null) add(before);
		if (after !== null) add(after);
	}
	for (const { before } of step.keys) if (before !== null) ids.add(before.nodeId);
	const [related] = yield* ask({ type: "related", ids: [...ids] });
	const found = new Map<string, StoredNode>();
	for (const node of related) {
		if (counter.breathes) yield* breathe();
		found.set(node.record.id, node);
	}
	return found;
}

/** What `ensure` has made stays if anything stands below it that doesn't go: days that were made there since, for instance. */
function* keepWhatIsInUse({ made, ensured }: Step, records: Records): Reading<void> {
	if (ensured.size === 0) return;
	const going = made.filter(({ id }) => ensured.has(id) && records.get(id) === null);
	const lists = yield* askAll(going.map(({ id }) => ({ type: "children", of: { id }, scope: "own" }) as const));
	const isGoing = (id: string) => records.get(id) === null;
	// Those above were made first.
	for (const [place, { id }] of [...going.entries()].reverse()) {
		const stays = lists[place]!.some(
			({ record }) => !isGoing(record.id) && (records.get(record.id) ?? record).parentId === id,
		);
		if (stays) records.delete(id);
	}
}

/** Nothing of others' may go along: no node below what goes, no mirror of it, and no key that points there. */
function* checkWhatGoes(step: Step, records: Records, obstacles: Obstacles): Reading<void> {
	const goes = (id: string | null) => id !== null && records.get(id) === null;
	const counter = new Counter();
	const tops: string[] = [];
	for (const { id, parentId } of step.made) {
		if (counter.breathes) yield* breathe();
		if (goes(id) && !goes(parentId)) tops.push(id);
	}
	const answers: readonly Subtree[] = yield* askAll(tops.map((id) => ({ type: "subtree", of: { id } }) as const));
	const dropped = new Set(step.keys.map(({ before, after }) => (before ?? after)!.key));
	for (const { nodes, keys } of answers) {
		for (const { record, mirrorIds } of nodes) {
			if (counter.breathes) yield* breathe();
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
	const counter = new Counter();
	const returning: NodeRecord[] = [];
	const shortIds: string[] = [];
	for (const [id, record] of records) {
		if (counter.breathes) yield* breathe();
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
	const takenIds = new Set(taken);
	const above = new Map<string, string | null>();
	for (const lineage of lineages) {
		for (const [place, id] of lineage.entries()) above.set(id, lineage[place + 1] ?? null);
	}
	for (const [id, record] of records) {
		if (counter.breathes) yield* breathe();
		if (takenIds.has(shortIdOf(id)) && !found.has(id)) {
			obstacles.node(id, "can't return: its short id has been taken");
		}
		if (record !== null) above.set(id, record.parentId);
	}
	/** Nodes from which the way up is known to end. */
	const ends = new Set<string>();
	for (const { id, parentId } of returning) {
		if (counter.breathes) yield* breathe();
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
	const stays = (id: string) => step.ensured.has(id) && records.get(id) !== null;
	return step.keys.flatMap(({ before, after }, place) => {
		const { key, group } = (before ?? after)!;
		if (after !== null && (step.lasting.has(after.nodeId) || stays(after.nodeId))) return [];
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

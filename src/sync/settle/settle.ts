import type { Changes } from "../../engine/changes.js";
import { ask, type Operation, pause, stepwise } from "../../engine/protocol.js";
import type { StoredNode } from "../../storage.js";
import type { ConflictNote, Delta, DeltaFields, NodeDelta } from "../delta.js";
import { conflictsWith } from "./content.js";
import { replaceCopies, writeToStandIn } from "./copies.js";
import { create, createBelowCreated, join } from "./create.js";
import { removeDeleted, reportKeptDeletions } from "./delete.js";
import { edit, withoutPlace } from "./edit.js";
import { settleKey } from "./keys.js";
import { inOrder } from "./order.js";
import { changeOrigin } from "./origins.js";
import { isCyclic } from "./parents.js";
import { Places } from "./places.js";
import { bringBack, bringMirrorBack } from "./put-back.js";
import { namedIdsOf, Settlement, type SettleOptions } from "./settlement.js";
import { findStaying } from "./staying.js";
import { reportTexts } from "./write-content.js";

/** The content that a conflict shows of a node that is gone. */
const goneContent = { name: "", note: null, properties: null };

/** The most rounds in which changes wait for others. Nodes that change places need few. */
const mostRounds = 16;

/** The number of changes from which the nodes that exist are looked up together. */
const lookUpTogether = 2;

/**
 * Settles a delta on the outline as it is: the changes of one commit on a device, which has not seen the
 * later changes of other devices. Whatever the delta holds, the result is a sound outline. It takes no clock, no
 * zone and no random number, so the server and each device come to the same result. Only the limits of the host
 * can make a difference, until the device has the server's answer.
 *
 * Run it by `Uncommitted.run`, with its changes.
 *
 * @param delta - its fields must be valid; its structure is not trusted
 */
export function* settle(changes: Changes, delta: Delta, options: SettleOptions): Operation<ConflictNote[]> {
	const settlement = new Settlement(changes, delta, options);
	yield* settleAll(settlement);
	yield* options.givenParents.add(settlement.conflicts);
	return settlement.conflicts;
}

function* settleAll(settlement: Settlement): Operation<void> {
	const { changed, deletes, movesAside, delta } = settlement;
	if (changed.size >= lookUpTogether) {
		const [found] = yield* ask({ type: "related", ids: yield* namedIdsOf(changed.values()) });
		settlement.former = new Set(found.map(({ record }) => record.id));
	}
	if (deletes) settlement.staying = yield* findStaying(changed, false, settlement.givenParents);
	reportKeptDeletions(settlement, settlement.staying);
	yield* replaceCopies(settlement);
	const places = new Places(settlement);
	if (movesAside) yield* places.siblings.moveAside();
	/** The changes of nodes that become mirrors when all other changes and the deletions are done. */
	const late: NodeDelta[] = [];
	yield* writeAll(places, yield* stepwise(inOrder(changed)), late);
	if (deletes) yield* removeDeleted(settlement);
	for (const change of late) {
		yield* pause();
		yield* makeMirror(places, change);
	}
	for (const key of delta.keys ?? []) {
		yield* pause();
		yield* settleKey(settlement, key);
	}
	yield* reportLostTexts(settlement);
}

/** Adds the conflicts of a server that has lost them: the texts that gave way on it. */
function* reportLostTexts(settlement: Settlement): Operation<void> {
	for (const { id, others = [] } of settlement.changed.values()) {
		if (others.length === 0) continue;
		const nodeId = settlement.standInFor(id);
		// A text that gave way stays in its conflict after its node is deleted: the deleter may not have seen it.
		const record = (yield* settlement.nodeAt(nodeId))?.record ?? goneContent;
		for (const other of others) {
			yield* pause();
			reportTexts(settlement, nodeId, conflictsWith(record, other));
		}
	}
}

/**
 * Writes changes. One that has no place yet waits for the rest: two nodes may change places, for example. If all
 * wait for each other, further devices have changed the places meanwhile, and each gets the best one.
 */
function* writeAll(places: Places, changes: readonly NodeDelta[], late: NodeDelta[]): Operation<void> {
	let left = changes;
	for (let round = 0; left.length > 1 && round < mostRounds; round++) {
		const waiting: NodeDelta[] = [];
		for (const change of left) {
			yield* pause();
			if (createBelowCreated(places, change)) continue;
			if (yield* mustWait(places.settlement, change)) waiting.push(change);
			else yield* write(places, change, late);
		}
		const isStuck = waiting.length === left.length;
		left = waiting;
		if (isStuck) break;
	}
	for (const change of left) {
		yield* pause();
		yield* write(places, change, late);
	}
}

/** Whether a node can't go to its parent before other changes of the delta. */
function* mustWait(settlement: Settlement, { id, before, after }: NodeDelta): Operation<boolean> {
	const { parentId, originId } = after!;
	if (parentId == null || settlement.standIns.has(id)) return false;
	const parent = settlement.standInFor(parentId);
	if (before === null && originId == null)
		return settlement.changed.get(parent)?.after != null && !(yield* settlement.exists(parent));
	if (!(yield* settlement.exists(parent))) return settlement.changed.get(parent)?.after != null;
	const node = yield* settlement.nodeAt(id);
	const shownId = node?.record.originId ?? originId ?? id;
	return yield* isCyclic(settlement, parent, node === null ? null : id, shownId);
}

/** Writes a change that isn't a deletion, in the way that the state of its node asks for. */
function* write(places: Places, given: NodeDelta, late: NodeDelta[]): Operation<void> {
	const { settlement } = places;
	const { staying } = settlement;
	const isPlaced = !given.aside && !staying.unpromoted.has(given.id);
	const change = isPlaced ? given : withoutPlace(given);
	const { id, before, after } = change as NodeDelta & { readonly after: DeltaFields };
	if (!isPlaced && Object.keys(after).length === 0) return;
	const standIn = settlement.standIns.get(id);
	if (standIn !== undefined) return yield* writeToStandIn(places, change, standIn);
	const node = yield* settlement.nodeAt(id);
	if ((node === null) === (before === null) && (yield* isLate(settlement, node, after))) {
		yield* node === null
			? create(places, id, { ...after, originId: null }, change)
			: edit(places, node, { ...change, after: placeOf(after) });
		late.push(withoutPlace(change));
	} else if (before === null)
		yield* node === null ? create(places, id, after, change) : join(settlement, node, after, id);
	else if (node !== null) yield* edit(places, node, change);
	else if (staying.attached.has(id)) yield* bringMirrorBack(places, change);
	else yield* bringBack(places, change);
}

/**
 * Whether a node is to become a mirror, and can't do so yet. Its origin is still to come, because one of them is
 * above the other. Or it was detached, and the delta has yet to delete copies that are mirrors of it.
 */
function* isLate(settlement: Settlement, node: StoredNode | null, { originId }: DeltaFields): Operation<boolean> {
	if (originId == null) return false;
	const { going, stays } = settlement.staying;
	if (node?.mirrorIds.some((id) => going.has(id) && !stays.has(id))) return true;
	const origin = settlement.standInFor(originId);
	return settlement.changed.get(origin)?.after != null && !(yield* settlement.exists(origin));
}

function* makeMirror(places: Places, change: NodeDelta): Operation<void> {
	const { settlement } = places;
	const { id, before, after } = change;
	const node = yield* settlement.nodeAt(id);
	if (node === null) return;
	if (before !== null) return yield* edit(places, node, change);
	const { originId } = yield* changeOrigin(settlement, node, after!.originId!, node.record);
	if (originId === null) settlement.addConflict("returned", id, id, null);
}

/** The new place of a node. */
function placeOf({ parentId, priority }: DeltaFields): DeltaFields {
	return { ...(parentId !== undefined && { parentId }), ...(priority !== undefined && { priority }) };
}

import { ask, type Operation, pause } from "../../engine/protocol.js";
import { groupOf } from "../../reference/key-group.js";
import { shortcutGroup } from "../../storage.js";
import type { Settlement } from "./settlement.js";
import { findStaying, type Staying } from "./staying.js";

/** Removes the nodes that the delta deletes and that no other device has changed. */
export function* removeDeleted(settlement: Settlement): Operation<void> {
	const { stays: kept } = settlement.staying;
	const changed = new Map([...settlement.changed].filter(([id, { after }]) => after !== null || !kept.has(id)));
	const staying = yield* findStaying(changed, true, settlement.givenParents);
	const { going, stays } = staying;
	reportKeptDeletions(settlement, staying);
	const dropped = new Map<string, string>();
	for (const [id, { record }] of going) {
		if (stays.has(id) || (record.parentId !== null && going.has(record.parentId) && !stays.has(record.parentId)))
			continue;
		const [{ keys }] = yield* ask({ type: "subtree", of: { id } });
		for (const { key, nodeId } of keys) dropped.set(key, nodeId);
	}
	for (const [id, { record, origin }] of going) {
		yield* pause();
		if (stays.has(id)) continue;
		settlement.changes.remove(record);
		if (origin !== null && (!going.has(origin.id) || stays.has(origin.id))) {
			settlement.changes.touch((yield* settlement.nodeAt(origin.id))!.record);
		}
	}
	for (const [key, nodeId] of dropped) {
		settlement.changes.removeKey({ key, group: groupOf(key) ?? shortcutGroup, nodeId });
	}
}

/** Adds a conflict for the uppermost node of each deletion that isn't done in full. */
export function reportKeptDeletions(settlement: Settlement, { going, stays }: Staying): void {
	for (const id of stays) {
		const { parentId } = going.get(id)!.record;
		if (parentId === null || !stays.has(parentId)) settlement.addConflict("deletion", id, id, null);
	}
}

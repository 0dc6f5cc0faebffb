import { ask, type Operation } from "../../engine/protocol.js";
import { newRecord } from "../../node.js";
import { calendarName, parentKey } from "../../reference/calendar.js";
import type { StoredNode } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { originOf } from "./origins.js";
import type { Place, Places } from "./places.js";
import type { Settlement } from "./settlement.js";
import { writeContent } from "./write-content.js";

/** Creates a node. If another node has its calendar or system key, the two become one. */
export function* create(places: Places, id: string, fields: DeltaFields, change: NodeDelta): Operation<void> {
	const { settlement } = places;
	const key = settlement.newKeys.get(id);
	if (key !== undefined) {
		const [held] = yield* ask({ type: "node", at: { key } });
		if (held !== null) {
			settlement.standIns.set(id, held.record.id);
			return yield* join(settlement, held, fields, id);
		}
	}
	const origin = yield* originOf(settlement, fields.originId ?? null, id);
	const originId = origin?.record.id ?? null;
	const wanted = { parentId: fields.parentId ?? null, priority: fields.priority ?? 0 };
	put(settlement, id, { ...fields, ...(yield* places.find(change, wanted, originId ?? id, undefined)), originId });
	if (origin !== null) settlement.changes.touch(origin.record);
	else if (fields.originId != null) settlement.addConflict("returned", id, id, null);
}

/**
 * Creates a node below one that the delta has just created. Returns whether it did so. Most nodes of a large delta are
 * such, and this takes a fraction of the time of the general way.
 */
export function createBelowCreated(places: Places, { id, before, after }: NodeDelta): boolean {
	const { former, newKeys, standIns } = places.settlement;
	if (before !== null || after === null || after.originId != null) return false;
	if (former.has(id) || newKeys.has(id) || standIns.has(id)) return false;
	const place = places.belowCreated(id, after);
	if (place === undefined) return false;
	put(places.settlement, id, { ...after, ...place, originId: null });
	return true;
}

/** Adds the record of a new node. */
function put({ changes, created, delta: { at } }: Settlement, id: string, fields: DeltaFields & Place): void {
	const { name = "", createdAt = at } = fields;
	changes.put(null, newRecord({ modifiedAt: createdAt, ...fields, id, name }, at));
	created.add(id);
}

/** Joins a new node with one that is there already: both devices made it, as they do with days, or it was sent twice. */
export function* join(settlement: Settlement, node: StoredNode, fields: DeltaFields, id: string): Operation<void> {
	if (settlement.created.has(node.record.id)) return;
	// A mirror has no content of its own, only a copy for the case that its origin is gone.
	if (fields.originId != null) return;
	// Two imported files may have a node with one id, and only one of them as a mirror. The content of the
	// other would be hidden in the mirror, so it goes to the origin.
	const shown = node.origin === null ? node : yield* settlement.nodeAt(node.origin.id);
	if (shown === null) return;
	const { name, modifiedAt, createdAt, parentId, priority, originId, ...content } = fields;
	const isEdited = modifiedAt !== undefined && modifiedAt !== createdAt;
	const key = settlement.newKeys.get(id);
	// Each device names the inbox and its days by itself. A name counts only if a user has changed it.
	const hasName = name !== undefined && (isEdited || key === undefined || isNamedOtherwise(key, name));
	const { layoutMode, ...texts } = content;
	yield* writeContent(settlement, shown, {}, { ...texts, ...(hasName && { name }), ...(isEdited && { modifiedAt }) });
}

/** Whether a node of the calendar has another name than it gets from its key. Hosts name the calendar itself. */
function isNamedOtherwise(key: string, name: string): boolean {
	return parentKey(key) !== null && name !== calendarName(key, "");
}

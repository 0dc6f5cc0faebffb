import type { Operation } from "../../engine/protocol.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { create } from "./create.js";
import type { Places } from "./places.js";
import { returningFields, type Settlement } from "./settlement.js";
import { editOrigin } from "./write-content.js";

/** Brings a deleted node back, if the change of it is one that its deleter would have wanted to see. */
export function* bringBack(places: Places, change: NodeDelta): Operation<void> {
	const { settlement } = places;
	const before = change.before!;
	const after = change.after!;
	const isEdited = returningFields.some((field) => after[field] !== undefined && after[field] !== before[field]);
	// A detached mirror has the content of its origin, which this delta deletes.
	const isDetached =
		before.originId != null && after.originId === null && settlement.staying.going.has(before.originId);
	if (isEdited || isDetached || (yield* isMoved(settlement, after))) yield* createAgain(places, change, after);
}

/** Brings a deleted mirror back that isn't detached, because its origin stays. An edit of it goes to the origin. */
export function* bringMirrorBack(places: Places, change: NodeDelta): Operation<void> {
	const { settlement } = places;
	const after = change.after!;
	const originId = change.before!.originId!;
	yield* editOrigin(settlement, originId, after);
	if (yield* isMoved(settlement, after)) yield* createAgain(places, change, { ...after, originId });
}

/** Whether a change moves a node to a parent that exists, or to a day or an inbox, which is made again if need be. */
function* isMoved(settlement: Settlement, { parentId }: DeltaFields): Operation<boolean> {
	if (parentId === undefined) return false;
	if (parentId === null) return true;
	const parent = settlement.standInFor(parentId);
	return (yield* settlement.exists(parent)) || settlement.keyOf(parent) !== undefined;
}

function* createAgain(places: Places, change: NodeDelta, fields: DeltaFields): Operation<void> {
	const { settlement } = places;
	const { id, rest = {} } = change;
	yield* create(places, id, { parentId: null, priority: 0, ...rest, ...fields }, change);
	yield* settlement.takeKey(id);
	settlement.addConflict("returned", id, id, null);
}

import type { Operation } from "../../engine/protocol.js";
import type { NodeDelta } from "../delta.js";
import { editedFields } from "./content.js";
import { create } from "./create.js";
import { detachedMirrors } from "./detached-mirrors.js";
import type { Places } from "./places.js";
import type { Settlement } from "./settlement.js";
import { writeContent } from "./write-content.js";

/* The copies that a deletion makes for a mirror which it detaches. If its origin stays, they aren't made. */

/**
 * Chooses an existing node for each copy that need not be made. The first case that holds counts:
 *
 * 1. The mirror isn't detached, because its origin stays: the copied node.
 * 2. The copied node isn't deleted, and the mirror is gone or plain already: the mirror.
 * 3. The copied node was to be deleted and stays, or it isn't deleted and the copy's parent isn't made: the
 *    copied node.
 *
 * All other copies are made, also those of nodes that the same commit created.
 */
export function* replaceCopies(settlement: Settlement): Operation<void> {
	const { attached, going, stays } = settlement.staying;
	const mirrors = yield* detachedMirrors(settlement.changed);
	for (const { id, copyOf, after } of mirrors.size === 0 ? [] : settlement.changed.values()) {
		const mirror = mirrors.get(id);
		if (mirror === undefined || copyOf === undefined || after === null) continue;
		if (settlement.changed.get(copyOf)?.before == null) continue;
		if (attached.has(mirror.id)) settlement.standIns.set(id, copyOf);
		else if (!going.has(copyOf) || stays.has(copyOf)) {
			const node = yield* settlement.nodeAt(mirror.id);
			if (node === null || node.record.originId === null) settlement.standIns.set(id, mirror.id);
			else if (stays.has(copyOf) || settlement.standIns.has(after.parentId ?? "")) settlement.standIns.set(id, copyOf);
		}
	}
}

/** Writes the edit of a copy that isn't made to the copied node. */
export function* writeToStandIn(places: Places, { id, copyOf, after }: NodeDelta, standIn: string): Operation<void> {
	const { settlement } = places;
	const source = settlement.changed.get(copyOf!)?.before;
	if (source == null) return;
	const edited = editedFields(source, after!);
	if (Object.keys(edited.after).length === 0) return;
	const node = yield* settlement.nodeAt(standIn);
	if (node !== null && standIn === copyOf) return yield* writeContent(settlement, node, edited.before, edited.after);
	// Another device has made the copy, and this one has edited its own.
	settlement.standIns.delete(id);
	yield* create(places, id, after!, settlement.changed.get(id)!);
}

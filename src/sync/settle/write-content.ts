import { type Operation, stepwise } from "../../engine/protocol.js";
import type { StoredNode } from "../../storage.js";
import type { DeltaFields } from "../delta.js";
import { editedFields, type Merged, mergedContent } from "./content.js";
import type { Settlement } from "./settlement.js";

/** Merges an edit into the content of a node. */
export function* writeContent(
	settlement: Settlement,
	{ record }: StoredNode,
	before: DeltaFields,
	after: DeltaFields,
): Operation<void> {
	const merged: Merged = yield* stepwise(mergedContent(record, before, after, settlement.limits));
	if (merged.record !== record) settlement.changes.put(record, merged.record);
	reportTexts(settlement, record.id, merged.conflicts);
}

/** Writes an edit of a mirror that isn't detached, because its origin stays, to that origin. */
export function* editOrigin(
	settlement: Settlement,
	originId: string | null | undefined,
	content: DeltaFields,
): Operation<void> {
	if (originId == null) return;
	const source = settlement.changed.get(originId)?.before;
	const origin = yield* settlement.nodeAt(originId);
	if (source == null || origin === null) return;
	const edited = editedFields(source, content);
	yield* writeContent(settlement, origin, edited.before, edited.after);
}

/** Adds conflicts of texts. */
export function reportTexts(settlement: Settlement, id: string, conflicts: Merged["conflicts"]): void {
	for (const { field, shown, other } of conflicts) settlement.addConflict("text", id, shown, other, field);
}

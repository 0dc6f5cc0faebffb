import { newRecord } from "../node.js";
import type { NodeRecord } from "../storage.js";
import type { DeltaFields } from "./delta.js";

/** Returns the fields of a record but its id and revision. Leaves out fields that have their usual value. */
export function fieldsOfRecord(record: NodeRecord): DeltaFields {
	const { parentId, priority, name, createdAt } = record;
	const { note, layoutMode, properties, modifiedAt, completedAt, originId } = record;
	return {
		parentId,
		priority,
		name,
		...(note !== null && { note }),
		...(layoutMode !== "bullets" && { layoutMode }),
		...(properties !== null && { properties }),
		createdAt,
		...(modifiedAt !== createdAt && { modifiedAt }),
		...(completedAt !== null && { completedAt }),
		...(originId !== null && { originId }),
	};
}

/** Returns the record that has these fields. A missing field gets its usual value. */
export function recordOfFields(id: string, fields: DeltaFields): NodeRecord {
	const { parentId = null, priority = 0, name = "", createdAt = 0, modifiedAt = createdAt } = fields;
	return newRecord({ ...fields, id, parentId, priority, name, createdAt, modifiedAt }, createdAt);
}

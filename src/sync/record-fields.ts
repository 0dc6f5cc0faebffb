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

/**
 * Whether the fields of a record from a server have the types that they must have. Their values are the server's
 * business, but no storage can take a record of other types.
 */
export function hasTypes(record: NodeRecord): boolean {
	const { id, parentId, priority, name, note, layoutMode, properties } = record;
	const { createdAt, modifiedAt, completedAt, originId } = record;
	return (
		[id, name, layoutMode].every(isText) &&
		[parentId, originId, note, properties].every((value) => value === null || isText(value)) &&
		[priority, createdAt, modifiedAt, completedAt ?? 0].every(Number.isFinite)
	);
}

/** Whether a value is a text. */
export function isText(value: unknown): value is string {
	return typeof value === "string";
}

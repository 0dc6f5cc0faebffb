import { newRecord } from "../node.js";
import type { Key, NodeRecord } from "../storage.js";
import type { DeltaFields, Mutable } from "./delta.js";

/** Nodes and keys by id and key; `null` for one that doesn't exist. */
export interface Records {
	readonly nodes: Map<string, NodeRecord | null>;
	readonly keys: Map<string, Key | null>;
}

/** Returns the fields of a record but its id and revision. Leaves out fields that have their usual value. */
export function fieldsOfRecord(record: NodeRecord): DeltaFields {
	const { parentId, priority, name, createdAt } = record;
	const { note, layoutMode, properties, modifiedAt, completedAt, originId } = record;
	// One by one, in the order that stored lines have, because spreading them takes twice as long.
	const fields: Mutable<DeltaFields> = { parentId, priority, name };
	if (note !== null) fields.note = note;
	if (layoutMode !== "bullets") fields.layoutMode = layoutMode;
	if (properties !== null) fields.properties = properties;
	fields.createdAt = createdAt;
	if (modifiedAt !== createdAt) fields.modifiedAt = modifiedAt;
	if (completedAt !== null) fields.completedAt = completedAt;
	if (originId !== null) fields.originId = originId;
	return fields;
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

/** Whether a value is a number of things: an integer from 0. */
export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether a value is a text. */
export function isText(value: unknown): value is string {
	return typeof value === "string";
}

import type { Batch, KeyChange, NodeChange } from "../../src/storage.js";
import { keysTable, nodesTable, receiptsTable } from "../sql/schema.js";
import type { Parameter } from "./client.js";

const content = "name = ?, note = ?, layout_mode = ?, created_at = ?, modified_at = ?, completed_at = ?, revision = ?";

const ofNode = "WHERE outline = ? AND id = ?";

/** The statements of commits. The last two values of each are the outline and the id or key of the row. */
const statements = {
	/**
	 * For a node that is new or comes back, and for one that becomes a mirror or stops being one: writes every
	 * index.
	 */
	setNode: `INSERT INTO ${nodesTable}
		(short_id, origin_id, parent_id, priority, name, note, layout_mode, created_at, modified_at, completed_at, revision, deleted,
			outline, id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
		ON CONFLICT (outline, id) DO UPDATE SET parent_id = excluded.parent_id, priority = excluded.priority,
			name = excluded.name, note = excluded.note, layout_mode = excluded.layout_mode, created_at = excluded.created_at,
			modified_at = excluded.modified_at, completed_at = excluded.completed_at, origin_id = excluded.origin_id,
			revision = excluded.revision, deleted = 0`,
	/**
	 * For a node that keeps its place. Writes each index with a column that is set, even if the value stays the
	 * same.
	 */
	setContent: `UPDATE ${nodesTable} SET ${content} ${ofNode}`,
	/** For a node that moves: also writes the index of the places. */
	setPlace: `UPDATE ${nodesTable} SET parent_id = ?, priority = ?, ${content} ${ofNode}`,
	deleteNode: `UPDATE ${nodesTable}
		SET parent_id = NULL, priority = 0, name = '', note = NULL, completed_at = NULL, origin_id = NULL, revision = ?, deleted = 1
		${ofNode}`,
	setKey: `INSERT INTO ${keysTable} (key_group, node_id, outline, key) VALUES (?, ?, ?, ?)
		ON CONFLICT (outline, key) DO UPDATE SET key_group = excluded.key_group, node_id = excluded.node_id`,
	deleteKey: `DELETE FROM ${keysTable} WHERE outline = ? AND key = ?`,
	deleteReceipt: `DELETE FROM ${receiptsTable} WHERE outline = ? AND key = ?`,
	addReceipt: `INSERT INTO ${receiptsTable} (request, created_at, result, outline, key) VALUES (?, ?, ?, ?, ?)`,
} as const;

/** A statement of a commit by its name, with its values except the outline. It can be stored as JSON. */
export type Write = readonly [keyof typeof statements, ...Parameter[]];

/** Whether a value from JSON is a valid write. */
export function isWrite(value: unknown): value is Write {
	return Array.isArray(value) && value.length > 1 && Object.hasOwn(statements, value[0]);
}

/** Runs a write with a function that runs statements. */
export function runWrite(
	run: (sql: string, ...parameters: Parameter[]) => unknown,
	outline: number,
	[name, ...values]: Write,
): void {
	const last = values.pop()!;
	values.push(outline, last);
	run(statements[name], ...values);
}

/** Yields all writes of a batch, in order. */
export function* writesOf({ base, nodes, keys, receipts }: Batch): Generator<Write> {
	for (const change of nodes) yield writeOfNode(change, base + 1);
	for (const change of keys) yield writeOfKey(change);
	for (const key of receipts?.dropped ?? []) yield ["deleteReceipt", key];
	for (const { key, request, createdAt, result } of receipts?.added ?? []) {
		yield ["addReceipt", request, createdAt, result, key];
	}
}

function writeOfNode({ before, after }: NodeChange, revision: number): Write {
	if (after === null) return ["deleteNode", revision, before!.id];
	const { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId } = after;
	if (before === null || before.originId !== originId) {
		const columns = [parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, after.revision];
		return ["setNode", id.slice(-12), originId, ...columns, id];
	}
	const content = [name, note, layoutMode, createdAt, modifiedAt, completedAt, after.revision];
	if (before.parentId === parentId && before.priority === priority) return ["setContent", ...content, id];
	return ["setPlace", parentId, priority, ...content, id];
}

function writeOfKey({ before, after }: KeyChange): Write {
	if (after === null) return ["deleteKey", before!.key];
	return ["setKey", after.group, after.nodeId, after.key];
}

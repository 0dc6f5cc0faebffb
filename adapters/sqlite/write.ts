import type { Batch, KeyChange, NodeChange } from "../../src/storage.js";
import { documentsTable, keysTable, nodesTable, outlinesTable } from "../sql/schema.js";
import type { Parameter } from "./client.js";
import { putReceipts, shortIdFirst, shortIdFirstOf } from "./schema.js";

const content = "name = ?, note = ?, layout_mode = ?, created_at = ?, modified_at = ?, completed_at = ?, revision = ?";

/** The end of a statement for one node. The last parameter is the id in the form of the index. */
const ofNode = `WHERE outline = ? AND ${shortIdFirst("id")} = ?`;

/** The statements of commits. The last two values of each are the outline and the id, key or revision of the rows. */
const statements = {
	/**
	 * For a node that is new or comes back, and for one that becomes a mirror or stops being one: writes every
	 * index.
	 */
	putNode: `INSERT INTO ${nodesTable}
		(origin_id, parent_id, priority, name, note, layout_mode, created_at, modified_at, completed_at, revision, deleted, outline, id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
		ON CONFLICT (outline, ${shortIdFirst("id")}) DO UPDATE SET parent_id = excluded.parent_id, priority = excluded.priority,
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
	/** For a node whose properties change: most nodes have none. */
	setProperties: `UPDATE ${nodesTable} SET properties = ? ${ofNode}`,
	deleteNode: `UPDATE ${nodesTable}
		SET parent_id = NULL, priority = 0, name = '', note = NULL, properties = NULL, completed_at = NULL, origin_id = NULL,
			revision = ?, deleted = 1
		${ofNode}`,
	pointKey: `INSERT INTO ${keysTable} (key_group, node_id, revision, outline, key) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (outline, key) DO UPDATE
			SET key_group = excluded.key_group, node_id = excluded.node_id, revision = excluded.revision`,
	dropKey: `UPDATE ${keysTable} SET node_id = NULL, revision = ? WHERE outline = ? AND key = ?`,
	deleteDocument: `DELETE FROM ${documentsTable} WHERE outline = ? AND key = ?`,
	putDocument: `INSERT INTO ${documentsTable} (value, outline, key) VALUES (?, ?, ?)
		ON CONFLICT (outline, key) DO UPDATE SET value = excluded.value`,
	setHorizon: `UPDATE ${outlinesTable} SET horizon = max(horizon, ?) WHERE outline = ? AND 0 <= ?`,
	// Only in commits that a release with version 3 of the tables has left in parts. Its keys have no
	// tombstones.
	setKey: `INSERT INTO ${keysTable} (key_group, node_id, outline, key) VALUES (?, ?, ?, ?)
		ON CONFLICT (outline, key) DO UPDATE SET key_group = excluded.key_group, node_id = excluded.node_id`,
	deleteKey: `DELETE FROM ${keysTable} WHERE outline = ? AND key = ?`,
	deleteReceipt: `WITH given (outline, name) AS (VALUES (?, ?))
		DELETE FROM ${documentsTable} WHERE outline = (SELECT outline FROM given) AND
			(key = (SELECT 'receipt/' || lower(hex(name)) FROM given) OR
			key GLOB (SELECT 'receipt-age/*/' || lower(hex(name)) FROM given))`,
	addReceipt: `WITH given (request, created_at, result, outline, key) AS (VALUES (?, ?, ?, ?, ?)) ${putReceipts("given")}`,
} as const;

/**
 * Drops some of the tombstones of commits up to a revision. The parameters are the outline, the revision and the most
 * rows.
 */
export const dropTombstones: readonly string[] = [
	`DELETE FROM ${nodesTable} WHERE rowid IN
		(SELECT rowid FROM ${nodesTable} WHERE deleted AND outline = ? AND revision <= ? LIMIT ?)`,
	`DELETE FROM ${keysTable} WHERE (outline, key) IN
		(SELECT outline, key FROM ${keysTable} WHERE node_id IS NULL AND outline = ? AND revision <= ? LIMIT ?)`,
];

/** A statement of a commit by its name, with its values except the outline. It can be stored as JSON. */
export type Write = readonly [keyof typeof statements, ...Parameter[]];

/** Returns the write in a value from JSON; undefined if it has none. */
export function writeIn(value: unknown): Write | undefined {
	if (!Array.isArray(value) || value.length < 2) return undefined;
	// A release with version 4 of the tables or an earlier one has left it in parts. The short id, its first
	// value, was a column.
	if (value[0] === "setNode") return ["putNode", ...value.slice(2)];
	return Object.hasOwn(statements, value[0]) ? (value as unknown as Write) : undefined;
}

/** Runs a write with a function that runs statements. */
export function runWrite(
	run: (sql: string, ...parameters: Parameter[]) => unknown,
	outline: number,
	[name, ...values]: Write,
): void {
	const sql = statements[name];
	const last = values.pop()!;
	values.push(outline, sql.endsWith(ofNode) ? shortIdFirstOf(last as string) : last);
	run(sql, ...values);
}

/** Yields all writes of a batch, in order. */
export function* writesOf({ base, nodes, keys, documents, horizon }: Batch): Generator<Write> {
	for (const change of nodes) {
		yield writeOfNode(change, base + 1);
		const { before, after } = change;
		const { properties = null } = before ?? {};
		if (after !== null && after.properties !== properties) yield ["setProperties", after.properties, after.id];
	}
	for (const change of keys) yield writeOfKey(change, base + 1);
	for (const key of documents?.dropped ?? []) yield ["deleteDocument", key];
	for (const { key, value } of documents?.put ?? []) yield ["putDocument", value, key];
	if (horizon !== undefined) yield ["setHorizon", horizon, horizon];
}

function writeOfNode({ before, after }: NodeChange, revision: number): Write {
	if (after === null) return ["deleteNode", revision, before!.id];
	const { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId } = after;
	if (before === null || before.originId !== originId) {
		const columns = [parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, after.revision];
		return ["putNode", originId, ...columns, id];
	}
	const content = [name, note, layoutMode, createdAt, modifiedAt, completedAt, after.revision];
	if (before.parentId === parentId && before.priority === priority) return ["setContent", ...content, id];
	return ["setPlace", parentId, priority, ...content, id];
}

function writeOfKey({ before, after }: KeyChange, revision: number): Write {
	if (after === null) return ["dropKey", revision, before!.key];
	return ["pointKey", after.group, after.nodeId, revision, after.key];
}

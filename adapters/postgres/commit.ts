import type { Steps } from "../../src/pace.js";
import type { Batch, DocumentChanges, KeyChange, NodeChange } from "../../src/storage.js";
import { documentsTable, keysTable, nodesTable, outlinesTable } from "../sql/schema.js";

/**
 * The number of last commits that an outline's row names. So many other commits may come between the loss of
 * an answer and the question whether that commit was applied. After a server restart, the first clients back
 * may commit some hundred times a second.
 */
export const namedCommits = 128;

/** The number of characters in the name of a commit. */
export const commitNameLength = 6;

/** The number of rows of a statement to write in a step. */
const rowsInStep = 1000;

/** Returns a name for a commit. It only has to differ from the name of one other commit, once in a while. */
export function commitName(): string {
	const number = Math.floor(Math.random() * 36 ** commitNameLength);
	return number.toString(36).padStart(commitNameLength, "0");
}

/** The columns of a node in a batch, and their types. */
const nodeColumns = {
	id: "uuid",
	parent_id: "uuid",
	priority: "bigint",
	name: "text",
	note: "text",
	layout_mode: "text",
	properties: "text",
	created_at: "bigint",
	modified_at: "bigint",
	completed_at: "bigint",
	origin_id: "uuid",
	deleted: "boolean",
} as const;

const keyColumns = { key: "text", key_group: "text", node_id: "uuid" } as const;

const documentColumns = { key: "text", value: "text" } as const;

/** A statement with its parameters. */
export interface Statement {
	readonly sql: string;
	readonly parameters: readonly unknown[];
}

/**
 * Returns the statement that commits a batch: one statement, so one round trip, and all or nothing. It first
 * locks the outline's row and increases the revision, but only from the batch's base. All other writes depend
 * on that row. Each table is written by only one part of the statement, which is all that every engine
 * allows. Deleted nodes and keys stay as marked rows until they are pruned. Dropped documents stay until
 * {@link deleteDroppedDocuments}.
 *
 * @param name - the commit's name, to find out later whether it was applied
 */
export function* commitStatement(
	outline: string,
	{ base, nodes, keys, documents, horizon }: Batch,
	name: string,
): Steps<Statement> {
	const parameters: unknown[] = [outline, base, name];
	// The first commit finds no row to lock. Because of the primary key, only one insert of that row can
	// succeed.
	const advanced =
		base === 0
			? `INSERT INTO ${outlinesTable} AS o (outline, revision, commits) VALUES ($1::text, $2::bigint + 1, $3::text)
				ON CONFLICT (outline) DO UPDATE SET revision = excluded.revision, commits = excluded.commits
				WHERE o.revision = $2::bigint RETURNING o.revision`
			: `UPDATE ${outlinesTable} SET revision = $2::bigint + 1,${horizon === undefined ? "" : ` horizon = greatest(horizon, ${Number(horizon)}),`}
				commits = left($3::text || commits, ${namedCommits * commitNameLength})
				WHERE outline = $1::text AND revision = $2::bigint RETURNING revision`;
	const parts = [`advanced AS (${advanced})`];
	if (nodes.length > 0) {
		parts.push(`nodes AS (INSERT INTO ${nodesTable} (outline, short_id, revision, ${listed(nodeColumns)})
			SELECT $1::text, right(r.id::text, 12), a.revision, ${listed(nodeColumns, "r.")}
			FROM advanced a CROSS JOIN ${yield* recordset(nodes, nodeRow, nodeColumns, parameters)}
			ON CONFLICT (outline, id) DO UPDATE SET revision = excluded.revision, ${replaced(nodeColumns, "id")})`);
	}
	if (keys.length > 0) {
		parts.push(`keys AS (INSERT INTO ${keysTable} (outline, revision, ${listed(keyColumns)})
			SELECT $1::text, a.revision, ${listed(keyColumns, "r.")}
			FROM advanced a CROSS JOIN ${yield* recordset(keys, keyRow, keyColumns, parameters)}
			ON CONFLICT (outline, key) DO UPDATE SET revision = excluded.revision, ${replaced(keyColumns, "key")})`);
	}
	if (documents !== undefined) {
		parts.push(`documents AS (INSERT INTO ${documentsTable} (outline, ${listed(documentColumns)})
			SELECT $1::text, ${listed(documentColumns, "r.")}
			FROM advanced a CROSS JOIN ${yield* recordset(documentRows(documents), (row) => row, documentColumns, parameters)}
			ON CONFLICT (outline, key) DO UPDATE SET ${replaced(documentColumns, "key")})`);
	}
	if (horizon !== undefined) {
		const pruned = `outline = $1::text AND revision <= $${parameters.push(horizon)}::bigint AND EXISTS (SELECT FROM advanced)`;
		parts.push(`nodes AS (DELETE FROM ${nodesTable} WHERE deleted AND ${pruned})`);
		parts.push(`keys AS (DELETE FROM ${keysTable} WHERE node_id IS NULL AND ${pruned})`);
	}
	return { sql: `WITH ${parts.join(", ")} SELECT revision FROM advanced`, parameters };
}

/**
 * Deletes the rows of an outline's dropped documents. No query returns them, so this may happen at any time or
 * never. If a commit puts a document under a dropped key at the same time, that document stays: the later of the
 * two waits for the row, and checks it again.
 */
export const deleteDroppedDocuments = `DELETE FROM ${documentsTable} WHERE outline = $1::text AND value IS NULL`;

/** The names of columns, and their types. */
type Columns = Readonly<Record<string, string>>;

/** A value for each of the columns. */
type RowOf<C extends Columns> = { readonly [Name in keyof C]: unknown };

function listed(columns: Columns, before = ""): string {
	return Object.keys(columns)
		.map((name) => before + name)
		.join(", ");
}

/** Returns assignments that replace every column but the key, if an insert finds a row with the key. */
function replaced(columns: Columns, key: string): string {
	const names = Object.keys(columns).filter((name) => name !== key);
	return names.map((name) => `${name} = excluded.${name}`).join(", ");
}

/** Returns the rows as a table `r`, all in one parameter. */
function* recordset<T, C extends Columns>(
	changes: readonly T[],
	rowOf: (change: T) => RowOf<C>,
	columns: C,
	parameters: unknown[],
): Steps<string> {
	const pieces: string[] = [];
	for (let start = 0; start < changes.length; start += rowsInStep) {
		if (start > 0) yield;
		const rows = changes.slice(start, start + rowsInStep).map(rowOf);
		pieces.push(JSON.stringify(rows).slice(1, -1));
	}
	const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
	return `json_to_recordset($${parameters.push(`[${pieces.join(",")}]`)}::json) AS r (${types.join(", ")})`;
}

function nodeRow({ before, after }: NodeChange): RowOf<typeof nodeColumns> {
	// For a deleted node, required columns get as short a value as possible.
	const record = after ?? {
		...before!,
		parentId: null,
		priority: 0,
		name: "",
		note: null,
		properties: null,
		completedAt: null,
		originId: null,
	};
	return {
		id: record.id,
		parent_id: record.parentId,
		priority: record.priority,
		name: record.name,
		note: record.note,
		layout_mode: record.layoutMode,
		// Most nodes have none, and `undefined` isn't in the JSON.
		properties: record.properties ?? undefined,
		created_at: record.createdAt,
		modified_at: record.modifiedAt,
		completed_at: record.completedAt,
		origin_id: record.originId,
		deleted: after === null,
	};
}

function documentRows({ put, dropped }: DocumentChanges): RowOf<typeof documentColumns>[] {
	return [...put, ...dropped.map((key) => ({ key, value: null }))];
}

function keyRow({ before, after }: KeyChange): RowOf<typeof keyColumns> {
	const { key, group } = (after ?? before)!;
	return { key, key_group: group, node_id: after?.nodeId ?? null };
}

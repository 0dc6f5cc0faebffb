import type { Steps } from "../../src/pace.js";
import type { Batch, KeyChange, NodeChange, ReceiptChanges } from "../../src/storage.js";
import { keysTable, nodesTable, outlinesTable, receiptsTable } from "../sql/schema.js";

/**
 * How many of an outline's last commits its row names. So many others may come between the loss of an answer and the question
 * what became of its commit: while a server restarts, those who are back first may commit some hundred times a second.
 */
export const namedCommits = 128;

/** How many characters a name of a commit has. */
export const commitNameLength = 6;

/** How many rows of a statement are written in a step. */
const rowsInStep = 1000;

/** A name for a commit. It only has to differ from that of one other commit, now and then. */
export function commitName(): string {
	const number = Math.floor(Math.random() * 36 ** commitNameLength);
	return number.toString(36).padStart(commitNameLength, "0");
}

/** What a batch says of a node, and the types of it. */
const nodeColumns = {
	id: "uuid",
	parent_id: "uuid",
	priority: "bigint",
	name: "text",
	note: "text",
	layout_mode: "text",
	created_at: "bigint",
	modified_at: "bigint",
	completed_at: "bigint",
	origin_id: "uuid",
	deleted: "boolean",
} as const;

const keyColumns = { key: "text", key_group: "text", node_id: "uuid" } as const;

const receiptColumns = { key: "text", request: "text", created_at: "bigint", result: "text" } as const;

/** A statement with its parameters. */
export interface Statement {
	readonly sql: string;
	readonly parameters: readonly unknown[];
}

/**
 * The statement that commits a batch: one statement, so one round trip and all or nothing. The outline's row comes first: it
 * is locked, and moves on only from the batch's base; on that row depends whether anything else is written. Each table is
 * written by one part of it alone, which is all that every engine allows. What is deleted stays as a row that says so; those
 * of receipts, which would become ever more, until {@link deleteDroppedReceipts}.
 *
 * @param name - the commit's, by which it is found out later whether it was applied
 */
export function* commitStatement(
	outline: string,
	{ base, nodes, keys, receipts }: Batch,
	name: string,
): Steps<Statement> {
	const parameters: unknown[] = [outline, base, name];
	// The first commit finds no row to lock, and the key of the row that it makes lets only one be the first.
	const advanced =
		base === 0
			? `INSERT INTO ${outlinesTable} AS o (outline, revision, commits) VALUES ($1::text, $2::bigint + 1, $3::text)
				ON CONFLICT (outline) DO UPDATE SET revision = excluded.revision, commits = excluded.commits
				WHERE o.revision = $2::bigint RETURNING o.revision`
			: `UPDATE ${outlinesTable} SET revision = $2::bigint + 1,
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
		parts.push(`keys AS (INSERT INTO ${keysTable} (outline, ${listed(keyColumns)})
			SELECT $1::text, ${listed(keyColumns, "r.")}
			FROM advanced a CROSS JOIN ${yield* recordset(keys, keyRow, keyColumns, parameters)}
			ON CONFLICT (outline, key) DO UPDATE SET ${replaced(keyColumns, "key")})`);
	}
	if (receipts !== undefined) {
		parts.push(`receipts AS (INSERT INTO ${receiptsTable} (outline, ${listed(receiptColumns)})
			SELECT $1::text, ${listed(receiptColumns, "r.")}
			FROM advanced a CROSS JOIN ${yield* recordset(receiptRows(receipts), (row) => row, receiptColumns, parameters)}
			ON CONFLICT (outline, key) DO UPDATE SET ${replaced(receiptColumns, "key")})`);
	}
	return { sql: `WITH ${parts.join(", ")} SELECT revision FROM advanced`, parameters };
}

/**
 * Deletes what is left of an outline's receipts that have been dropped. Nobody sees it any more, so this may happen at any
 * time or never. It takes no receipt that a commit is just adding under a key that was dropped: whoever of the two comes
 * second waits for the row, and looks at it again.
 */
export const deleteDroppedReceipts = `DELETE FROM ${receiptsTable} WHERE outline = $1::text AND result IS NULL`;

/** Names of columns, and their types. */
type Columns = Readonly<Record<string, string>>;

/** A value for each of some columns. */
type RowOf<C extends Columns> = { readonly [Name in keyof C]: unknown };

function listed(columns: Columns, before = ""): string {
	return Object.keys(columns)
		.map((name) => before + name)
		.join(", ");
}

/** Every column but the key, set to what an insert found the row of the key in the way of. */
function replaced(columns: Columns, key: string): string {
	const names = Object.keys(columns).filter((name) => name !== key);
	return names.map((name) => `${name} = excluded.${name}`).join(", ");
}

/** Rows as a table `r`, all in one parameter. */
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
	// Of a deleted node the columns that must have a value keep as little as they can.
	const record = after ?? {
		...before!,
		parentId: null,
		priority: 0,
		name: "",
		note: null,
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
		created_at: record.createdAt,
		modified_at: record.modifiedAt,
		completed_at: record.completedAt,
		origin_id: record.originId,
		deleted: after === null,
	};
}

function receiptRows({ added, dropped }: ReceiptChanges): RowOf<typeof receiptColumns>[] {
	return [
		...added.map(({ key, request, createdAt, result }) => ({ key, request, created_at: createdAt, result })),
		...dropped.map((key) => ({ key, request: "", created_at: 0, result: null })),
	];
}

function keyRow({ before, after }: KeyChange): RowOf<typeof keyColumns> {
	const { key, group } = (after ?? before)!;
	return { key, key_group: group, node_id: after?.nodeId ?? null };
}

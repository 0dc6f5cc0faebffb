import { longestKey } from "../../src/operations/receipt-document.js";
import {
	documentsTable,
	keysTable,
	type Migration,
	nodesTable,
	outlinesTable,
	receiptsTable,
	schemaTable,
	stagedTable,
} from "../sql/schema.js";
import { recordColumns } from "../sql/select.js";

/** Returns a statement that puts the documents of receipts, which are in a table. */
export function putReceipts(table: string): string {
	const from = `FROM ${table} WHERE length(hex(key)) <= ${longestKey}`;
	return `INSERT OR REPLACE INTO ${documentsTable} (outline, key, value)
		SELECT outline, 'receipt/' || lower(hex(key)),
			json_object('request', request, 'createdAt', created_at, 'result', result) ${from}
		UNION ALL
		SELECT outline, 'receipt-age/' || printf('%016d', max(0, created_at)) || '/' || lower(hex(key)), '' ${from}`;
}

/**
 * The migrations, one for each version. Released migrations never change; a change is a new one at the end.
 */
export const migrations: readonly Migration[] = [
	[
		// The number of a removed outline is never used again, because another process may still have it open.
		`CREATE TABLE ${outlinesTable} (
			outline INTEGER PRIMARY KEY AUTOINCREMENT,
			name TEXT NOT NULL UNIQUE,
			revision INTEGER NOT NULL
		)`,
		`CREATE TABLE ${nodesTable} (
			outline INTEGER NOT NULL,
			id TEXT NOT NULL,
			short_id TEXT NOT NULL,
			parent_id TEXT,
			priority INTEGER NOT NULL,
			name TEXT NOT NULL,
			note TEXT,
			layout_mode TEXT NOT NULL,
			created_at INTEGER NOT NULL,
			modified_at INTEGER NOT NULL,
			completed_at INTEGER,
			origin_id TEXT,
			revision INTEGER NOT NULL,
			deleted INTEGER NOT NULL,
			PRIMARY KEY (outline, id)
		)`,
		`CREATE INDEX ${nodesTable}_by_short_id ON ${nodesTable} (outline, short_id) WHERE NOT deleted`,
		`CREATE INDEX ${nodesTable}_by_parent ON ${nodesTable} (outline, parent_id, priority, id) WHERE NOT deleted`,
		`CREATE INDEX ${nodesTable}_by_origin ON ${nodesTable} (outline, origin_id, id) WHERE origin_id IS NOT NULL AND NOT deleted`,
		`CREATE INDEX ${nodesTable}_by_revision ON ${nodesTable} (outline, revision)`,
		`CREATE TABLE ${keysTable} (
			outline INTEGER NOT NULL,
			key TEXT NOT NULL,
			key_group TEXT NOT NULL,
			node_id TEXT,
			PRIMARY KEY (outline, key)
		) WITHOUT ROWID`,
		`CREATE INDEX ${keysTable}_by_group ON ${keysTable} (outline, key_group, key, node_id)`,
		`CREATE INDEX ${keysTable}_by_node ON ${keysTable} (outline, node_id, key, key_group)`,
	],
	[
		`CREATE TABLE ${receiptsTable} (
			outline INTEGER NOT NULL,
			key TEXT NOT NULL,
			request TEXT NOT NULL,
			created_at INTEGER NOT NULL,
			result TEXT NOT NULL,
			PRIMARY KEY (outline, key)
		)`,
		`CREATE INDEX ${receiptsTable}_by_age ON ${receiptsTable} (outline, created_at, key)`,
	],
	[
		// The name of a durable commit, as long as some of its parts aren't applied.
		`ALTER TABLE ${outlinesTable} ADD COLUMN staged TEXT`,
		`CREATE TABLE ${stagedTable} (
			outline INTEGER NOT NULL,
			name TEXT NOT NULL,
			part INTEGER NOT NULL,
			base INTEGER NOT NULL,
			writes TEXT NOT NULL,
			PRIMARY KEY (outline, name, part)
		)`,
	],
	[
		`ALTER TABLE ${nodesTable} ADD COLUMN properties TEXT`,
		// Only a tombstone has no node. An earlier key gets the revision of the first commit.
		`ALTER TABLE ${keysTable} ADD COLUMN revision INTEGER NOT NULL DEFAULT 1`,
		// The indexes have all columns: for so few rows SQLite would rather read all of them in the table.
		`DROP INDEX ${keysTable}_by_group`,
		`DROP INDEX ${keysTable}_by_node`,
		`CREATE INDEX ${keysTable}_of_group ON ${keysTable} (outline, key_group, key, node_id, revision) WHERE node_id IS NOT NULL`,
		`CREATE INDEX ${keysTable}_of_node ON ${keysTable} (outline, node_id, key, key_group, revision) WHERE node_id IS NOT NULL`,
		`CREATE INDEX ${keysTable}_by_revision ON ${keysTable} (outline, revision, key, key_group, node_id)`,
		`CREATE INDEX ${nodesTable}_deleted ON ${nodesTable} (outline, revision) WHERE deleted`,
		`ALTER TABLE ${outlinesTable} ADD COLUMN horizon INTEGER NOT NULL DEFAULT 0`,
		`CREATE TABLE ${documentsTable} (
			outline INTEGER NOT NULL,
			key TEXT NOT NULL,
			value TEXT NOT NULL,
			PRIMARY KEY (outline, key)
		)`,
		// See the module of the receipts' documents for their form.
		putReceipts(receiptsTable),
		`DROP TABLE ${receiptsTable}`,
	],
];

/** Returns the names of the tables and indexes that the statements create. */
export function namesIn(statements: readonly string[]): string[] {
	return statements.flatMap((statement) => /^CREATE (?:TABLE|INDEX) (\w+)/.exec(statement)?.[1] ?? []);
}

/** The columns of each table in the newest version. */
export const columns: Readonly<Record<string, readonly string[]>> = {
	[outlinesTable]: ["outline", "name", "revision", "staged", "horizon"],
	[nodesTable]: ["outline", "short_id", "deleted", ...recordColumns],
	[keysTable]: ["outline", "key", "key_group", "node_id", "revision"],
	[documentsTable]: ["outline", "key", "value"],
	[stagedTable]: ["outline", "name", "part", "base", "writes"],
	[schemaTable]: ["version"],
};

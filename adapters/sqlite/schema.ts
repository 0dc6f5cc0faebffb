import {
	keysTable,
	type Migration,
	nodesTable,
	outlinesTable,
	receiptsTable,
	schemaTable,
	stagedTable,
} from "../sql/schema.js";
import { recordColumns } from "../sql/select.js";

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
];

/** Returns the names of the tables and indexes that the statements create. */
export function namesIn(statements: readonly string[]): string[] {
	return statements.flatMap((statement) => /^CREATE (?:TABLE|INDEX) (\w+)/.exec(statement)?.[1] ?? []);
}

/** The columns of each table in the newest version. */
export const columns: Readonly<Record<string, readonly string[]>> = {
	[outlinesTable]: ["outline", "name", "revision", "staged"],
	[nodesTable]: ["outline", "short_id", "deleted", ...recordColumns],
	[keysTable]: ["outline", "key", "key_group", "node_id"],
	[receiptsTable]: ["outline", "key", "request", "created_at", "result"],
	[stagedTable]: ["outline", "name", "part", "base", "writes"],
	[schemaTable]: ["version"],
};

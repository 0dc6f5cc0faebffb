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

/** The columns of a node in version 5. */
const nodeColumns = `outline, id, parent_id, priority, name, note, layout_mode, created_at, modified_at, completed_at,
	origin_id, revision, deleted, properties`;

/** Returns a statement that puts the documents of receipts, which are in a table. */
export function putReceipts(table: string): string {
	const from = `FROM ${table} WHERE length(hex(key)) <= ${longestKey}`;
	return `INSERT OR REPLACE INTO ${documentsTable} (outline, key, value)
		SELECT outline, 'receipt/' || lower(hex(key)),
			json_object('request', request, 'createdAt', created_at, 'result', result) ${from}
		UNION ALL
		SELECT outline, 'receipt-age/' || printf('%016d', max(0, created_at)) || '/' || lower(hex(key)), '' ${from}`;
}

/** Returns an expression for the short id of a node by one for its id. */
export function shortIdOf(id: string): string {
	return `substr(${id}, -12)`;
}

/**
 * Returns an expression for the id with its short id first, by one for the id. One index of these finds a node
 * by either. Statements must have exactly the expression of the index.
 */
export function shortIdFirst(id: string): string {
	return `(${shortIdOf(id)} || substr(${id}, 1, length(${id}) - 12))`;
}

/** Returns the value of {@link shortIdFirst} for an id. */
export function shortIdFirstOf(id: string): string {
	return id.slice(-12) + id.slice(0, -12);
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
	[
		// One index less, and shorter ones: a node takes a quarter less space, and a new one changes fewer pages.
		// The old indexes go first, so that the new rows take their space.
		...["by_short_id", "by_parent", "by_origin", "by_revision", "deleted"].map(
			(name) => `DROP INDEX IF EXISTS ${nodesTable}_${name}`,
		),
		`CREATE TABLE ${nodesTable}_smaller (
			outline INTEGER NOT NULL,
			id TEXT NOT NULL,
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
			properties TEXT
		)`,
		`INSERT INTO ${nodesTable}_smaller (${nodeColumns}) SELECT ${nodeColumns} FROM ${nodesTable} ORDER BY rowid`,
		`DROP TABLE ${nodesTable}`,
		`ALTER TABLE ${nodesTable}_smaller RENAME TO ${nodesTable}`,
		`CREATE UNIQUE INDEX ${nodesTable}_by_id ON ${nodesTable} (outline, ${shortIdFirst("id")})`,
		`CREATE INDEX ${nodesTable}_of_parent ON ${nodesTable} (outline, parent_id, priority) WHERE NOT deleted`,
		`CREATE INDEX ${nodesTable}_of_origin ON ${nodesTable} (outline, origin_id, id) WHERE origin_id IS NOT NULL AND NOT deleted`,
		`CREATE INDEX ${nodesTable}_of_revision ON ${nodesTable} (outline, revision)`,
		`CREATE INDEX ${nodesTable}_dropped ON ${nodesTable} (outline, revision) WHERE deleted`,
	],
];

/** Returns the names of the tables and indexes that the statements create. */
export function namesIn(statements: readonly string[]): string[] {
	return statements.flatMap((statement) => /^CREATE (?:TABLE|(?:UNIQUE )?INDEX) (\w+)/.exec(statement)?.[1] ?? []);
}

/** The columns of each table in the newest version. */
export const columns: Readonly<Record<string, readonly string[]>> = {
	[outlinesTable]: ["outline", "name", "revision", "staged", "horizon"],
	[nodesTable]: ["outline", "deleted", ...recordColumns],
	[keysTable]: ["outline", "key", "key_group", "node_id", "revision"],
	[documentsTable]: ["outline", "key", "value"],
	[stagedTable]: ["outline", "name", "part", "base", "writes"],
	[schemaTable]: ["version"],
};

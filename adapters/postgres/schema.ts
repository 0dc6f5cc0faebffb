import { longestKey } from "../../src/operations/receipt-document.js";
import { documentsTable, keysTable, type Migration, nodesTable, outlinesTable, receiptsTable } from "../sql/schema.js";

/**
 * Keeps the server from taking statistics of the outlines. For an outline newer than its statistics, it would
 * expect hardly any rows, and so read all of the outline's rows for each single one.
 */
function withoutStatistics(table: string): string {
	return `ALTER TABLE ${table} ALTER COLUMN outline SET STATISTICS 0`;
}

/**
 * The statements that create the tables of the newest version. Every key begins with the outline, so that the
 * tables can be distributed over many servers by that column.
 */
export const newestTables: Migration = [
	`CREATE TABLE ${outlinesTable} (
		outline text NOT NULL,
		revision bigint NOT NULL,
		commits text NOT NULL,
		horizon bigint NOT NULL DEFAULT 0,
		PRIMARY KEY (outline)
	)`,
	`CREATE TABLE ${nodesTable} (
		outline text NOT NULL,
		id uuid NOT NULL,
		short_id text NOT NULL,
		parent_id uuid,
		priority bigint NOT NULL,
		name text NOT NULL,
		note text,
		layout_mode text NOT NULL,
		created_at bigint NOT NULL,
		modified_at bigint NOT NULL,
		completed_at bigint,
		origin_id uuid,
		revision bigint NOT NULL,
		deleted boolean NOT NULL,
		properties text,
		PRIMARY KEY (outline, id)
	)`,
	`CREATE INDEX ${nodesTable}_by_short_id ON ${nodesTable} (outline, short_id) WHERE NOT deleted`,
	`CREATE INDEX ${nodesTable}_by_parent ON ${nodesTable} (outline, parent_id, priority, id) WHERE NOT deleted`,
	`CREATE INDEX ${nodesTable}_by_origin ON ${nodesTable} (outline, origin_id) WHERE origin_id IS NOT NULL AND NOT deleted`,
	`CREATE INDEX ${nodesTable}_by_revision ON ${nodesTable} (outline, revision)`,
	`CREATE INDEX ${nodesTable}_deleted ON ${nodesTable} (outline, revision) WHERE deleted`,
	// A row without a node is a dropped key.
	`CREATE TABLE ${keysTable} (
		outline text NOT NULL,
		key text NOT NULL,
		key_group text NOT NULL,
		node_id uuid,
		revision bigint NOT NULL,
		PRIMARY KEY (outline, key)
	)`,
	`CREATE INDEX ${keysTable}_by_group ON ${keysTable} (outline, key_group)`,
	`CREATE INDEX ${keysTable}_by_node ON ${keysTable} (outline, node_id)`,
	`CREATE INDEX ${keysTable}_by_revision ON ${keysTable} (outline, revision)`,
	// A row without a value is a dropped document. It is deleted later. The order of the keys is that of bytes.
	`CREATE TABLE ${documentsTable} (
		outline text NOT NULL,
		key text COLLATE "C" NOT NULL,
		value text,
		PRIMARY KEY (outline, key)
	)`,
	`CREATE INDEX ${documentsTable}_dropped ON ${documentsTable} (outline) WHERE value IS NULL`,
	...[nodesTable, keysTable, documentsTable].map(withoutStatistics),
];

/**
 * The migrations, one for each version. Released migrations never change; a change is a new one at the end, and
 * in {@link newestTables}.
 */
export const migrations: readonly Migration[] = [
	[
		`CREATE TABLE ${outlinesTable} (
			outline text NOT NULL,
			revision bigint NOT NULL,
			commits text NOT NULL,
			PRIMARY KEY (outline)
		)`,
		`CREATE TABLE ${nodesTable} (
			outline text NOT NULL,
			id uuid NOT NULL,
			short_id text NOT NULL,
			parent_id uuid,
			priority bigint NOT NULL,
			name text NOT NULL,
			note text,
			layout_mode text NOT NULL,
			created_at bigint NOT NULL,
			modified_at bigint NOT NULL,
			completed_at bigint,
			origin_id uuid,
			revision bigint NOT NULL,
			deleted boolean NOT NULL,
			PRIMARY KEY (outline, id)
		)`,
		`CREATE INDEX ${nodesTable}_by_short_id ON ${nodesTable} (outline, short_id) WHERE NOT deleted`,
		`CREATE INDEX ${nodesTable}_by_parent ON ${nodesTable} (outline, parent_id, priority, id) WHERE NOT deleted`,
		`CREATE INDEX ${nodesTable}_by_origin ON ${nodesTable} (outline, origin_id) WHERE origin_id IS NOT NULL AND NOT deleted`,
		`CREATE INDEX ${nodesTable}_by_revision ON ${nodesTable} (outline, revision)`,
		`CREATE TABLE ${keysTable} (
			outline text NOT NULL,
			key text NOT NULL,
			key_group text NOT NULL,
			node_id uuid,
			PRIMARY KEY (outline, key)
		)`,
		`CREATE INDEX ${keysTable}_by_group ON ${keysTable} (outline, key_group)`,
		`CREATE INDEX ${keysTable}_by_node ON ${keysTable} (outline, node_id)`,
		withoutStatistics(nodesTable),
		withoutStatistics(keysTable),
	],
	[
		// A row without a result is a dropped receipt. It is deleted later.
		`CREATE TABLE ${receiptsTable} (
			outline text NOT NULL,
			key text NOT NULL,
			request text NOT NULL,
			created_at bigint NOT NULL,
			result text,
			PRIMARY KEY (outline, key)
		)`,
		`CREATE INDEX ${receiptsTable}_by_age ON ${receiptsTable} (outline, created_at) WHERE result IS NOT NULL`,
		`CREATE INDEX ${receiptsTable}_dropped ON ${receiptsTable} (outline) WHERE result IS NULL`,
		withoutStatistics(receiptsTable),
	],
	[
		`ALTER TABLE ${nodesTable} ADD COLUMN properties text`,
		`CREATE INDEX ${nodesTable}_deleted ON ${nodesTable} (outline, revision) WHERE deleted`,
		// Only a tombstone has no node, and earlier dropped keys have none. An earlier key gets the revision of
		// the first commit.
		`DELETE FROM ${keysTable} WHERE node_id IS NULL`,
		`ALTER TABLE ${keysTable} ADD COLUMN revision bigint NOT NULL DEFAULT 1`,
		// A process of an earlier release, which would write keys that the feed misses, can't write any.
		`ALTER TABLE ${keysTable} ALTER COLUMN revision DROP DEFAULT`,
		`CREATE INDEX ${keysTable}_by_revision ON ${keysTable} (outline, revision)`,
		`ALTER TABLE ${outlinesTable} ADD COLUMN horizon bigint NOT NULL DEFAULT 0`,
		// A row without a value is a dropped document. It is deleted later. The order of the keys is that of bytes.
		`CREATE TABLE ${documentsTable} (
			outline text NOT NULL,
			key text COLLATE "C" NOT NULL,
			value text,
			PRIMARY KEY (outline, key)
		)`,
		`CREATE INDEX ${documentsTable}_dropped ON ${documentsTable} (outline) WHERE value IS NULL`,
		withoutStatistics(documentsTable),
		// See the module of the receipts' documents for their form.
		`INSERT INTO ${documentsTable} (outline, key, value)
			SELECT outline, 'receipt/' || encode(convert_to(key, 'UTF8'), 'hex'),
				json_build_object('request', request, 'createdAt', created_at, 'result', result)::text
			FROM ${receiptsTable} WHERE result IS NOT NULL AND 2 * octet_length(key) <= ${longestKey}`,
		`INSERT INTO ${documentsTable} (outline, key, value)
			SELECT outline, 'receipt-age/' || lpad(greatest(0, created_at)::text, 16, '0') || '/' ||
				encode(convert_to(key, 'UTF8'), 'hex'), ''
			FROM ${receiptsTable} WHERE result IS NOT NULL AND 2 * octet_length(key) <= ${longestKey}`,
		`DROP TABLE ${receiptsTable}`,
	],
];

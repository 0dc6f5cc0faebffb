import { keysTable, type Migration, nodesTable, outlinesTable, receiptsTable } from "../sql/schema.js";

/**
 * Keeps the server from taking statistics of the outlines. For an outline newer than its statistics, it would
 * expect hardly any rows, and so read all of the outline's rows for each single one.
 */
function withoutStatistics(table: string): string {
	return `ALTER TABLE ${table} ALTER COLUMN outline SET STATISTICS 0`;
}

/**
 * The migrations, one for each version. Released migrations never change; a change is a new one at the end.
 * Every key begins with the outline, so that the tables can be distributed over many servers by that column.
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
];

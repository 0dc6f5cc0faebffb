import type { Migration } from "../sql/migration.js";
import { keysTable, nodesTable, outlinesTable, receiptsTable } from "../sql/schema.js";

/**
 * Keeps the server from learning which outlines there are. Of one that is newer than its statistics it would believe that it
 * has hardly any rows, and so look for each single one through all of them.
 */
function withoutStatistics(table: string): string {
	return `ALTER TABLE ${table} ALTER COLUMN outline SET STATISTICS 0`;
}

/**
 * The schema, version by version. What has been released is never changed; a change is a new version at the end. Every key
 * begins with the outline, so that the tables can be spread by that column over many servers.
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
		// One without a result has been dropped. It is deleted later.
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

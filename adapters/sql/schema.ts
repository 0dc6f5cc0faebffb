import { OutlineError } from "../../src/errors.js";

/** The table of the outlines and their revisions. */
export const outlinesTable = "outlinekit_outlines";

/** The table of the nodes and tombstones. */
export const nodesTable = "outlinekit_nodes";

/** The table of the keys and their tombstones, which are rows without a node. */
export const keysTable = "outlinekit_keys";

/** The table of the documents. */
export const documentsTable = "outlinekit_documents";

/** The table of the receipts, in earlier versions of the schema. */
export const receiptsTable = "outlinekit_receipts";

/** The table with one row: the version of the schema. */
export const schemaTable = "outlinekit_schema";

/** The table with the parts of commits that aren't applied yet, in SQLite. */
export const stagedTable = "outlinekit_staged";

/**
 * The statements that bring the schema from one version to the next, in order. The first migration creates
 * version 1.
 */
export type Migration = readonly string[];

/**
 * Returns the statements that bring a schema to the newest version; none if it is the newest.
 *
 * @param version - the version of the present schema; 0 for none
 * @throws `storage_unavailable` if a newer release has made the schema
 */
export function pending(version: number, migrations: readonly Migration[]): readonly string[] {
	if (version <= migrations.length) return migrations.slice(version).flat();
	throw new OutlineError(
		"storage_unavailable",
		`The tables of this database are in version ${version} of their schema (see ${schemaTable}), and this release knows version ${migrations.length}. Install a newer outlinekit to open it.`,
	);
}

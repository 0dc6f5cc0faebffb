import { OutlineError } from "../../src/errors.js";
import { schemaTable } from "./schema.js";

/** What brings the schema from one version to the next: statements, in order. The first makes version 1 of nothing. */
export type Migration = readonly string[];

/**
 * The statements that bring a schema to the newest version, and the version that they make; none if it is there already.
 *
 * @param version - of the schema that is there; 0 for none
 * @throws `storage_unavailable` for a schema that a newer release has made
 */
export function pending(version: number, migrations: readonly Migration[]): readonly string[] {
	if (version <= migrations.length) return migrations.slice(version).flat();
	throw new OutlineError(
		"storage_unavailable",
		`The tables of this database are in version ${version} of their schema (see ${schemaTable}), and this release knows version ${migrations.length}. Install a newer outlinekit to open it.`,
	);
}

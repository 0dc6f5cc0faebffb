import { OutlineError } from "../../src/errors.js";
import { type Migration, pending, schemaTable } from "../sql/schema.js";
import type { PostgresQuery } from "./connection.js";
import { migrations, newestTables } from "./schema.js";
import type { PostgresServer } from "./server.js";

const createSchemaTable = `CREATE TABLE IF NOT EXISTS ${schemaTable} (only_row integer PRIMARY KEY, version integer NOT NULL)`;

/** The SQLSTATE of a table that doesn't exist. */
const undefinedTable = "42P01";

/**
 * Returns the statements that bring the tables from a version to the newest, in order, for hosts that run
 * them themselves.
 *
 * @param version - the version of the present tables; 0 for none
 * @throws `storage_unavailable` for a version that this release doesn't know
 */
export function schemaStatements(version: number): string[] {
	if (version === 0) {
		const insert = `INSERT INTO ${schemaTable} (only_row, version) VALUES (1, ${migrations.length})`;
		return [createSchemaTable, ...newestTables, insert];
	}
	const statements = pending(version, migrations);
	return statements.length === 0 ? [] : [...statements, `UPDATE ${schemaTable} SET version = ${migrations.length}`];
}

/**
 * Creates or migrates the tables.
 *
 * @param create - false to only check that they are there and in the newest version
 * @throws `storage_unavailable` for tables of a newer release, and if the tables must change but `create` is
 * false
 */
export async function migrate(
	server: PostgresServer,
	create: boolean,
	versions: readonly Migration[] = migrations,
): Promise<void> {
	const found = await server.run((query) => currentVersion(query));
	if (pending(found, versions).length === 0) return;
	if (!create) {
		throw new OutlineError(
			"storage_unavailable",
			`The tables of this database are ${found === 0 ? "missing" : `in version ${found} of their schema`}, and createSchema is false. Run the statements of postgresSchema(${found === 0 ? "" : found}).`,
		);
	}
	await server.run(async (query) => {
		await query("BEGIN");
		// If several processes begin at the same time, one is first. The others fail here or wait at the row, and
		// find the work done.
		await query(createSchemaTable);
		await query(`INSERT INTO ${schemaTable} (only_row, version) VALUES (1, 0) ON CONFLICT DO NOTHING`);
		const rows = await query(`SELECT version FROM ${schemaTable} FOR UPDATE`);
		const from = versionIn(rows);
		const statements = from === 0 && versions === migrations ? newestTables : pending(from, versions);
		for (const statement of statements) await query(statement);
		await query(`UPDATE ${schemaTable} SET version = ${versions.length}`);
		await query("COMMIT");
	});
}

async function currentVersion(query: PostgresQuery): Promise<number> {
	try {
		return versionIn(await query(`SELECT version FROM ${schemaTable}`));
	} catch (error) {
		if ((error as { code?: unknown } | null)?.code === undefinedTable) return 0;
		throw error;
	}
}

function versionIn(rows: readonly unknown[]): number {
	return Number((rows[0] as { version: unknown } | undefined)?.version ?? 0);
}

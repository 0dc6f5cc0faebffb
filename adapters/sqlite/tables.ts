import { OutlineError } from "../../src/errors.js";
import { longestRecord } from "../record-size.js";
import { type Migration, pending, schemaTable } from "../sql/schema.js";
import type { SqliteConnection } from "./connection.js";
import { damaged, fault, foreign, hasResultCode, isTooBig, mayComeOfTables } from "./fault.js";
import type { BytesOf } from "./read.js";
import { columns, migrations, namesIn } from "./schema.js";

/** The bytes of a row, when read, besides the texts of its record and its origin. */
const restOfRow = 4096;

const all = new WeakMap<SqliteConnection, SqliteTables>();

/** The tables of a database, with their limits. They are checked once for each opening of the database. */
export class SqliteTables {
	/** The opening of the database for which this is valid. */
	readonly #opened: number;
	readonly #connection: SqliteConnection;
	/** Returns an expression for the bytes of a text. */
	readonly bytesOf: BytesOf;
	#longestRecord: number | undefined;

	private constructor(connection: SqliteConnection) {
		this.#connection = connection;
		if (!areNewest(connection)) {
			migrate(connection);
			assertColumns(connection);
		}
		this.bytesOf = bytesOf(connection);
		this.#opened = connection.opened;
	}

	/**
	 * The most bytes of a record's texts as JSON. The record's row, and that of a mirror of it, must fit into
	 * one text when read.
	 */
	get longestRecord(): number {
		// Only commits ask for it.
		this.#longestRecord ??= Math.min(longestRecord, Math.floor((longestText(this.#connection) - restOfRow) / 3));
		return this.#longestRecord;
	}

	/** Returns the tables of a connection on which they have been checked. */
	static known(connection: SqliteConnection): SqliteTables {
		return all.get(connection)!;
	}

	/**
	 * Returns the tables of a connection; creates or migrates them if needed.
	 *
	 * @throws `storage_unavailable` for tables of a newer release, `storage_corrupt` for tables of another
	 * program
	 */
	static of(connection: SqliteConnection): SqliteTables {
		const tables = all.get(connection);
		if (tables !== undefined && tables.#opened === connection.opened && areNewest(connection)) return tables;
		const made = new SqliteTables(connection);
		all.set(connection, made);
		return made;
	}
}

/** Checks the version of the tables. @throws `storage_unavailable` unless it is that of this release */
export function assertVersion(connection: SqliteConnection): void {
	if (pending(versionIn(connection), migrations).length === 0) return;
	throw new OutlineError(
		"storage_unavailable",
		"The tables of this database have been replaced by older ones. Open it again.",
	);
}

/** Returns the version if all tables exist. SQLite refuses to compile it if one of them lacks a column. */
const versionOfAll = (() => {
	const names = Object.keys(columns);
	const list = names.map((name) => `'${name}'`).join(", ");
	const allExist = `(SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (${list})) = ${names.length}`;
	const selects = Object.entries(columns).map(([table, own]) => `EXISTS (SELECT ${own.join(", ")} FROM ${table})`);
	return `SELECT version FROM ${schemaTable} WHERE ${allExist} AND (1 OR ${selects.join(" OR ")})`;
})();

/** Whether all tables have the version and the columns of this release. Takes one statement. */
function areNewest(connection: SqliteConnection): boolean {
	try {
		const [row] = connection.rows(versionOfAll);
		return Number(row?.version) === migrations.length;
	} catch (error) {
		if (hasResultCode(error) && !mayComeOfTables(error)) throw error;
		// A closer look finds out why, and throws again if the tables aren't the cause.
		return false;
	}
}

/** Converts an error of a statement. If the tables aren't as they must be, the result says so. */
export function faultOfTables(connection: SqliteConnection, cause: unknown): OutlineError {
	if (!mayComeOfTables(cause)) return fault(cause);
	try {
		if (all.has(connection) || versionIn(connection) === migrations.length) assertColumns(connection);
	} catch (error) {
		if (error instanceof OutlineError) return new OutlineError(error.code, error.message, { cause });
	}
	return fault(cause);
}

/**
 * Creates or migrates the tables.
 *
 * @throws `storage_unavailable` for tables of a newer release, `storage_corrupt` for tables of another
 * program
 */
export function migrate(connection: SqliteConnection, versions: readonly Migration[] = migrations): void {
	if (pending(versionIn(connection), versions).length === 0) return;
	const bringForward = () => {
		// Another process may have migrated the tables meanwhile.
		const statements = pending(versionIn(connection), versions);
		assertFree(connection, namesIn(statements));
		for (const statement of statements) connection.exec(statement);
		connection.exec(`CREATE TABLE IF NOT EXISTS ${schemaTable} (version INTEGER NOT NULL)`);
		connection.exec(`DELETE FROM ${schemaTable}`);
		connection.exec(`INSERT INTO ${schemaTable} VALUES (${versions.length})`);
	};
	// A migration may replace a table that views, triggers or foreign keys of the host name. SQLite would refuse
	// that, or delete the host's rows along with the old table.
	withSetting(connection, "foreign_keys", 0, () =>
		withSetting(connection, "legacy_alter_table", 1, () => connection.transaction(bringForward)),
	);
}

/** Runs work while a setting of the connection has another value. */
function withSetting(connection: SqliteConnection, name: string, value: number, work: () => void): void {
	const [row] = connection.rows(`PRAGMA ${name}`);
	connection.exec(`PRAGMA ${name} = ${value}`);
	try {
		work();
	} finally {
		try {
			connection.exec(`PRAGMA ${name} = ${Number(row?.[name])}`);
		} catch {
			// The host has closed the database, and no setting is left.
		}
	}
}

/** Returns the version of the tables; 0 if there are none. */
function versionIn(connection: SqliteConnection): number {
	const [table] = connection.rows("SELECT type FROM sqlite_master WHERE name = ?", schemaTable);
	if (table === undefined) return 0;
	const [column] = connection.rows("SELECT 1 FROM pragma_table_info(?) WHERE name = 'version'", schemaTable);
	if (table.type !== "table" || column === undefined) {
		throw foreign(`${table.type} ${schemaTable}`, "it has no column version");
	}
	const [row] = connection.rows(`SELECT version FROM ${schemaTable}`);
	const version = Number(row?.version);
	if (Number.isSafeInteger(version) && version > 0) return version;
	throw damaged(`the table ${schemaTable} names no version`);
}

/** Checks that all tables exist with their columns. @throws `storage_corrupt` if not */
function assertColumns(connection: SqliteConnection): void {
	const found = connection.rows(
		`SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t CROSS JOIN pragma_table_info(t.name) c
			WHERE t.type = 'table' AND t.name IN (SELECT value FROM json_each(?))`,
		JSON.stringify(Object.keys(columns)),
	);
	for (const [table, expected] of Object.entries(columns)) {
		const own = new Set(found.flatMap((row) => (row.table === table ? [row.column] : [])));
		if (own.size === 0) throw damaged(`its table ${table} is missing`);
		const missing = expected.find((column) => !own.has(column));
		if (missing !== undefined) throw foreign(`table ${table}`, `it has no column ${missing}`);
	}
}

/** Checks that the names are free. @throws `storage_corrupt` if another program uses one of them */
function assertFree(connection: SqliteConnection, names: readonly string[]): void {
	const taken = "SELECT type, name FROM sqlite_master WHERE name IN (SELECT value FROM json_each(?))";
	const [found] = connection.rows(taken, JSON.stringify(names));
	if (found !== undefined) throw foreign(`${found.type} ${found.name}`, "outlinekit hasn't made it");
}

/**
 * Returns the most bytes of a text here, up to the number that matters. A host may have set its own limit.
 */
function longestText(connection: SqliteConnection): number {
	const fits = (bytes: number) => {
		try {
			connection.rows("SELECT length(zeroblob(?))", bytes);
			return true;
		} catch (error) {
			if (isTooBig(error)) return false;
			throw error;
		}
	};
	const wanted = 3 * longestRecord + restOfRow;
	if (fits(wanted)) return wanted;
	let most = 0;
	for (let step = 2 ** 27; step >= 1; step /= 2) if (fits(most + step)) most += step;
	return most;
}

/**
 * Returns the function for the bytes of a text. From version 3.43 on, SQLite has one that needn't read the
 * text.
 */
function bytesOf(connection: SqliteConnection): BytesOf {
	try {
		connection.rows("SELECT octet_length('')");
		return (text) => `octet_length(${text})`;
	} catch (error) {
		if (!mayComeOfTables(error)) throw error;
		return (text) => `length(CAST(${text} AS BLOB))`;
	}
}

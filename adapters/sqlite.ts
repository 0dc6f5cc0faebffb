/**
 * A storage in an SQLite database that the host has opened.
 *
 * @module outlinekit/sqlite
 */
import { invalidArgument, OutlineError, quoted } from "../src/errors.js";
import { assertMilliseconds, fieldNames, fieldsOf, isShortText } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import { atOnce } from "./sqlite/at-once.js";
import type { SqliteDatabase } from "./sqlite/client.js";
import { SqliteStorage } from "./sqlite/storage.js";

export type { SqliteDatabase, SqliteStatement } from "./sqlite/client.js";

/** Options of {@link createSqliteStorage}. */
export interface SqliteStorageOptions {
	/**
	 * The outline's name within the database, 1 to 255 characters. Each name is a separate outline. Default
	 * `outline`.
	 */
	outline?: string | undefined;
	/**
	 * The moment when a commit is acknowledged. With `full`, the default, it survives a power cut. With
	 * `normal`, it survives the end of the process; a power cut may undo the last commits, but never damages
	 * earlier ones.
	 */
	synchronous?: "full" | "normal" | undefined;
	/**
	 * The milliseconds that a commit waits for a commit of another process. The whole process waits. Default
	 * 5,000.
	 */
	busyTimeout?: number | undefined;
	/**
	 * The milliseconds between two polls of a watched outline for commits by other connections. Default 500.
	 */
	pollInterval?: number | undefined;
}

const optionNames = fieldNames<SqliteStorageOptions>({
	outline: true,
	synchronous: true,
	busyTimeout: true,
	pollInterval: true,
});

/**
 * Creates a storage in an SQLite database (3.38 or later) that the host has opened with better-sqlite3,
 * libsql, `node:sqlite` or `bun:sqlite`. It answers every query from the database, so an outline of any size
 * opens at once. A database holds any number of outlines. Several processes, and several storages on one
 * connection, may use it at the same time.
 *
 * The first use creates the tables, or migrates them to the newest schema. It also sets the connection to
 * WAL, to `synchronous` and to the busy timeout; the last storage on a connection decides for all of them.
 * Closing the storage leaves the connection open.
 *
 * A host that also uses the connection itself must end its transactions and iterations before it awaits a
 * call of the outline. Within a transaction of the host, commits are refused. While the host iterates over
 * rows, a client may refuse every statement.
 *
 * @throws `invalid_argument` if a database or option isn't allowed; all other errors are thrown on first use
 */
export function createSqliteStorage(database: SqliteDatabase, options: SqliteStorageOptions = {}): DisposableStorage {
	fieldsOf("createSqliteStorage", options, optionNames);
	const { outline = "outline", synchronous = "full", busyTimeout = 5000, pollInterval = 500 } = options;
	if (typeof database?.prepare !== "function" || typeof database.exec !== "function") {
		throw new OutlineError(
			"invalid_argument",
			`The database is ${quoted(database)}. Give one that better-sqlite3, libsql, node:sqlite or bun:sqlite has opened.`,
		);
	}
	// SQLite can't store such a name exactly, so it could be taken for another one.
	if (!isShortText(outline)) {
		throw invalidArgument("outline", outline, "a text of 1 to 255 characters, without NUL and lone surrogates");
	}
	if (synchronous !== "full" && synchronous !== "normal") {
		throw invalidArgument("synchronous", synchronous, '"full" or "normal"');
	}
	assertMilliseconds("busyTimeout", busyTimeout, 0);
	assertMilliseconds("pollInterval", pollInterval, 1);
	return new SqliteStorage(database, { outline, synchronous, busyTimeout, pollInterval, atOnce });
}

/**
 * A storage in an SQLite database that the host has opened.
 *
 * @module outlinekit/sqlite
 */
import { OutlineError, quoted } from "../src/errors.js";
import { fieldNames, fieldsOf } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import { atOnce } from "./sqlite/at-once.js";
import type { SqliteDatabase } from "./sqlite/client.js";
import { SqliteStorage } from "./sqlite/storage.js";

export type { SqliteDatabase, SqliteStatement } from "./sqlite/client.js";

/** Which outline of a database a storage keeps, and how. */
export interface SqliteStorageOptions {
	/** The outline's name within the database, 1 to 255 characters. Each name is an outline of its own. Default `outline`. */
	outline?: string | undefined;
	/**
	 * When a commit is acknowledged. `full`, the default: when it survives a power cut. `normal`: when it survives the end of
	 * the process; a power cut may take the last ones back, and never harms what came before.
	 */
	synchronous?: "full" | "normal" | undefined;
	/** How long a commit waits for one of another process, in milliseconds. Default 5,000. The process waits with it. */
	busyTimeout?: number | undefined;
	/** How often a watched outline looks for commits of other connections, in milliseconds. Default 500. */
	pollInterval?: number | undefined;
}

const optionNames = fieldNames<SqliteStorageOptions>({
	outline: true,
	synchronous: true,
	busyTimeout: true,
	pollInterval: true,
});

/**
 * A storage in an SQLite database (3.38 or later) that the host has opened, with better-sqlite3, libsql, `node:sqlite` or
 * `bun:sqlite`. Every query is answered from the database, so that an outline of any size opens at once. A database holds any number of
 * outlines; several processes, and several storages on one connection, may use it at the same time.
 *
 * On first use the tables are made, or brought up to date, and the connection is set to WAL, to `synchronous` and to the
 * busy timeout: the last storage on a connection decides for all of them. Closing the storage leaves the connection open.
 * A host that uses the connection for its own ends transactions and iterations before it waits for an outline: in a
 * transaction of the host's commits are refused, and while it iterates over rows a client may refuse everything.
 *
 * @throws `invalid_argument` for a database or an option that isn't allowed; everything else is told on first use
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
	// What can't be stored to the letter could be taken for another's name.
	if (typeof outline !== "string" || outline === "" || outline.length > 255 || /\0|\p{Surrogate}/u.test(outline)) {
		throw new OutlineError(
			"invalid_argument",
			`outline is ${quoted(outline)}. It must be a text of 1 to 255 characters, without NUL and lone surrogates.`,
		);
	}
	if (synchronous !== "full" && synchronous !== "normal") {
		throw new OutlineError("invalid_argument", `synchronous is ${quoted(synchronous)}. It must be "full" or "normal".`);
	}
	assertMilliseconds("busyTimeout", busyTimeout, 0);
	assertMilliseconds("pollInterval", pollInterval, 1);
	return new SqliteStorage(database, { outline, synchronous, busyTimeout, pollInterval, atOnce });
}

function assertMilliseconds(option: string, value: unknown, least: number): void {
	if (Number.isInteger(value) && (value as number) >= least && (value as number) <= 2 ** 31 - 1) return;
	throw new OutlineError(
		"invalid_argument",
		`${option} is ${quoted(value)}. It must be a whole number of milliseconds from ${least} to ${2 ** 31 - 1}.`,
	);
}

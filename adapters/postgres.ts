/**
 * A storage in a PostgreSQL database, over a pool that the host has made.
 *
 * @module outlinekit/postgres
 */
import { invalidArgument, OutlineError, quoted } from "../src/errors.js";
import { assertBoolean, assertMilliseconds, fieldNames, fieldsOf, isShortText } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import type { PostgresPool } from "./postgres/client.js";
import { schemaStatements } from "./postgres/migrate.js";
import { PostgresStorage } from "./postgres/storage.js";

export type { PostgresClient, PostgresPool, PostgresResult, PostgresStatement } from "./postgres/client.js";

/** Options of {@link createPostgresStorage}. */
export interface PostgresStorageOptions {
	/**
	 * The outline's name within the database, 1 to 255 characters, such as the user's id. Each name is a
	 * separate outline.
	 */
	outline: string;
	/** Whether the first use creates or migrates the tables. Default true. See {@link postgresSchema}. */
	createSchema?: boolean | undefined;
	/**
	 * Whether the storage uses NOTIFY and LISTEN for commits. Default true. If false, it only polls. Set it to
	 * false for servers without them, and for poolers that don't pass them on.
	 */
	notify?: boolean | undefined;
	/**
	 * The milliseconds between two polls of a watched outline for commits by other processes. Default 30,000 if
	 * the storage listens for notifications, else 1,000.
	 */
	pollInterval?: number | undefined;
	/**
	 * The most milliseconds of a read or a commit, including the wait for a connection of the pool and for a
	 * restarting server. After that it throws `storage_unavailable`. Also the most milliseconds that the reader
	 * of an export may take for 500 nodes. Default 30,000.
	 */
	timeout?: number | undefined;
}

const optionNames = fieldNames<PostgresStorageOptions>({
	outline: true,
	createSchema: true,
	notify: true,
	pollInterval: true,
	timeout: true,
});

/**
 * Creates a storage in a PostgreSQL database (12 or later), with a node-postgres pool that the host has
 * created. It answers every query from the database, so an outline of any size opens at once. A database
 * holds any number of outlines, and any number of processes may use one at the same time. Creating a storage
 * costs nothing, so a host may create one for each request.
 *
 * A read is one statement, a commit is one statement. After a lost connection, a server restart or a conflict
 * between transactions, the storage retries until the `timeout`. If a connection is lost during a commit, the
 * storage finds out whether the commit was applied. Closing the storage leaves the pool open. While an
 * outline is watched, the storage keeps one connection of the pool for notifications (one for all storages on
 * the pool).
 *
 * @throws `invalid_argument` if a pool or option isn't allowed; all other errors are thrown on first use
 */
export function createPostgresStorage(pool: PostgresPool, options: PostgresStorageOptions): DisposableStorage {
	fieldsOf("createPostgresStorage", options, optionNames);
	const { outline, createSchema = true, notify = true, pollInterval, timeout = 30_000 } = options;
	if (typeof pool?.connect !== "function") {
		throw new OutlineError("invalid_argument", `The pool is ${quoted(pool)}. Give a Pool of node-postgres.`);
	}
	// A database would store all lone surrogates as the same character, and can't store NUL.
	if (!isShortText(outline)) {
		throw invalidArgument("outline", outline, "a text of 1 to 255 characters, without NUL and lone surrogates");
	}
	assertBoolean("createSchema", createSchema);
	assertBoolean("notify", notify);
	assertMilliseconds("pollInterval", pollInterval ?? 1, 1);
	assertMilliseconds("timeout", timeout, 1);
	// A pool of only one connection can't spare it.
	const listen = notify && pool.options?.max !== 1;
	return new PostgresStorage(pool, {
		...{ outline, createSchema, notify, listen, timeout },
		pollInterval: pollInterval ?? (listen ? 30_000 : 1000),
	});
}

/**
 * Returns the statements that create the tables, or migrate those of an older release. For hosts that run
 * them themselves (`createSchema: false`). Run them in one transaction.
 *
 * @param version - the version of the present tables, from the table `outlinekit_schema`. Default 0: there
 * are none
 * @throws `invalid_argument` if the version isn't valid; `storage_unavailable` for the version of a newer
 * release
 */
export function postgresSchema(version = 0): readonly string[] {
	if (Number.isInteger(version) && version >= 0) return schemaStatements(version);
	throw invalidArgument("version", version, "the version of the tables that are there, or 0 if there are none");
}

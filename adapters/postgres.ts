/**
 * A storage in a PostgreSQL database, over a pool that the host has made.
 *
 * @module outlinekit/postgres
 */
import { OutlineError, quoted } from "../src/errors.js";
import { fieldNames, fieldsOf } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import type { PostgresPool } from "./postgres/client.js";
import { schemaStatements } from "./postgres/migrate.js";
import { PostgresStorage } from "./postgres/storage.js";

export type { PostgresClient, PostgresPool, PostgresResult, PostgresStatement } from "./postgres/client.js";

/** Which outline of a database a storage keeps, and how. */
export interface PostgresStorageOptions {
	/**
	 * The outline's name within the database, 1 to 255 characters: for instance the user's id. Each name is an outline of its own.
	 */
	outline: string;
	/** Whether the tables are made, or brought up to date, on first use. Default true. See {@link postgresSchema}. */
	createSchema?: boolean | undefined;
	/**
	 * Whether commits are told by NOTIFY and heard by LISTEN (default), or only found by looking. False for servers that don't
	 * have these, and for poolers that don't pass them on.
	 */
	notify?: boolean | undefined;
	/**
	 * How often a watched outline looks for commits of others, in milliseconds. Default 30,000 where it listens for
	 * notifications, else 1,000.
	 */
	pollInterval?: number | undefined;
	/**
	 * How long a read or a commit may take, in milliseconds, with the wait for a connection of the pool and for a server that
	 * restarts; then it fails with `storage_unavailable`. Also how long the reader of an export may take for each 500 nodes.
	 * Default 30,000.
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
 * A storage in a PostgreSQL database (12 or later), over a pool of node-postgres that the host has made. Every query is
 * answered from the database, so that an outline of any size opens at once. A database holds any number of outlines, and any
 * number of processes may use one at the same time. Making a storage does nothing: a host may make one for each request.
 *
 * A read is one statement, a commit is one statement. A lost connection, a server that restarts and a transaction that stood in
 * the way of another are tried again for as long as `timeout` says; what became of a commit whose connection was lost is found
 * out. Closing the storage leaves the pool open. While it is watched, one connection of the pool is kept for notifications (one
 * for all storages on the pool).
 *
 * @throws `invalid_argument` for a pool or an option that isn't allowed; everything else is told on first use
 */
export function createPostgresStorage(pool: PostgresPool, options: PostgresStorageOptions): DisposableStorage {
	fieldsOf("createPostgresStorage", options, optionNames);
	const { outline, createSchema = true, notify = true, pollInterval, timeout = 30_000 } = options;
	if (typeof pool?.connect !== "function") {
		throw new OutlineError("invalid_argument", `The pool is ${quoted(pool)}. Give a Pool of node-postgres.`);
	}
	// A database would store lone surrogates as one and the same character, and can't store NUL.
	if (typeof outline !== "string" || outline === "" || outline.length > 255 || /[\0\p{Surrogate}]/u.test(outline)) {
		throw new OutlineError(
			"invalid_argument",
			`outline is ${quoted(outline)}. It must be a text of 1 to 255 characters, without NUL and lone surrogates.`,
		);
	}
	for (const [option, value] of Object.entries({ createSchema, notify })) {
		if (typeof value === "boolean") continue;
		throw new OutlineError("invalid_argument", `${option} is ${quoted(value)}. It must be true or false.`);
	}
	for (const [option, value] of Object.entries({ pollInterval: pollInterval ?? 1, timeout })) {
		if (Number.isInteger(value) && value >= 1 && value <= 2 ** 31 - 1) continue;
		throw new OutlineError(
			"invalid_argument",
			`${option} is ${quoted(value)}. It must be a whole number of milliseconds from 1 to ${2 ** 31 - 1}.`,
		);
	}
	// A pool with one connection alone can't spare it.
	const listen = notify && pool.options?.max !== 1;
	return new PostgresStorage(pool, {
		...{ outline, createSchema, notify, listen, timeout },
		pollInterval: pollInterval ?? (listen ? 30_000 : 1000),
	});
}

/**
 * The statements that make the tables, or bring those of an older release up to date, for hosts that run them themselves
 * (`createSchema: false`). Run them in one transaction.
 *
 * @param version - of the tables that are there, as `outlinekit_schema` has it. Default 0: there are none
 * @throws `invalid_argument` for what is no version; `storage_unavailable` for the version of a newer release
 */
export function postgresSchema(version = 0): readonly string[] {
	if (Number.isInteger(version) && version >= 0) return schemaStatements(version);
	throw new OutlineError(
		"invalid_argument",
		`version is ${quoted(version)}. It must be the version of the tables that are there, or 0 if there are none.`,
	);
}

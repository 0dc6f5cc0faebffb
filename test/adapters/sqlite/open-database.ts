import { createRequire } from "node:module";
import { join } from "node:path";
import type { SqliteDatabase, Statement } from "../../../adapters/sqlite/client.js";

/** A database that a client has opened. */
export interface OpenDatabase extends SqliteDatabase {
	prepare(sql: string): Statement;
	close(): unknown;
}

/** Options of opening a database. */
export interface OpenOptions {
	readonly readOnly?: boolean;
	/** Returns integers as bigints. */
	readonly bigIntegers?: boolean;
	/** Returns rows as arrays, if the client can do that. */
	readonly arrays?: boolean;
	/** The most bytes of a text or a row, if the client lets the host lower that. */
	readonly longestText?: number;
}

type Opening = (path: string, options: OpenOptions) => OpenDatabase;

/** A class of better-sqlite3, or of libsql, which has the same interface. */
type DatabaseClass = new (
	path: string,
	options: { readonly: boolean },
) => OpenDatabase & { defaultSafeIntegers(toggle: boolean): unknown };

// Bundled programs run from another folder, but in the project's directory like the tests.
const require = createRequire(join(process.cwd(), "package.json"));

const openings: Readonly<Record<string, Opening>> = {
	"better-sqlite3": (path, { readOnly = false, bigIntegers = false }) => {
		const database = new (require("better-sqlite3") as DatabaseClass)(path, { readonly: readOnly });
		database.defaultSafeIntegers(bigIntegers);
		return database;
	},
	libsql: (path, { readOnly = false, bigIntegers = false }) => {
		// It ignores `readonly`, but not the mode in an address.
		const address = readOnly ? `file:${path}?mode=ro` : path;
		const database = new (require("libsql") as DatabaseClass)(address, { readonly: readOnly });
		database.defaultSafeIntegers(bigIntegers);
		return database;
	},
	"node:sqlite": (path, { readOnly = false, bigIntegers = false, arrays = false, longestText }) => {
		const { DatabaseSync } = require("node:sqlite") as {
			DatabaseSync: new (path: string, options: object) => OpenDatabase;
		};
		const limits = longestText === undefined ? {} : { limits: { length: longestText } };
		return new DatabaseSync(path, { readOnly, readBigInts: bigIntegers, returnArrays: arrays, ...limits });
	},
};

/** The names of the clients. */
export const clientNames: readonly string[] = Object.keys(openings);

/** Opens a database with a client. */
export function openDatabase(client: string, path: string, options: OpenOptions = {}): OpenDatabase {
	const open = openings[client];
	if (open === undefined) throw new RangeError(`there is no client ${client}`);
	return open(path, options);
}

/** Everything that defines a database. */
export function schema(database: OpenDatabase): unknown {
	return database.prepare("SELECT type, name, sql FROM sqlite_master ORDER BY name").all();
}

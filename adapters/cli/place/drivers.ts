import type { SqliteDatabase } from "outlinekit/sqlite";
import type { Pool } from "pg";
import { Failure } from "../failure.ts";

/** A database that this program has opened. */
export interface OpenDatabase extends SqliteDatabase {
	close(): unknown;
}

type Open = (path: string) => OpenDatabase;

/** The clients for SQLite. The first two belong to a runtime; the user installs the last two. */
const clients: readonly { readonly name: string; open(module: Record<string, unknown>): Open }[] = [
	{ name: "node:sqlite", open: (module) => constructed(module.DatabaseSync) },
	{ name: "bun:sqlite", open: (module) => constructed(module.Database) },
	{ name: "better-sqlite3", open: (module) => constructed(module.default) },
	{ name: "libsql", open: (module) => constructed(module.default) },
];

function constructed(given: unknown): Open {
	const Database = given as new (path: string) => OpenDatabase;
	return (path) => new Database(path);
}

/** Opens an SQLite database with the first client that this machine has. @throws Failure */
export async function openSqlite(path: string): Promise<OpenDatabase> {
	for (const { name, open } of clients) {
		const client = await loaded(name, open);
		if (client === undefined) continue;
		try {
			return client(path);
		} catch (error) {
			throw new Failure("storage_unavailable", `${path} can't be opened: ${(error as Error).message}.`);
		}
	}
	throw new Failure(
		"missing_package",
		"This version of Node has no SQLite. Use Node 22.13 or later, or install a client: npm install better-sqlite3",
	);
}

/** Returns a client that works; a native one may lack its binary file. */
async function loaded(name: string, open: (module: Record<string, unknown>) => Open): Promise<Open | undefined> {
	try {
		const client = open(await withoutWarnings(() => import(name)));
		client(":memory:").close();
		return client;
	} catch {
		return undefined;
	}
}

/** Loads a module without the warning that it is new: the user can't do anything about that. */
async function withoutWarnings<T>(load: () => Promise<T>): Promise<T> {
	const { emitWarning } = process;
	process.emitWarning = () => {};
	try {
		return await load();
	} finally {
		process.emitWarning = emitWarning;
	}
}

/** The client for PostgreSQL, which the user installs. */
const postgresClient: string = "pg";

/** Opens a pool of connections to PostgreSQL. @throws Failure if its client isn't installed */
export async function openPostgres(connectionString: string, onError: (error: Error) => void): Promise<Pool> {
	let pg: typeof import("pg");
	try {
		// By a variable, so that bundlers leave it alone.
		const module: { readonly default: typeof import("pg") } = await import(postgresClient);
		pg = module.default;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
		throw new Failure(
			"missing_package",
			"PostgreSQL needs its client. Install it beside outlinekit: npm install pg. Without an installation: npx -p outlinekit -p pg outlinekit …",
		);
	}
	const pool = new pg.Pool({ connectionString });
	// A connection that breaks while it is idle; the pool replaces it.
	pool.on("error", onError);
	return pool;
}

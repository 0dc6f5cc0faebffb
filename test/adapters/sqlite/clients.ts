import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { betterSqlite3 } from "../../machine/better-sqlite3.js";
import { soak } from "../../setup/soak.js";
import { clientNames, type OpenDatabase, type OpenOptions, openDatabase } from "./open-database.js";

/** A client of SQLite for tests. */
export interface SqliteClient {
	readonly name: string;
	/** Returns a path for a new file. All files are removed in the end. */
	path(): string;
	/** Opens a database, by default in memory. It is closed after the test. */
	open(path?: string, options?: OpenOptions): OpenDatabase;
}

// If `OUTLINE_SQLITE_CLIENT` names a client, other runs test the other clients.
const wanted = process.env.OUTLINE_SQLITE_CLIENT;

/** Registers tests for each client. If a client isn't available, skips its tests and gives the reason. */
export function describeClients(
	title: string,
	register: (client: SqliteClient) => void,
	timeout = 60_000 * soak,
): void {
	for (const name of clientNames) {
		if (wanted !== undefined && wanted !== name) continue;
		const missing = whyMissing(name);
		const reason = missing === undefined ? "" : ` (skipped: ${missing})`;
		describe.skipIf(missing !== undefined)(`${title}, with ${name}${reason}`, { timeout }, () =>
			register(clientOfTests(name)),
		);
	}
}

function whyMissing(name: string): string | undefined {
	if (name === "better-sqlite3") return "missing" in betterSqlite3 ? betterSqlite3.missing : undefined;
	if (name !== "node:sqlite" || process.getBuiltinModule("node:sqlite") !== undefined) return undefined;
	return `Node ${process.versions.node} has none; test:node-sqlite runs it under another`;
}

function clientOfTests(name: string): SqliteClient {
	const directory = join(tmpdir(), `outlinekit-sqlite-${randomUUID()}`);
	const opened: OpenDatabase[] = [];
	let files = 0;
	beforeAll(() => void mkdirSync(directory));
	afterEach(() => {
		for (const database of opened.splice(0)) {
			try {
				database.close();
			} catch {
				// The test has already closed it.
			}
		}
	});
	afterAll(() => rmSync(directory, { recursive: true }));
	return {
		name,
		path: () => join(directory, `${++files}.db`),
		open: (path = ":memory:", options = {}) => {
			const database = openDatabase(name, path, options);
			opened.push(database);
			return database;
		},
	};
}

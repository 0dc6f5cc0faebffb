import type pg from "pg";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { PostgresServer, type Settings } from "./server.js";

/** Most tests don't concern power cuts, and each commit would wait for the disk. */
export const withoutSyncs: Settings = { fsync: "off" };

/** Starts a server for the tests of a file, and an empty database if it has a name. */
export function testServer(database?: string, settings: Settings = withoutSyncs): PostgresServer {
	const server = new PostgresServer(settings);
	beforeAll(async () => {
		await server.start();
		if (database !== undefined) await server.createDatabase(database);
	});
	afterAll(() => server.stop());
	return server;
}

/** The empty database of a test. */
export interface TestDatabase {
	readonly name: string;
	readonly pool: pg.Pool;
}

/** Creates a database before each test. */
export function eachDatabase(server: PostgresServer, prefix: string): TestDatabase {
	let count = 0;
	const database = { name: "", pool: undefined as unknown as pg.Pool };
	beforeEach(async () => {
		database.name = `${prefix} ${++count}`;
		await server.createDatabase(database.name);
		database.pool = server.pool(database.name);
	});
	return database;
}

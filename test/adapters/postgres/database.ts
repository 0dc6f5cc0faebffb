import type pg from "pg";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { PostgresServer, type Settings } from "./server.js";

/** Most tests don't concern power cuts, and each commit would wait for the disk. */
export const withoutSyncs: Settings = { fsync: "off" };

/** The servers of this process by their settings. They end with it: to initialize one takes longer than most tests. */
const servers = new Map<string, PostgresServer>();

/**
 * Returns a server for the tests of a file, with an empty database if it has a name. Files with the same settings use
 * the same server, one after the other, so the names of their databases differ.
 */
export function testServer(database?: string, settings: Settings = withoutSyncs): PostgresServer {
	const name = JSON.stringify(settings);
	const server = servers.get(name) ?? new PostgresServer(settings);
	servers.set(name, server);
	beforeAll(async () => {
		if (!server.isRunning) await server.start();
		if (database !== undefined) await server.createDatabase(database);
	});
	afterAll(() => server.endPools());
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

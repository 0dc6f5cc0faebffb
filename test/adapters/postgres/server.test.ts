import type pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { testServer } from "./database.js";
import { PostgresServer } from "./server.js";

const server = testServer(undefined, {});
let database = "";
let count = 0;

beforeEach(async () => {
	database = `test "${++count}"`;
	await server.createDatabase(database);
});

/** Two clients of two pools, with different connections, on a database with an empty table of numbers. */
async function twoClients(): Promise<[pg.Pool, pg.Pool]> {
	const pools: [pg.Pool, pg.Pool] = [server.pool(database, { max: 1 }), server.pool(database, { max: 1 })];
	await pools[0].query("create table number (value int primary key)");
	return pools;
}

const numbers = async (pool: pg.Pool) =>
	(await pool.query("select value from number order by value")).rows.map((row) => row.value);

describe("a PostgreSQL server of the tests", () => {
	test("shows two clients each other's commits", async () => {
		const [one, two] = await twoClients();
		const client = await one.connect();
		await client.query("begin");
		await client.query("insert into number values (1)");
		expect(await numbers(two)).toEqual([]);
		await client.query("commit");
		client.release();
		expect(await numbers(two)).toEqual([1]);
	});

	test("has only the committed rows after a restart", async () => {
		const [one, two] = await twoClients();
		await one.query("insert into number values (1)");
		const client = await two.connect();
		const lost = new Promise((resolve) => client.on("error", resolve));
		await client.query("begin");
		await client.query("insert into number values (2)");
		await server.restart();
		await lost;
		await expect(client.query("commit")).rejects.toThrow();
		client.release(true);
		expect(await numbers(two)).toEqual([1]);
	});

	test("ends the connections of all clients", async () => {
		const [one, two] = await twoClients();
		// The connections of earlier tests are idle in their pools.
		await server.killConnections();
		const slow = expect(one.query("select pg_sleep(60)")).rejects.toThrow("terminating connection");
		const sleeping = () => two.query("select 1 from pg_stat_activity where wait_event = 'PgSleep'");
		await expect.poll(async () => (await sleeping()).rowCount).toBe(1);
		expect(await server.killConnections()).toBe(2);
		await slow;
		expect(await numbers(one)).toEqual([]);
		expect(await numbers(two)).toEqual([]);
	});

	test("acknowledges commits that are on the disk, and sorts text in another order than its bytes", async () => {
		const { rows } = await server.pool(database).query(`
			select current_setting('fsync') || current_setting('synchronous_commit') as durable, 'a' < 'B' as sorted,
				'a' < 'B' collate "C" as bytes`);
		expect(rows).toEqual([{ durable: "onon", sorted: true, bytes: false }]);
	});

	test("reports why it doesn't start", async () => {
		const wrong = new PostgresServer({ no_such_setting: 1 });
		await expect(wrong.start()).rejects.toThrow("no_such_setting");
		await wrong.stop();
	});
});

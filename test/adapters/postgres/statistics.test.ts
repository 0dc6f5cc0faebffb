import { setTimeout } from "node:timers/promises";
import { Outline, type StorageAdapter } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { readParameters, readStatement } from "../../../adapters/postgres/read.js";
import { addingAll, recordAt } from "../../support/batches.js";
import { testServer } from "./database.js";
import { errorWithCode, type PoolCall, RecordingPool } from "./recording-pool.js";

const server = testServer(undefined, { fsync: "off", autovacuum: "off" });

/** Returns the number of nodes in the server's statistics; -1 if it has none. */
async function believed(database: string): Promise<number> {
	const { rows } = await server
		.pool(database)
		.query("SELECT reltuples FROM pg_class WHERE relname = 'outlinekit_nodes'");
	return rows[0].reltuples;
}

async function write(storage: StorageAdapter, first: number, count: number): Promise<void> {
	const records = Array.from({ length: count }, (_, place) => recordAt(first + place, 1));
	const { revision } = await storage.read([]);
	await storage.commit(addingAll(records, revision));
}

test("the storage takes statistics as soon as they are useful, and the server then finds nodes by their index", async () => {
	await server.createDatabase("learns");
	const pool = server.pool("learns");
	const storage = createPostgresStorage(pool, { outline: "large" });
	await write(storage, 0, 999);
	await setTimeout(200);
	expect(await believed("learns")).toBe(-1);
	await write(storage, 999, 1);
	await expect.poll(() => believed("learns")).toBe(1000);
	const plan = await pool.query(
		"EXPLAIN SELECT * FROM outlinekit_nodes WHERE outline = 'large' AND id = '00000000-0000-4000-8000-000000000001' AND NOT deleted",
	);
	expect(JSON.stringify(plan.rows)).toContain("outlinekit_nodes_pkey");
	await write(storage, 1000, 1000);
	await storage.close();
	expect(await believed("learns")).toBe(1000);
});

test("a server that refuses to take statistics is still written to", async () => {
	await server.createDatabase("refuses");
	const pool = new RecordingPool(server.pool("refuses"));
	const takesStatistics = ({ sql }: PoolCall) => sql?.includes("pg_class") === true;
	pool.fate = (call) => (takesStatistics(call) ? { instead: errorWithCode("42501") } : undefined);
	const storage = createPostgresStorage(pool, { outline: "large" });
	await write(storage, 0, 1500);
	const outline = new Outline({ storage });
	expect((await outline.list()).nodes.length).toBeGreaterThan(0);
	await outline.close();
	expect(pool.calls.filter(takesStatistics)).toHaveLength(1);
});

test("an outline that is newer than the statistics is still read by its indexes", async () => {
	await server.createDatabase("newcomer");
	const pool = server.pool("newcomer");
	for (let number = 0; number < 20; number++) {
		await write(createPostgresStorage(pool, { outline: `known ${number}` }), 0, 1000);
	}
	await pool.query("ANALYZE");
	const storage = createPostgresStorage(pool, { outline: "new" });
	const outline = new Outline({ storage });
	const children = Array.from({ length: 2000 }, (_, number) => ({ name: `${number}` }));
	const { id } = await outline.createTree({ name: "wide", children });
	const ids = (await outline.list(id)).nodes.map((node) => node.id);
	const queries = [
		{ type: "subtree", of: { id } },
		{ type: "related", ids },
		{ type: "ancestors", of: { id } },
	] as const;
	for (const query of queries) {
		const statement = readStatement([query]);
		const { rows } = await pool.query(
			`EXPLAIN (ANALYZE, FORMAT JSON) ${statement.sql}`,
			readParameters(statement, "new", [query]),
		);
		// A plan that reads all nodes of the outline for each single one discards millions.
		const thrownAway = Array.from(
			JSON.stringify(rows).matchAll(/"Rows Removed by (?:Join )?Filter":(\d+)/g),
			([, count]) => Number(count),
		);
		expect(Math.max(0, ...thrownAway)).toBeLessThan(5000);
	}
	await storage.close();
});

import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import type pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { soak } from "../../setup/soak.js";
import { codeOf } from "../../support/outline.js";
import { fixtureJson, proveKept, stateOf } from "../../support/version-1.js";
import { eachDatabase, testServer } from "./database.js";
import { errorWithCode, type Fate, RecordingPool } from "./recording-pool.js";

const { schema, tables } = fixtureJson<{ schema: string[]; tables: Record<string, unknown[]> }>("postgres.json");

const server = testServer();
const database = eachDatabase(server, "earlier version");

async function fill(pool: pg.Pool): Promise<void> {
	for (const statement of schema) await pool.query(statement);
	for (const [table, rows] of Object.entries(tables)) {
		const select = `SELECT * FROM json_populate_recordset(null::${table}, $1)`;
		await pool.query(`INSERT INTO ${table} ${select}`, [JSON.stringify(rows)]);
	}
}

beforeEach(() => fill(database.pool));

/** Everything in the tables. */
async function rowsIn(pool: pg.Pool): Promise<unknown> {
	const rows = ["outlines", "nodes", "keys", "documents", "schema"].map(async (table) => {
		const found = await pool.query(`SELECT to_json(t)::text AS row FROM outlinekit_${table} t ORDER BY 1`);
		return found.rows.map(({ row }) => row);
	});
	return Promise.all(rows);
}

const storageOn = (pool: pg.Pool | RecordingPool, createSchema = true) =>
	createPostgresStorage(pool, { outline: "outline", notify: false, createSchema });

describe("the tables of version 1", () => {
	test.each([true, false])("keep all their content, where createSchema is %j", async (createSchema) => {
		if (!createSchema) for (const statement of postgresSchema(2)) await database.pool.query(statement);
		await proveKept(
			() => storageOn(server.pool(database.name), createSchema),
			() => rowsIn(database.pool),
		);
	});

	test("are migrated once by many storages at once", async () => {
		const states = await Promise.all(
			Array.from({ length: 8 }, async () => {
				const storage = storageOn(server.pool(database.name));
				const state = await stateOf(storage);
				await storage.close();
				return state;
			}),
		);
		expect(new Set(states).size).toBe(1);
	});

	/** The distance between the calls that are tried. A longer run tries all. */
	const stride = soak === 1 ? 7 : 1;

	test("lose nothing, whichever call of their migration fails, before or after it took effect", async () => {
		let expected: string | undefined;
		const fates: (() => Fate)[] = [
			() => ({ instead: errorWithCode("53100") }),
			() => ({ afterwards: errorWithCode("53100") }),
			() => ({ instead: errorWithCode("ECONNRESET") }),
		];
		let refused = 0;
		for (const [number, fate] of fates.entries()) {
			for (let nth = number; ; nth += stride) {
				const pool = server.pool(database.name, { max: 2 });
				// A new database for each would take longer than its migration.
				await pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
				await fill(pool);
				const recording = new RecordingPool(pool);
				let calls = 0;
				recording.fate = () => (calls++ === nth ? fate() : undefined);
				const storage = storageOn(recording);
				if ((await codeOf(storage.read([]))) !== undefined) refused += 1;
				await storage.close();
				const next = storageOn(pool);
				const state = await stateOf(next);
				expected ??= state;
				expect(state, `call ${nth}`).toBe(expected);
				await next.close();
				await pool.end();
				if (calls <= nth) break;
			}
		}
		expect(refused).toBeGreaterThan(5);
	});

	test("that a process of 0.1 still uses take no more keys from it, because the feed would miss them", async () => {
		await storageOn(database.pool).read([]);
		const written = database.pool.query(
			"INSERT INTO outlinekit_keys (outline, key, key_group, node_id) VALUES ('outline', 'home', 'shortcut', null)",
		);
		await expect(written).rejects.toMatchObject({ code: "23502" });
	});
});

import { Outline } from "outlinekit";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import type pg from "pg";
import { describe, expect, test } from "vitest";
import { migrate } from "../../../adapters/postgres/migrate.js";
import { migrations } from "../../../adapters/postgres/schema.js";
import { PostgresServer as ServerOfStorage } from "../../../adapters/postgres/server.js";
import { Ledger } from "../../conformance/ledger.js";
import { document, idOf, key, node, nodes } from "../../conformance/records.js";
import { codeOf } from "../../support/outline.js";
import { expectDistinctOutlines, refusesOptions } from "../sql/outline-names.js";
import { eachDatabase, testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

const server = testServer();
const database = eachDatabase(server, "schema");

/** Returns everything that defines the tables: columns, keys, indexes, the version. */
async function schemaOf(pool: pg.Pool): Promise<unknown> {
	const columns = await pool.query(
		`select table_name, column_name, data_type, is_nullable, column_default, ordinal_position
		from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`,
	);
	const indexes = await pool.query("select indexdef from pg_indexes where schemaname = 'public' order by indexdef");
	const constraints = await pool.query(
		`select conrelid::regclass::text as on, contype, pg_get_constraintdef(oid) as as from pg_constraint
		where connamespace = 'public'::regnamespace order by 1, 2, 3`,
	);
	const objects = await pool.query(
		"select relname, relkind from pg_class where relnamespace = 'public'::regnamespace order by relname",
	);
	const version = await pool.query("select * from outlinekit_schema");
	return [columns, indexes, constraints, objects, version].map(({ rows }) => rows);
}

async function fails(work: Promise<unknown>): Promise<{ code: string; message: string }> {
	return work.then(
		() => ({ code: "none", message: "" }),
		(error: { code: string; message: string }) => error,
	);
}

describe("the schema", () => {
	test("is created on first use, by twenty storages of several pools at once", async () => {
		for (let round = 0; round < 3; round++) {
			const pools = Array.from({ length: 5 }, () => server.pool(database.name));
			const outlines = Array.from(
				{ length: 20 },
				(_, place) =>
					new Outline({ storage: createPostgresStorage(pools[place % 5]!, { outline: `${round} ${place % 3}` }) }),
			);
			await Promise.all(outlines.map((outline, place) => outline.create({ name: `${place}` })));
			const counts = await Promise.all(
				outlines.slice(0, 3).map(async (outline) => (await outline.list()).nodes.length),
			);
			expect(counts).toEqual([7, 7, 6]);
			expect((await database.pool.query("select * from outlinekit_schema")).rows).toEqual([
				{ only_row: 1, version: migrations.length },
			]);
			for (const outline of outlines) await outline.close();
			for (const each of pools) await each.end();
			const tables = ["schema", "outlines", "nodes", "keys", "documents"];
			for (const table of tables) await database.pool.query(`drop table outlinekit_${table}`);
		}
	});

	test("is the same if its statements are run by hand", async () => {
		for (const statement of postgresSchema()) await database.pool.query(statement);
		const byHand = await schemaOf(database.pool);
		const storage = createPostgresStorage(database.pool, { outline: "a", createSchema: false });
		expect(await storage.read([])).toEqual({ revision: 0, results: [] });
		await server.createDatabase(`${database.name} made`);
		const other = server.pool(`${database.name} made`);
		await createPostgresStorage(other, { outline: "a" }).read([]);
		expect(await schemaOf(other)).toEqual(byHand);
	});

	test("has an outline's id at the beginning of every key and every index, except in the version's table", async () => {
		await createPostgresStorage(database.pool, { outline: "a" }).read([]);
		const { rows } = await database.pool.query<{ table: string; column: string; primary: boolean }>(
			`select indrelid::regclass::text as table, indisprimary as primary, attname as column from pg_index
			join pg_attribute on attrelid = indrelid and attnum = indkey[0]
			where indrelid::regclass::text like 'outlinekit%' and indrelid::regclass::text <> 'outlinekit_schema'`,
		);
		expect(rows).toHaveLength(13);
		for (const { table, column } of rows) expect(column, table).toBe("outline");
		expect(rows.filter(({ primary }) => primary)).toHaveLength(4);
	});

	test("consists only of tables and indexes", async () => {
		await createPostgresStorage(database.pool, { outline: "a" }).read([]);
		const { rows } = await database.pool.query(
			"select distinct relkind::text as kind from pg_class where relnamespace = 'public'::regnamespace",
		);
		expect(rows.map(({ kind }) => kind).sort()).toEqual(["i", "r"]);
		for (const catalog of [
			"pg_proc where pronamespace",
			"pg_type where typtype <> 'c' and typelem = 0 and typnamespace",
		]) {
			const { rowCount } = await database.pool.query(`select from ${catalog} = 'public'::regnamespace`);
			expect(rowCount, catalog).toBe(0);
		}
		const triggers = await database.pool.query("select from pg_trigger");
		expect(triggers.rowCount).toBe(0);
	});

	test("isn't created if that is forbidden, and is used if it is there", async () => {
		const options = { outline: "a", createSchema: false };
		const missing = await fails(createPostgresStorage(database.pool, options).read([]));
		expect(missing).toMatchObject({ code: "storage_unavailable" });
		expect(missing.message).toMatch(/missing.*createSchema is false.*postgresSchema\(\)/);
		expect((await database.pool.query("select from pg_class where relname like 'outlinekit%'")).rowCount).toBe(0);
		// It doesn't prevent another storage from creating it on the same pool at the same time.
		const [refused, allowed] = await Promise.allSettled([
			createPostgresStorage(database.pool, options).read([]),
			createPostgresStorage(database.pool, { outline: "a" }).read([]),
		]);
		expect([refused.status, allowed.status]).toEqual(["rejected", "fulfilled"]);
		expect(await createPostgresStorage(database.pool, options).read([])).toEqual({ revision: 0, results: [] });
	});

	test("needs rights on the tables, and an error names missing ones", async () => {
		await createPostgresStorage(database.pool, { outline: "a" }).read([]);
		await database.pool.query(`create role clerk login password 'secret'`);
		const clerk = server.pool(database.name, { max: 1 });
		const address = new URL(server.connectionString(database.name));
		address.username = "clerk";
		address.password = "secret";
		clerk.options.connectionString = address.href;
		const storage = createPostgresStorage(clerk, { outline: "a" });
		expect((await fails(storage.read([]))).message).toContain("Grant it what it needs");
		await database.pool.query(`grant select on outlinekit_schema to clerk`);
		await database.pool.query(
			`grant select, insert, update on outlinekit_outlines, outlinekit_nodes, outlinekit_keys, outlinekit_documents to clerk`,
		);
		const outline = new Outline({ storage });
		const { id } = await outline.create({ name: "a", parent: "today" });
		await outline.delete(id);
		await outline.close();
	});
});

describe("a migration", () => {
	const [first] = migrations;
	const newest = migrations.length;
	const next = ["ALTER TABLE outlinekit_nodes ADD COLUMN added text", "CREATE TABLE outlinekit_added (value integer)"];
	const migrateTo = (on: RecordingPool | pg.Pool, versions: readonly (readonly string[])[], create = true) =>
		migrate(new ServerOfStorage(on, 10_000), create, versions);
	const version = async () => (await database.pool.query("select version from outlinekit_schema")).rows[0]?.version;

	test("brings present tables to the newest version, whichever process comes first", async () => {
		const outline = new Outline({ storage: createPostgresStorage(database.pool, { outline: "a" }) });
		const { id } = await outline.create({ name: "kept" });
		expect(await version()).toBe(newest);
		const pools = Array.from({ length: 4 }, () => server.pool(database.name));
		const versions = [...migrations, next, ["INSERT INTO outlinekit_added VALUES (1)"]];
		await Promise.all(Array.from({ length: 12 }, (_, place) => migrateTo(pools[place % 4]!, versions)));
		expect(await version()).toBe(newest + 2);
		expect((await database.pool.query("select * from outlinekit_added")).rows).toEqual([{ value: 1 }]);
		expect((await outline.get(id)).name).toBe("kept");
		await outline.close();
	});

	test.each([true, false])(
		"brings version 1, which had no receipts, to the newest with its content, where createSchema is %j",
		async (createSchema) => {
			const ledger = new Ledger(createPostgresStorage(database.pool, { outline: "a" }));
			const put = nodes(50, (number) => ({ parentId: number > 9 ? idOf(number - 9) : null }));
			await ledger.commit({ put, point: [key("a", 3)] });
			await ledger.commit({ put: [node(3, { originId: idOf(1) })], remove: [49] });
			await ledger.storage.close();
			await server.createDatabase(`${database.name} old`);
			const old = server.pool(`${database.name} old`);
			await migrateTo(old, [first!]);
			for (const table of ["outlines", "nodes", "keys"].map((name) => `outlinekit_${name}`)) {
				const { rows } = await database.pool.query(`SELECT to_json(t)::text AS row FROM ${table} t`);
				const list = `[${rows.map(({ row }) => row).join(",")}]`;
				await old.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1)`, [list]);
			}
			if (!createSchema) for (const statement of postgresSchema(1)) await old.query(statement);
			ledger.storage = createPostgresStorage(old, { outline: "a", createSchema });
			await ledger.checkAll();
			expect(await schemaOf(old)).toEqual(await schemaOf(database.pool));
			await ledger.commit({ put: [node(50)], keep: [document("a"), document("b")] });
			await ledger.commit({ discard: ["a"] });
			await ledger.checkAll();
			await ledger.storage.close();
		},
	);

	test("by hand needs a version, and has nothing to do at the newest", () => {
		expect(postgresSchema(newest)).toEqual([]);
		for (const none of [-1, 0.5, Number.NaN, "1", null] as number[]) {
			expect(() => postgresSchema(none)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		}
		expect(() => postgresSchema(newest + 1)).toThrow(expect.objectContaining({ code: "storage_unavailable" }));
	});

	test("isn't run if that is forbidden, and the error names the present version", async () => {
		await migrateTo(database.pool, [first!]);
		const { code, message } = await fails(
			createPostgresStorage(database.pool, { outline: "a", createSchema: false }).read([]),
		);
		expect(code).toBe("storage_unavailable");
		expect(message).toContain("in version 1 of their schema, and createSchema is false");
		expect(message).toContain("postgresSchema(1)");
		expect(await version()).toBe(1);
	});

	test("that fails half way leaves the version before", async () => {
		await migrateTo(database.pool, [first!]);
		const before = await schemaOf(database.pool);
		expect(await codeOf(migrateTo(database.pool, [first!, next, ["SELECT 1 / 0"]]))).toBe("storage_unavailable");
		expect(await schemaOf(database.pool)).toEqual(before);
		await migrateTo(database.pool, [first!, next]);
		expect(await version()).toBe(2);
	});

	test("whose last answer is lost is run once", async () => {
		const recording = new RecordingPool(database.pool);
		let lost = 0;
		recording.fate = ({ sql }) =>
			sql === "COMMIT" && lost++ === 0 ? { afterwards: errorWithCode("ECONNRESET") } : undefined;
		await migrateTo(recording, [first!, next, ["INSERT INTO outlinekit_added VALUES (1)"]]);
		expect(lost).toBe(2);
		expect((await database.pool.query("select * from outlinekit_added")).rows).toEqual([{ value: 1 }]);
	});

	test("of a newer release is refused, and the message says what to do", async () => {
		await migrateTo(database.pool, [...migrations, next]);
		const outline = new Outline({ storage: createPostgresStorage(database.pool, { outline: "a" }) });
		for (const work of [outline.list(), outline.create({ name: "a" })]) {
			const { code, message } = await fails(work);
			expect(code).toBe("storage_unavailable");
			const versions = `in version ${newest + 1} of their schema.*knows version ${newest}. Install a newer outlinekit`;
			expect(message).toMatch(new RegExp(versions));
		}
		expect(await codeOf(createPostgresStorage(database.pool, { outline: "a", createSchema: false }).read([]))).toBe(
			"storage_unavailable",
		);
		await outline.close();
	});
});

refusesOptions(
	(options) => createPostgresStorage(database.pool, { outline: "a", ...options }),
	[
		["createSchema", "yes"],
		["notify", 1],
		["pollInterval", 0],
		["pollInterval", 1.5],
		["timeout", -1],
		["timeout", Number.POSITIVE_INFINITY],
	],
	(given) => createPostgresStorage(given as pg.Pool, { outline: "a" }),
	[undefined, null, {}, "postgres://localhost"],
);

test("the outlines of a database are distinguished by their exact names", async () => {
	await expectDistinctOutlines(
		(outline) => createPostgresStorage(database.pool, { outline, notify: false }),
		(outline) => createPostgresStorage(server.pool(database.name), { outline, notify: false }),
	);
});

import { expect, it } from "vitest";
import { SqliteConnection } from "../../../adapters/sqlite/connection.js";
import { columns, migrations } from "../../../adapters/sqlite/schema.js";
import { migrate } from "../../../adapters/sqlite/tables.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { Ledger, scanned } from "../../conformance/ledger.js";
import { document, idOf, key, node } from "../../conformance/records.js";
import { describeClients } from "./clients.js";
import { schema } from "./open-database.js";

function corrupt(name: string, said = "isn't an outline's"): object {
	const message = expect.stringMatching(`${name}.*${said}`);
	return { name: "OutlineError", code: "storage_corrupt", message };
}

const tables = Object.keys(columns);

/** Uses of a storage; together they touch each table. */
const uses: ((storage: StorageAdapter, base: number) => Promise<unknown>)[] = [
	(storage) => storage.read([{ type: "node", at: { key: "a" } }]),
	(storage) => storage.read([{ type: "documents", prefix: "a" }]),
	(storage) => storage.read([{ type: "subtree", of: { id: idOf(1) } }]),
	(storage) => scanned(storage),
	(storage, base) =>
		storage.commit({
			base,
			nodes: [{ before: null, after: { ...node(9), revision: base + 1 } }],
			keys: [{ before: null, after: { ...key("b", 9), revision: base + 1 } }],
			documents: { put: [document("b")], dropped: [] },
		}),
];

describeClients("a database of another program", (client) => {
	it.each([
		...tables.map((name) => [name, `CREATE TABLE ${name} (whatever)`]),
		["outlinekit_keys", "CREATE VIEW outlinekit_keys AS SELECT 1 AS key"],
		["outlinekit_nodes_by_parent", "CREATE TABLE host (a); CREATE INDEX outlinekit_nodes_by_parent ON host (a)"],
	])("that has a %s (%s) is corrupt for outlines, and nothing is written", async (name, sql) => {
		const database = client.open();
		database.exec(sql);
		const before = schema(database);
		const storage = createSqliteStorage(database);
		for (const use of uses) await expect(use(storage, 0)).rejects.toMatchObject(corrupt(name));
		expect(storage.peek?.([])).toBeUndefined();
		expect(schema(database)).toEqual(before);
		database.exec(`DROP ${/CREATE (\w+)/.exec(sql.split(";").at(-1)!)![1]} ${name}`);
		await expect(storage.read([])).resolves.toMatchObject({ revision: 0 });
	});
});

describeClients("a database of outlines", (client) => {
	it("has the columns that the storage checks for", () => {
		const database = client.open();
		migrate(SqliteConnection.of(database));
		const found = tables.map((table) => {
			const rows = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[];
			return [table, rows.map(({ name }) => name).sort()];
		});
		expect(found).toEqual(Object.entries(columns).map(([table, names]) => [table, names.toSorted()]));
	});

	it.each(tables)("in which %s has been replaced by a table of another program is corrupt", async (table) => {
		const database = client.open(client.path());
		const open = new Ledger(createSqliteStorage(database));
		await open.commit({ put: [node(1)], point: [key("a", 1)], keep: [document("a")] });
		database.exec(`DROP TABLE ${table}; CREATE TABLE ${table} (whatever)`);
		const other = createSqliteStorage({ prepare: (sql) => database.prepare(sql), exec: (sql) => database.exec(sql) });
		for (const use of uses) await expect(use(other, 1)).rejects.toMatchObject(corrupt(table));
		// An open storage notices when it uses the table.
		const outcomes = await Promise.allSettled(uses.map((use) => use(open.storage, 1)));
		const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
		if (table !== "outlinekit_staged") expect(reasons.length).toBeGreaterThan(0);
		for (const reason of reasons) expect(reason).toMatchObject(corrupt(table));
	});

	it.each(tables)("in which %s has been replaced by a view with its columns is corrupt", async (table) => {
		const database = client.open();
		await createSqliteStorage(database).read([]);
		database.exec(`ALTER TABLE ${table} RENAME TO kept; CREATE VIEW ${table} AS SELECT * FROM kept`);
		const other = createSqliteStorage({ prepare: (sql) => database.prepare(sql), exec: (sql) => database.exec(sql) });
		for (const use of uses) await expect(use(other, 0)).rejects.toMatchObject(corrupt(table, ""));
	});

	it.each(tables)("in which %s is missing is corrupt", async (table) => {
		const database = client.open(client.path());
		const open = new Ledger(createSqliteStorage(database));
		await open.commit({ put: [node(1)], point: [key("a", 1)], keep: [document("a")] });
		database.exec(`DROP TABLE ${table}`);
		const other = createSqliteStorage({ prepare: (sql) => database.prepare(sql), exec: (sql) => database.exec(sql) });
		for (const use of uses) {
			await expect(use(other, 1)).rejects.toMatchObject({ code: "storage_corrupt" });
			const outcome = await use(open.storage, 1).catch((error) => error);
			if (outcome instanceof Error) expect(outcome).toMatchObject(corrupt(table, "missing"));
		}
	});

	it("of an older version stays as it is if there is a table of another program beside it", async () => {
		const database = client.open();
		migrate(SqliteConnection.of(database), migrations.slice(0, 1));
		database.exec("CREATE TABLE outlinekit_receipts (whatever)");
		const before = schema(database);
		const storage = createSqliteStorage(database);
		for (const use of uses) {
			await expect(use(storage, 0)).rejects.toMatchObject(corrupt("outlinekit_receipts"));
		}
		expect(schema(database)).toEqual(before);
		expect(database.prepare("SELECT version FROM outlinekit_schema").all()).toEqual([{ version: 1 }]);
	});
});

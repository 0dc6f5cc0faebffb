import { expect, it } from "vitest";
import type { Migration } from "../../../adapters/sql/schema.js";
import { SqliteConnection } from "../../../adapters/sqlite/connection.js";
import { migrations } from "../../../adapters/sqlite/schema.js";
import { migrate } from "../../../adapters/sqlite/tables.js";
import { writesOf } from "../../../adapters/sqlite/write.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import { Ledger } from "../../conformance/ledger.js";
import { document, idOf, key, node, nodes } from "../../conformance/records.js";
import { describeClients } from "./clients.js";
import { type OpenDatabase, schema } from "./open-database.js";
import { RecordingDatabase } from "./recording-database.js";

/** A migration of a possible later release. */
const second: Migration = [
	"ALTER TABLE outlinekit_outlines ADD COLUMN color TEXT NOT NULL DEFAULT 'green'",
	"CREATE INDEX outlinekit_nodes_by_time ON outlinekit_nodes (outline, modified_at)",
];
const third: Migration = ["UPDATE outlinekit_outlines SET color = 'blue'"];
const later = [...migrations, second, third];
const newest = migrations.length;

function version(database: OpenDatabase): unknown {
	return database.prepare("SELECT version FROM outlinekit_schema").all();
}

describeClients("the schema", (client) => {
	it("is created on first use, and creating a storage doesn't look at it", async () => {
		const database = new RecordingDatabase(client.open());
		const storage = createSqliteStorage(database);
		expect(database.calls).toEqual([]);
		await storage.read([]);
		expect(version(database)).toEqual([{ version: migrations.length }]);
	});

	it("is migrated from any version to the newest, with its content", async () => {
		const path = client.path();
		const ledger = new Ledger(createSqliteStorage(client.open(path)));
		await ledger.commit({
			put: nodes(50, (number) => ({ originId: number === 7 ? idOf(1) : null })),
			point: [key("a", 3)],
			keep: [document("a")],
		});
		await ledger.commit({ remove: [4] });
		await ledger.storage.close();
		const database = client.open(path);
		migrate(SqliteConnection.of(database), [...migrations, second]);
		expect(version(database)).toEqual([{ version: newest + 1 }]);
		migrate(SqliteConnection.of(client.open(path)), later);
		expect(version(database)).toEqual([{ version: newest + 2 }]);
		expect(database.prepare("SELECT color FROM outlinekit_outlines").all()).toEqual([{ color: "blue" }]);
		const anew = client.open();
		migrate(SqliteConnection.of(anew), later);
		expect(version(anew)).toEqual([{ version: newest + 2 }]);
		// With a known version again, everything is there.
		database.exec(`UPDATE outlinekit_schema SET version = ${newest}`);
		ledger.storage = createSqliteStorage(database);
		await ledger.checkAll();
	});

	it("is migrated from version 4 with its nodes, tombstones and the parts of a commit", async () => {
		const newestPath = client.path();
		const ledger = new Ledger(createSqliteStorage(client.open(newestPath)));
		await ledger.commit({
			put: nodes(20, (number) => ({
				originId: number === 7 ? idOf(1) : null,
				properties: number === 2 ? '{"p":1}' : null,
			})),
			point: [key("a", 3), key("b", 5)],
			keep: [document("a")],
		});
		await ledger.commit({ remove: [4, 5], drop: ["b"] });
		const path = client.path();
		const database = client.open(path);
		migrate(SqliteConnection.of(database), migrations.slice(0, 4));
		database.exec(`ATTACH '${newestPath}' AS newest`);
		const fields = `outline, id, parent_id, priority, name, note, layout_mode, created_at, modified_at, completed_at, origin_id,
			revision, deleted, properties`;
		database.exec(`
			INSERT INTO outlinekit_outlines SELECT * FROM newest.outlinekit_outlines;
			INSERT INTO outlinekit_nodes (short_id, ${fields}) SELECT substr(id, -12), ${fields} FROM newest.outlinekit_nodes;
			INSERT INTO outlinekit_keys SELECT * FROM newest.outlinekit_keys;
			INSERT INTO outlinekit_documents SELECT * FROM newest.outlinekit_documents;
			DETACH newest`);
		// A node comes back, one becomes a mirror and keeps its properties, one is new, and one goes.
		const put = [node(4, { note: "again" }), node(2, { originId: idOf(1), properties: '{"p":1}' }), node(30)];
		const batch = await ledger.commit({ put, remove: [6] });
		const parts = Array.from(writesOf(batch), ([name, ...values]) =>
			name === "putNode" ? ["setNode", String(values.at(-1)).slice(-12), ...values] : [name, ...values],
		);
		const { base } = batch;
		database.prepare("INSERT INTO outlinekit_staged VALUES (1, 'staged', 0, ?, ?)").run(base, JSON.stringify(parts));
		database.prepare("UPDATE outlinekit_outlines SET revision = ?, staged = 'staged'").run(base + 1);
		ledger.storage = createSqliteStorage(database);
		await ledger.checkAll();
		await ledger.commit({ put: [node(31), node(4, { name: "changed" })], remove: [30] });
		await ledger.checkAll();
		expect(version(database)).toEqual([{ version: newest }]);
	});

	it("is migrated from version 4 although tables and views of the host name its nodes", async () => {
		const database = client.open();
		migrate(SqliteConnection.of(database), migrations.slice(0, 4));
		const id = idOf(1);
		database.exec(`
			INSERT INTO outlinekit_outlines (name, revision) VALUES ('default', 1);
			INSERT INTO outlinekit_nodes
				(outline, id, short_id, priority, name, layout_mode, created_at, modified_at, revision, deleted)
				VALUES (1, '${id}', '${id.slice(-12)}', 0, 'a', 'bullets', 0, 0, 1, 0);
			PRAGMA foreign_keys = ON;
			CREATE TABLE host (outline, node,
				FOREIGN KEY (outline, node) REFERENCES outlinekit_nodes (outline, id) ON DELETE CASCADE);
			INSERT INTO host VALUES (1, '${id}');
			CREATE VIEW names AS SELECT name FROM outlinekit_nodes;
			CREATE TRIGGER gone AFTER DELETE ON host BEGIN UPDATE outlinekit_nodes SET note = 'gone'; END`);
		const storage = createSqliteStorage(database, { outline: "default" });
		const { results } = await storage.read([{ type: "node", at: { id } }]);
		expect(results[0]?.record).toMatchObject({ name: "a", note: null });
		expect(version(database)).toEqual([{ version: newest }]);
		expect(database.prepare("SELECT node, name FROM host, names").all()).toEqual([{ node: id, name: "a" }]);
		expect(database.prepare("PRAGMA foreign_keys").all()).toEqual([{ foreign_keys: 1 }]);
		expect(database.prepare("PRAGMA legacy_alter_table").all()).toEqual([{ legacy_alter_table: 0 }]);
	});

	it("of a newer release is refused, and left as it is", async () => {
		const path = client.path();
		const database = client.open(path);
		migrate(SqliteConnection.of(database), later);
		const before = schema(database);
		const message = expect.stringMatching(`in version ${newest + 2} .* knows version ${newest}`);
		const refused = { code: "storage_unavailable", message };
		for (const options of [{}, { readOnly: true }]) {
			const storage = createSqliteStorage(client.open(path, options));
			await expect(storage.read([])).rejects.toMatchObject(refused);
			await expect(storage.commit({ base: 0, nodes: [], keys: [] })).rejects.toMatchObject(refused);
			expect(storage.peek?.([])).toBeUndefined();
		}
		expect(schema(database)).toEqual(before);
		expect(version(database)).toEqual([{ version: newest + 2 }]);
	});

	it("that a newer release creates while the storage is open stops its commits", async () => {
		const path = client.path();
		const ledger = new Ledger(createSqliteStorage(client.open(path)));
		await ledger.commit({ put: [node(1)] });
		migrate(SqliteConnection.of(client.open(path)), later);
		await expect(ledger.storage.commit(ledger.batch({ put: [node(2)] }))).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("Install a newer outlinekit"),
		});
		await ledger.check({ type: "children", of: null, scope: "own" });
	});

	it("keeps its version if a migration fails half way, and the next use migrates it", async () => {
		const path = client.path();
		const ledger = new Ledger(createSqliteStorage(client.open(path)));
		await ledger.commit({ put: nodes(5) });
		const database = client.open(path);
		const before = schema(database);
		const failing = [...migrations, second, ["CREATE TABLE more (value)", "INSERT INTO missing VALUES (1)"]];
		expect(() => migrate(SqliteConnection.of(database), failing)).toThrow(/missing/);
		expect(schema(database)).toEqual(before);
		expect(version(database)).toEqual([{ version: newest }]);
		await ledger.commit({ put: [node(9)] });
		await ledger.checkAll();
		migrate(SqliteConnection.of(database), later);
		expect(version(database)).toEqual([{ version: newest + 2 }]);
	});

	it("has one version or the other, whichever call of the client fails, in each migration", async () => {
		for (const [from, versions] of [
			[0, migrations],
			[1, migrations],
			[newest - 1, migrations],
			[newest, later],
		] as const) {
			const complete = client.open();
			migrate(SqliteConnection.of(complete), versions);
			for (let index = 0; ; index++) {
				const actual = client.open();
				migrate(SqliteConnection.of(actual), versions.slice(0, from));
				const before = schema(actual);
				const database = new RecordingDatabase(actual);
				database.onCall = (call) => {
					if (call.index === index) throw new Error("injected");
				};
				const connection = SqliteConnection.of(database);
				try {
					migrate(connection, versions);
				} catch {
					expect(schema(actual)).toEqual(before);
					migrate(connection, versions);
				}
				expect(version(actual)).toEqual([{ version: versions.length }]);
				expect(schema(actual)).toEqual(schema(complete));
				if (database.calls.length <= index) break;
				expect(index).toBeLessThan(100);
			}
		}
	});
});

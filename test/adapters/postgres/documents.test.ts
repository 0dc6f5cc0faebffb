import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { commitName, commitStatement, deleteDroppedDocuments } from "../../../adapters/postgres/commit.js";
import { readParameters, readStatement } from "../../../adapters/postgres/read.js";
import { finished } from "../../../src/pace.js";
import type { DocumentChanges } from "../../../src/storage.js";
import { Ledger } from "../../conformance/ledger.js";
import { document, key, node } from "../../conformance/records.js";
import { eachDatabase, testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

const server = testServer(undefined, { fsync: "off", autovacuum: "off" });
const database = eachDatabase(server, "documents");

/** The keys of all rows in the table, dropped or not. */
async function rows(): Promise<string[]> {
	const found = await database.pool.query("SELECT key FROM outlinekit_documents ORDER BY key");
	return found.rows.map(({ key }) => key);
}

const committing = (documents: DocumentChanges, base: number) =>
	finished(commitStatement("a", { base, nodes: [], keys: [], documents }, commitName()));

test("a commit that puts and drops documents is one statement, which writes their table once; then dropped rows are deleted", async () => {
	const recording = new RecordingPool(database.pool);
	const ledger = new Ledger(createPostgresStorage(recording, { outline: "a", notify: false }));
	await ledger.commit({ put: [node(1)], keep: ["a", "b", "c"].map((name) => document(name)) });
	recording.calls.length = 0;
	await ledger.commit({ put: [node(2)], keep: [document("d")], discard: ["a", "b"] });
	const [statement, ...more] = recording.statements;
	expect(statement!.match(/INTO outlinekit_documents/g)).toHaveLength(1);
	expect(statement).not.toMatch(/DELETE/);
	await expect.poll(rows).toEqual(["c", "d"]);
	expect([...more, ...recording.statements.slice(1)]).toContain(deleteDroppedDocuments);
	await ledger.checkAll();
	await ledger.storage.close();
});

test("a commit without documents doesn't mention them, and one that drops none sends no second statement", async () => {
	const recording = new RecordingPool(database.pool);
	const ledger = new Ledger(createPostgresStorage(recording, { outline: "a", notify: false }));
	await ledger.commit({ put: [node(1)], keep: [document("a")] });
	recording.calls.length = 0;
	await ledger.commit({ put: [node(2)] });
	await ledger.commit({ put: [node(3)], keep: [document("b")] });
	await ledger.storage.close();
	expect(recording.statements).toHaveLength(2);
	expect(recording.statements[0]).not.toContain("document");
});

test("dropped rows that can't be deleted aren't seen, and a later deletion removes them; other outlines' rows stay", async () => {
	const recording = new RecordingPool(database.pool);
	const ledger = new Ledger(createPostgresStorage(recording, { outline: "a", notify: false }));
	const other = new Ledger(createPostgresStorage(database.pool, { outline: "b", notify: false }));
	await other.commit({ keep: [document("other")] });
	await database.pool.query("UPDATE outlinekit_documents SET value = NULL");
	await ledger.commit({ keep: ["a", "b", "c"].map((name) => document(name)) });
	recording.fate = ({ sql }) => (sql?.startsWith("DELETE") ? { instead: errorWithCode("42501") } : undefined);
	await ledger.commit({ discard: ["a", "b"] });
	await ledger.checkAll();
	await ledger.commit({ keep: [document("a", "1")] });
	await ledger.checkAll();
	recording.fate = () => undefined;
	expect(await rows()).toEqual(["a", "b", "c", "other"]);
	await ledger.commit({ discard: ["c"] });
	await ledger.storage.close();
	expect(await rows()).toEqual(["a", "other"]);
	await other.storage.close();
});

test("deleting dropped rows doesn't delete a document that a commit puts under the same key, whichever comes first", async () => {
	const ledger = new Ledger(createPostgresStorage(database.pool, { outline: "a", notify: false }));
	await ledger.storage.read([]);
	const waiting = async () => (await database.pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount;
	for (const first of ["putting", "deleting"]) {
		const { revision: base } = await ledger.storage.read([]);
		const dropping = committing({ put: [], dropped: ["again"] }, base);
		await database.pool.query(dropping.sql, [...dropping.parameters]);
		const putting = committing({ put: [document("again", first)], dropped: [] }, base + 1);
		const work = [
			{ text: putting.sql, values: [...putting.parameters] },
			{ text: deleteDroppedDocuments, values: ["a"] },
		];
		if (first === "deleting") work.reverse();
		const client = await database.pool.connect();
		await client.query("BEGIN");
		await client.query(work[0]!);
		const second = database.pool.query(work[1]!);
		await expect.poll(waiting).toBe(1);
		await client.query("COMMIT");
		client.release();
		await second;
		expect(await rows()).toEqual(["again"]);
		const { results } = await ledger.storage.read([{ type: "documents", prefix: "again" }]);
		expect(results[0]).toEqual([document("again", first)]);
	}
	await ledger.storage.close();
});

test("an index finds the first documents of a range among very many, whether the server has statistics or not", async () => {
	const storage = createPostgresStorage(database.pool, { outline: "a", notify: false });
	await storage.read([]);
	await database.pool.query(`INSERT INTO outlinekit_documents
		SELECT outline, kind || '/' || lpad(number::text, 6, '0'), CASE WHEN number % 100 > 0 THEN 'value' END
		FROM generate_series(1, 20000) AS number
			CROSS JOIN (VALUES ('a'), ('b')) AS o (outline) CROSS JOIN (VALUES ('one'), ('two')) AS k (kind)`);
	const queries = [
		[{ type: "documents", prefix: "one/000777", limit: 1 }, ["one/000777"]],
		[{ type: "documents", prefix: "two/", limit: 2 }, ["two/000001", "two/000002"]],
		[{ type: "documents", prefix: "one/", after: "one/010098", limit: 2 }, ["one/010099", "one/010101"]],
	] as const;
	for (const known of [false, true]) {
		if (known) await database.pool.query("ANALYZE outlinekit_documents");
		for (const [query, keys] of queries) {
			const { sql, parameters } = readStatement([query]);
			const values = readParameters({ sql, parameters, parts: [1] }, "a", [query]);
			const { rows: plan } = await database.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
			const text = JSON.stringify(plan);
			expect(text).toContain("outlinekit_documents_pkey");
			expect(text).not.toContain('"Node Type":"Sort"');
			expect((await storage.read([query])).results[0].map(({ key }) => key)).toEqual(keys);
		}
	}
	await storage.close();
});

test("nodes without properties have a NULL, and pruning deletes the rows of tombstones, which an index finds", async () => {
	const ledger = new Ledger(createPostgresStorage(database.pool, { outline: "a", notify: false }));
	await ledger.commit({ put: [node(1, { properties: "{}" }), node(2)], point: [key("a", 1), key("b", 2)] });
	await ledger.commit({ put: [node(2, { name: "changed" })], remove: [1], drop: ["a"] });
	const counts = async () => {
		const { rows } = await database.pool.query(
			`SELECT count(*)::int AS nodes, count(properties)::int AS properties,
				(SELECT count(*)::int FROM outlinekit_keys) AS keys FROM outlinekit_nodes`,
		);
		return rows[0];
	};
	expect(await counts()).toEqual({ nodes: 2, properties: 0, keys: 2 });
	const { sql, parameters } = finished(
		commitStatement("a", { base: 2, nodes: [], keys: [], horizon: 2 }, commitName()),
	);
	const client = await database.pool.connect();
	await client.query("SET enable_seqscan = off");
	const { rows: plan } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters]);
	client.release(true);
	expect(JSON.stringify(plan)).toContain("outlinekit_nodes_deleted");
	await ledger.commit({ horizon: 2 });
	expect(await counts()).toEqual({ nodes: 1, properties: 0, keys: 1 });
	await ledger.checkAll();
	await ledger.storage.close();
});

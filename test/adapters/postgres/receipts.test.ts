import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { commitName, commitStatement, deleteDroppedReceipts } from "../../../adapters/postgres/commit.js";
import { readParameters, readStatement } from "../../../adapters/postgres/read.js";
import { finished } from "../../../src/pace.js";
import type { ReceiptChanges } from "../../../src/storage.js";
import { Ledger } from "../../conformance/ledger.js";
import { node, receipt } from "../../conformance/records.js";
import { eachDatabase, testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

const server = testServer(undefined, { fsync: "off", autovacuum: "off" });
const database = eachDatabase(server, "receipts");

/** The keys of all rows in the table, dropped or not. */
async function rows(): Promise<string[]> {
	const found = await database.pool.query("SELECT key FROM outlinekit_receipts ORDER BY key");
	return found.rows.map(({ key }) => key);
}

const committing = ({ added, dropped }: ReceiptChanges, base: number) =>
	finished(commitStatement("a", { base, nodes: [], keys: [], receipts: { added, dropped } }, commitName()));

test("a commit that adds and drops receipts is one statement, which writes their table once; then dropped rows are deleted", async () => {
	const recording = new RecordingPool(database.pool);
	const ledger = new Ledger(createPostgresStorage(recording, { outline: "a", notify: false }));
	await ledger.commit({ put: [node(1)], keep: ["a", "b", "c"].map((name) => receipt(name)) });
	recording.calls.length = 0;
	await ledger.commit({ put: [node(2)], keep: [receipt("d")], discard: ["a", "b"] });
	const [statement, ...more] = recording.statements;
	expect(statement!.match(/INTO outlinekit_receipts/g)).toHaveLength(1);
	expect(statement).not.toMatch(/DELETE/);
	await expect.poll(rows).toEqual(["c", "d"]);
	expect([...more, ...recording.statements.slice(1)]).toContain(deleteDroppedReceipts);
	await ledger.checkAll();
	await ledger.storage.close();
});

test("a commit without receipts doesn't mention them, and one that drops none sends no second statement", async () => {
	const recording = new RecordingPool(database.pool);
	const ledger = new Ledger(createPostgresStorage(recording, { outline: "a", notify: false }));
	await ledger.commit({ put: [node(1)], keep: [receipt("a")] });
	recording.calls.length = 0;
	await ledger.commit({ put: [node(2)] });
	await ledger.commit({ put: [node(3)], keep: [receipt("b")] });
	await ledger.storage.close();
	expect(recording.statements).toHaveLength(2);
	expect(recording.statements[0]).not.toContain("receipt");
});

test("dropped rows that can't be deleted aren't seen, and a later deletion removes them; other outlines' rows stay", async () => {
	const recording = new RecordingPool(database.pool);
	const ledger = new Ledger(createPostgresStorage(recording, { outline: "a", notify: false }));
	const other = new Ledger(createPostgresStorage(database.pool, { outline: "b", notify: false }));
	await other.commit({ keep: [receipt("other")] });
	await database.pool.query("UPDATE outlinekit_receipts SET result = NULL");
	await ledger.commit({ keep: ["a", "b", "c"].map((name) => receipt(name)) });
	recording.fate = ({ sql }) => (sql?.startsWith("DELETE") ? { instead: errorWithCode("42501") } : undefined);
	await ledger.commit({ discard: ["a", "b"] });
	await ledger.checkAll();
	await ledger.commit({ keep: [receipt("a", { result: "1" })] });
	await ledger.checkAll();
	recording.fate = () => undefined;
	expect(await rows()).toEqual(["a", "b", "c", "other"]);
	await ledger.commit({ discard: ["c"] });
	await ledger.storage.close();
	expect(await rows()).toEqual(["a", "other"]);
	await other.storage.close();
});

test("deleting dropped rows doesn't delete a receipt that is being added under the same key, whichever comes first", async () => {
	const ledger = new Ledger(createPostgresStorage(database.pool, { outline: "a", notify: false }));
	await ledger.storage.read([]);
	const waiting = async () => (await database.pool.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount;
	for (const first of ["adding", "deleting"]) {
		const { revision: base } = await ledger.storage.read([]);
		const dropping = committing({ added: [], dropped: ["again"] }, base);
		await database.pool.query(dropping.sql, [...dropping.parameters]);
		const adding = committing({ added: [receipt("again", { result: first })], dropped: [] }, base + 1);
		const work = [
			{ text: adding.sql, values: [...adding.parameters] },
			{ text: deleteDroppedReceipts, values: ["a"] },
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
		const { results } = await ledger.storage.read([{ type: "receipt", key: "again", expiry: 0 }]);
		expect(results[0].receipt?.result).toBe(first);
	}
	await ledger.storage.close();
});

test("indexes find a receipt and the oldest ones among very many, whether the server has statistics or not", async () => {
	const storage = createPostgresStorage(database.pool, { outline: "a", notify: false });
	await storage.read([]);
	await database.pool.query(`INSERT INTO outlinekit_receipts
		SELECT outline, 'request ' || number, 'r', number % 20000, CASE WHEN number % 100 > 0 THEN '"result"' END
		FROM generate_series(1, 40000) AS number CROSS JOIN (VALUES ('a'), ('b')) AS o (outline)`);
	const query = { type: "receipt", key: "request 777", expiry: 10_000 } as const;
	const { sql, parameters } = readStatement([query]);
	const values = readParameters({ sql, parameters, parts: [2] }, "a", [query]);
	for (const known of [false, true]) {
		if (known) await database.pool.query("ANALYZE outlinekit_receipts");
		const { rows: plan } = await database.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
		const text = JSON.stringify(plan);
		expect(text).not.toContain('"Node Type":"Seq Scan"');
		expect(text).toContain("outlinekit_receipts_pkey");
		expect(text).toContain("outlinekit_receipts_by_age");
		const [{ receipt: found, expired }] = (await storage.read([query])).results;
		expect(found).toEqual({ key: "request 777", request: "r", createdAt: 777, result: '"result"' });
		// Each second has two.
		const moments = expired.map((each) => Number(each.slice("request ".length)) % 20_000);
		expect(moments).toEqual(Array.from({ length: 100 }, (_, place) => 1 + (place >> 1)));
		if (known) expect(text).not.toContain('"Node Type":"Sort"');
	}
	await storage.close();
});

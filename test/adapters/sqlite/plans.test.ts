import { expect, it } from "vitest";
import { shortIdFirst } from "../../../adapters/sqlite/schema.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { NodeRecord } from "../../../src/storage.js";
import { Ledger } from "../../conformance/ledger.js";
import { document, idOf, key, node, nodes } from "../../conformance/records.js";
import { queryShapes } from "../sql/query-shapes.js";
import { describeClients } from "./clients.js";
import type { OpenDatabase } from "./open-database.js";
import { RecordingDatabase } from "./recording-database.js";

const queries = queryShapes({
	id: idOf(1),
	others: [idOf(2)],
	key: "a",
	group: "shortcut",
	bounds: [1, 9],
	since: [0],
});

/** Content that may mislead the planner: fields of the nodes of a large outline. */
const skews: Readonly<Record<string, (number: number) => Partial<NodeRecord>>> = {
	"many mirrors of one node": (number) => ({ originId: number > 0 ? idOf(0) : null }),
	"many mirrors of one node among others": (number) => ({
		originId: number % 10 === 9 ? idOf(0) : null,
		parentId: number === 0 ? null : idOf(number > 3_000 ? number - 1 : 0),
	}),
	"a mirror of each of many nodes": (number) => ({ originId: number % 2 === 1 ? idOf(number - 1) : null }),
	"many children of one node": (number) => ({ parentId: number > 0 ? idOf(0) : null }),
	"few children of any node": (number) => ({ parentId: number > 0 ? idOf(Math.floor((number - 1) / 3)) : null }),
	"many nodes at its top, and short ids alike": (number) => ({ id: idOf(number).slice(0, -12) + "0".repeat(12) }),
};

/** The text of every statement that a storage uses from its first use on, except for scans. */
async function statementsOf(database: OpenDatabase): Promise<string[]> {
	const recording = new RecordingDatabase(database);
	const storage = createSqliteStorage(recording, { outline: "all shapes" });
	const ledger = new Ledger(storage);
	await ledger.commit({ put: [node(1), node(2), node(3)], point: [key("a", 1), key("b", 1)], keep: [document("a")] });
	const put = [node(1, { name: "changed" }), node(2, { parentId: idOf(1) })];
	await ledger.commit({ put, remove: [3], drop: ["b"], discard: ["a"] });
	await ledger.commit({ put: [node(1, { name: "changed", properties: "{}" })] });
	await ledger.commit({ horizon: 1 });
	// All queries row by row, and each that one statement for all queries may include.
	await storage.read(queries);
	for (const query of queries) await storage.read([query]);
	const statements = recording.calls.filter(
		({ type, sql }) => type === "prepare" && /outlinekit_(nodes|keys|documents)/.test(sql),
	);
	return [...new Set(statements.map(({ sql }) => sql))];
}

/** The steps of a statement's plan that read more than necessary. */
function wastefulSteps(database: OpenDatabase, sql: string): string[] {
	const parameters = Array.from(sql.matchAll(/\?/g), () => "");
	const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
	return steps.map(({ detail }) => detail).filter((detail) => isWasteful(detail, /LIMIT/.test(sql)));
}

function isWasteful(step: string, limited: boolean): boolean {
	// Sources that aren't tables have only the necessary rows. The tables that describe the others have few.
	if (/^SCAN (?!json_each|CONSTANT ROW|last|line|tree|found|wanted|sqlite_master|outlinekit_schema)/.test(step))
		return true;
	// One of these finds the lowest revision, the other counts up to the limit of the changes.
	if (/^SEARCH .* USING COVERING INDEX outlinekit_(nodes_of|keys_by)_revision /.test(step)) return false;
	// Through a whole outline, or from a revision to its end.
	if (/^SEARCH .* \(outline=\?( AND revision>\?)?\)$/.test(step)) return true;
	return limited && /TEMP B-TREE FOR .*ORDER BY/.test(step);
}

function expectThrift(database: OpenDatabase, statements: readonly string[]): void {
	// One for each shape, and the statements that write.
	expect(statements.length).toBeGreaterThan(160);
	for (const sql of statements) expect(wastefulSteps(database, sql), sql).toEqual([]);
}

describeClients("the plan of each statement", (client) => {
	it("has no numbered parameters, which better-sqlite3 doesn't take by position", async () => {
		const numbered = (await statementsOf(client.open())).filter((sql) => /\?\d/.test(sql));
		expect(numbered).toEqual([]);
	});

	it("finds the rows by an index, in an empty database", async () => {
		const database = client.open();
		expectThrift(database, await statementsOf(database));
	});

	it.each(Object.keys(skews))("does so after ANALYZE, with one outline that has %s", async (skew) => {
		const path = client.path();
		const filling = client.open(path);
		const fill = async (outline: string, count: number) => {
			const storage = createSqliteStorage(filling, { outline, synchronous: "normal" });
			await new Ledger(storage).commit({
				put: nodes(count, skews[skew]!),
				point: Array.from({ length: count / 10 }, (_, number) => key(`key ${number}`, number, `group ${number % 3}`)),
				keep: Array.from({ length: count / 2 }, (_, number) => document(`request/${number}`)),
			});
		};
		await fill("large", 4_000);
		for (let small = 0; small < 20; small++) await fill(`${small}`, 2);
		filling.exec("ANALYZE");
		filling.close();
		const database = client.open(path);
		expectThrift(database, await statementsOf(database));
	});

	it("is reported as wasteful if it is", async () => {
		const database = client.open();
		await statementsOf(database);
		const wasteful = (sql: string) => wastefulSteps(database, sql).length > 0;
		expect(wasteful("SELECT * FROM outlinekit_nodes WHERE name = ?")).toBe(true);
		expect(wasteful("SELECT * FROM outlinekit_nodes WHERE outline = ? AND name = ?")).toBe(true);
		expect(
			wasteful(
				"SELECT * FROM outlinekit_nodes WHERE outline = ? AND parent_id = ? AND NOT deleted ORDER BY name LIMIT 1",
			),
		).toBe(true);
		expect(wasteful(`SELECT * FROM outlinekit_nodes WHERE outline = ? AND ${shortIdFirst("id")} = ?`)).toBe(false);
	});
});

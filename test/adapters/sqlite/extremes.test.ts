import { expect, it } from "vitest";
import type { Parameter } from "../../../adapters/sqlite/client.js";
import { createSqliteStorage, type SqliteDatabase } from "../../../adapters/sqlite.js";
import { Outline } from "../../../src/outline.js";
import type { Query, StorageAdapter } from "../../../src/storage.js";
import { Ledger, scanned } from "../../conformance/ledger.js";
import { idOf, node, nodes, shortIdOf } from "../../conformance/records.js";
import { soak } from "../../setup/soak.js";
import { addingAll } from "../../support/batches.js";
import { describeClients } from "./clients.js";
import { storageInParts } from "./in-parts.js";
import { clientNames } from "./open-database.js";
import { RecordingDatabase } from "./recording-database.js";

/** The parent of a node, if the first one is at the top, ten others below it, and all further ones below these. */
function inThreeLevels(number: number): string | null {
	if (number === 0) return null;
	return number <= 10 ? idOf(0) : idOf(1 + (number % 10));
}

/** Answers queries, and counts the turns of the event loop meanwhile. */
async function readWithTurns<const Q extends readonly Query[]>(storage: StorageAdapter, queries: Q) {
	let turns = 0;
	const counting = () => {
		turns += 1;
		next = setImmediate(counting);
	};
	let next = setImmediate(counting);
	const { results } = await storage.read(queries);
	clearImmediate(next);
	return { results, turns };
}

describeClients("a storage", (client) => {
	it("accepts a batch of very many changes, answers queries about all of them, and scans them", async () => {
		const storage = createSqliteStorage(client.open(client.path()), { synchronous: "normal" });
		const count = soak > 1 || client.name === clientNames[0] ? 100_000 : 20_000;
		const records = nodes(count, (number) => ({
			revision: 1,
			parentId: number < 10 ? null : idOf(number % 10),
			originId: number % 1_000 === 999 ? idOf(number - 1) : null,
		}));
		expect(await storage.commit(addingAll(records))).toBe(1);
		const { results } = await storage.read([
			{ type: "taken", shortIds: Array.from({ length: 2 * count }, (_, number) => shortIdOf(number)) },
			{ type: "related", ids: Array.from({ length: count / 2 }, (_, number) => idOf(2 * number)) },
			{ type: "changes", since: 0, limit: 1 },
			{ type: "children", of: { id: idOf(3) }, scope: "own", limit: 2, fromLast: true },
		]);
		const [taken, related, changed, last] = results;
		expect(new Set(taken).size).toBe(count);
		// Half of them, and the mirrors of numbers that end in 98.
		expect(related.length).toBe(count / 2 + count / 1_000);
		expect(changed.nodes.length).toBe(count);
		expect(last.map(({ record }) => record.priority)).toEqual([count - 17, count - 7]);
		const seen = await scanned(storage);
		expect(new Set(seen.map(({ record }) => record.id)).size).toBe(count);
	});

	it("gives up a list that is too long for one step once, and then reads it in steps", async () => {
		const database = new RecordingDatabase(client.open());
		const outline = new Outline({ storage: storageInParts(database, { atOnce: { rows: 10, characters: 2 ** 20 } }) });
		const { id } = await outline.create({ name: "parent" });
		const few = await outline.create({ name: "few" });
		for (let count = 0; count < 11; count++) await outline.create({ name: `${count}`, parent: id, position: "bottom" });
		for (let round = 0; round < 2; round++) {
			database.calls.length = 0;
			expect((await outline.list(id)).nodes.length).toBe(11);
			const reads = database.calls.filter(({ type }) => type === "all").map(({ sql }) => sql);
			expect(reads.filter((sql) => sql === reads[0]).length).toBe(1);
			expect(await outline.list(few.id)).toEqual({ nodes: [] });
		}
	});

	it("pauses while it reads a long line of ancestors, and reads no more than the limit asks for", async () => {
		const database = new RecordingDatabase(client.open());
		const storage = storageInParts(database, { atOnce: { rows: 10, characters: 2 ** 20 } });
		const count = 95;
		const line = nodes(count, (number) => ({ revision: 1, parentId: number === 0 ? null : idOf(number - 1) }));
		await storage.commit(addingAll(line));
		const upwards = line.map(({ id }) => id).toReversed();
		for (const [limit, pauses] of [
			[count, 9],
			[50, 4],
			[5, 0],
		] as const) {
			const query = { type: "ancestors", of: { id: upwards[0]! }, limit } as const;
			const { results, turns } = await readWithTurns(storage, [query]);
			expect(results[0].slice(0, limit)).toEqual(upwards.slice(0, limit));
			expect([turns >= pauses, results[0].length <= limit + 10]).toEqual([true, true]);
		}
	});

	it("pauses after each of very many queries", async () => {
		const storage = createSqliteStorage(client.open());
		await storage.commit(addingAll(nodes(300, () => ({ revision: 1 }))));
		const queries = Array.from({ length: 300 }, (_, number) => ({ type: "node", at: { id: idOf(number) } }) as const);
		const { results, turns } = await readWithTurns(storage, queries);
		expect(results.map((node) => node!.record.id)).toEqual(queries.map(({ at }) => at.id));
		expect(turns).toBeGreaterThanOrEqual(299);
	});

	it("doesn't look for more nodes of a subtree at once than a step has time for", async () => {
		const storage = createSqliteStorage(client.open());
		await storage.commit(addingAll(nodes(311, (number) => ({ revision: 1, parentId: inThreeLevels(number) }))));
		for (const [top, count, pauses] of [
			[1, 31, 0],
			[0, 311, 3],
		] as const) {
			const { results, turns } = await readWithTurns(storage, [{ type: "subtree", of: { id: idOf(top) } }]);
			expect(results[0].nodes).toHaveLength(count);
			expect(turns).toBeGreaterThanOrEqual(pauses);
		}
	});

	it("doesn't read many mirrors of a long node at once", async () => {
		const storage = createSqliteStorage(client.open());
		const below = (number: number) => (number < 2 ? {} : { parentId: idOf(1), originId: idOf(0) });
		const [short, ...others] = nodes(20, (number) => ({ revision: 1, ...below(number) }));
		const children = [{ type: "children", of: { id: idOf(1) }, scope: "own" }] as const;
		await storage.commit(addingAll([short!, ...others]));
		expect((await readWithTurns(storage, children)).turns).toBe(0);
		const long = { ...short!, name: "a".repeat(100_000), revision: 2 };
		await storage.commit({ base: 1, nodes: [{ before: short!, after: long }], keys: [] });
		const { results, turns } = await readWithTurns(storage, children);
		expect(results[0].map(({ origin }) => origin?.name.length)).toEqual(others.slice(1).map(() => 100_000));
		expect(turns).toBeGreaterThan(0);
	});

	it("pauses while it collects the children of many nodes", async () => {
		const storage = storageInParts(client.open(), { atOnce: { rows: 10, characters: 2 ** 20 } });
		await storage.commit(addingAll(nodes(511, (number) => ({ revision: 1, parentId: inThreeLevels(number) }))));
		const { results, turns } = await readWithTurns(storage, [{ type: "subtree", of: { id: idOf(0) } }]);
		expect(results[0].nodes).toHaveLength(511);
		expect(turns).toBeGreaterThanOrEqual(200);
	});

	it("returns the children of a node once, even if the node is its own mirror", async () => {
		const ledger = new Ledger(createSqliteStorage(client.open()));
		await ledger.commit({ put: [node(1, { originId: idOf(1) }), node(2, { parentId: idOf(1) })] });
		const children = { type: "children", of: { id: idOf(1) }, scope: "visible" } as const;
		for (const query of [children, { ...children, limit: 5 }]) {
			const { results } = await ledger.storage.read([query]);
			expect(results[0].map(({ record }) => record.id)).toEqual([idOf(2)]);
		}
	});

	it("accepts any text as ids, keys and groups in queries, and finds nothing wrong", async () => {
		const ledger = new Ledger(createSqliteStorage(client.open()));
		const texts = ["'", '"', "%", "_", "null", "1", "[]", "x' OR '1'='1", "🌲", ":at", "?", "\\", "a".repeat(100_000)];
		await ledger.commit({
			put: [node(1)],
			point: texts.map((text) => ({ key: text, group: `group of ${text}`, nodeId: idOf(1) })),
		});
		await ledger.check(
			...texts.flatMap((text) => [
				{ type: "node", at: { id: text } } as const,
				{ type: "node", at: { key: text } } as const,
				{ type: "node", at: { key: `${text} ` } } as const,
				{ type: "keys", group: `group of ${text}` } as const,
				{ type: "keys", group: text } as const,
			]),
			{ type: "related", ids: texts },
			{ type: "taken", shortIds: texts.filter((text) => text !== "1") },
		);
	});

	it("opens and works with few rows, however many are in the database", async () => {
		const path = client.path();
		const filled = createSqliteStorage(client.open(path), { synchronous: "normal" });
		const records = nodes(20_000, (number) => ({ revision: 1, parentId: number === 0 ? null : idOf(0) }));
		await filled.commit(addingAll(records));
		const database = client.open(path);
		let rows = 0;
		const counting: SqliteDatabase = {
			exec: (sql) => database.exec(sql),
			prepare: (sql) => {
				const statement = database.prepare(sql);
				const all = (...parameters: Parameter[]) => {
					const found = statement.all(...parameters);
					rows += found.length;
					return found;
				};
				return { run: (...parameters: Parameter[]) => statement.run(...parameters), all };
			},
		};
		const outline = new Outline({ storage: createSqliteStorage(counting, { synchronous: "normal" }) });
		outline.subscribe(() => {});
		const { id } = await outline.create({ name: "at the top", parent: idOf(0) });
		await outline.get(id.slice(-12));
		await outline.move(id, { position: "bottom" });
		await outline.update(id, { name: "changed" });
		await outline.delete(id);
		expect(rows).toBeLessThan(100);
		await outline.close();
	});
});

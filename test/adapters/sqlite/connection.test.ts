import { expect, it, vi } from "vitest";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { Outline } from "../../../src/outline.js";
import type { Query } from "../../../src/storage.js";
import { Ledger, scanned } from "../../conformance/ledger.js";
import { idOf, key, node, nodes, shortIdOf } from "../../conformance/records.js";
import { codeOf, newOutline } from "../../support/outline.js";
import { describeClients } from "./clients.js";
import type { OpenDatabase } from "./open-database.js";
import { RecordingDatabase } from "./recording-database.js";

/** The value of a pragma. */
function pragma(database: OpenDatabase, name: string): unknown {
	const [row] = database.prepare(`PRAGMA ${name}`).all();
	return Object.values(row as object)[0];
}

/** The calls of a piece of work, each as its type and the first words of its SQL. */
async function callsOf(database: RecordingDatabase, work: () => Promise<unknown>): Promise<string[]> {
	const first = database.calls.length;
	await work();
	return database.calls
		.slice(first)
		.map(({ type, sql }) => `${type} ${/^\w+( INTO \w+| IMMEDIATE| \w+_\w+)?/.exec(sql)![0]}`);
}

describeClients("a connection", (client) => {
	it("is set to WAL, full synchronization and a busy timeout", async () => {
		const database = client.open(client.path());
		await createSqliteStorage(database).read([]);
		expect(pragma(database, "journal_mode")).toBe("wal");
		expect(pragma(database, "synchronous")).toBe(2);
		expect(pragma(database, "busy_timeout")).toBe(5000);
	});

	it("has the settings of the storage that was first used last", async () => {
		const database = client.open(client.path());
		const careful = createSqliteStorage(database, { outline: "careful" });
		const quick = createSqliteStorage(database, { outline: "quick", synchronous: "normal", busyTimeout: 70 });
		for (const storage of [careful, quick, careful]) await storage.read([]);
		expect(pragma(database, "synchronous")).toBe(1);
		expect(pragma(database, "busy_timeout")).toBe(70);
		for (const storage of [careful, quick]) {
			const ledger = new Ledger(storage);
			await ledger.commit({ put: nodes(3), point: [key("a", 1)] });
			await ledger.checkAll();
		}
	});

	it("opens a database that has its tables with few statements, the read included", async () => {
		const path = client.path();
		await createSqliteStorage(client.open(path)).read([]);
		const database = new RecordingDatabase(client.open(path));
		const calls = await callsOf(database, () => createSqliteStorage(database).read([]));
		expect(calls.filter((call) => !call.startsWith("prepare"))).toEqual([
			"all PRAGMA busy_timeout",
			"exec PRAGMA",
			"exec PRAGMA",
			"all SELECT",
			"all SELECT octet_length",
			"all SELECT",
			"all SELECT",
		]);
	});

	it("leaves databases that the host has attached as they are", async () => {
		const database = client.open(client.path());
		database.exec(`ATTACH '${client.path()}' AS other`);
		await createSqliteStorage(database).read([]);
		expect(pragma(database, "main.journal_mode")).toBe("wal");
		expect(pragma(database, "other.journal_mode")).toBe("delete");
	});

	it("commits in one immediate transaction, whatever the batch contains", async () => {
		const database = new RecordingDatabase(client.open());
		const ledger = new Ledger(createSqliteStorage(database));
		const everything = { put: [node(1), node(2)], point: [key("a", 1)] };
		for (let round = 0; round < 2; round++) await ledger.commit(everything);
		expect(await callsOf(database, () => ledger.commit(everything))).toEqual([
			"exec BEGIN IMMEDIATE",
			"run UPDATE outlinekit_outlines",
			"run UPDATE outlinekit_nodes",
			"run UPDATE outlinekit_nodes",
			"run INSERT INTO outlinekit_keys",
			"exec COMMIT",
		]);
		expect(await callsOf(database, () => ledger.commit({}))).toEqual([
			"exec BEGIN IMMEDIATE",
			"run UPDATE outlinekit_outlines",
			"exec COMMIT",
		]);
	});

	it("sets no column whose index needs no write", async () => {
		const database = new RecordingDatabase(client.open());
		const ledger = new Ledger(createSqliteStorage(database));
		const parentId = idOf(0);
		await ledger.commit({ put: nodes(3) });
		const written = async (draft: Parameters<Ledger["commit"]>[0]) => {
			const first = database.calls.length;
			await ledger.commit(draft);
			const runs = database.calls.slice(first).filter(({ type, sql }) => type === "run" && sql.includes("_nodes"));
			return runs.map(({ sql }) => /INSERT|parent_id = \?|name = \?/.exec(sql)![0]);
		};
		expect(await written({ put: [node(1, { name: "changed" })] })).toEqual(["name = ?"]);
		expect(await written({ put: [node(1, { name: "changed", parentId })] })).toEqual(["parent_id = ?"]);
		expect(await written({ put: [node(1, { parentId, originId: idOf(2) })] })).toEqual(["INSERT"]);
		await ledger.checkAll();
		await ledger.commit({ remove: [1] });
		expect(await written({ put: [node(1)] })).toEqual(["INSERT"]);
		await ledger.checkAll();
	});

	it("reads the usual queries of an operation in one statement, and rarer ones in one transaction", async () => {
		const database = new RecordingDatabase(client.open());
		const storage = createSqliteStorage(database);
		await storage.read([]);
		const callsTo = async (...queries: Query[]) => {
			const calls = await callsOf(database, () => storage.read(queries));
			return calls.filter((call) => !call.startsWith("prepare"));
		};
		const at = { id: idOf(1) };
		const node = { type: "node", at } as const;
		const children = { type: "children", of: at, scope: "visible" } as const;
		const taken = { type: "taken", shortIds: [shortIdOf(1)] } as const;
		const related = { type: "related", ids: [idOf(1), idOf(2)] } as const;
		const ancestors = { type: "ancestors", of: at } as const;
		const create = [taken, node, { ...children, limit: 1 }];
		const move = [node, { ...children, limit: 2 }, ancestors];
		const subtree = { type: "subtree", of: at } as const;
		for (const queries of [[], [node], [node, children], create, move, [related], [subtree]]) {
			expect(await callsTo(...queries)).toEqual(["all SELECT"]);
		}
		expect(await callsTo({ type: "keys", group: "system" }, ...Array.from({ length: 15 }, () => node))).toHaveLength(1);
		expect(await callsTo(...Array.from({ length: 17 }, () => node))).toEqual([
			"exec SAVEPOINT",
			"all SELECT",
			...Array.from({ length: 17 }, () => "all SELECT"),
			"exec RELEASE",
		]);
	});

	it("compiles nothing more once every operation has run", async () => {
		const database = new RecordingDatabase(client.open());
		const work = async (outline: Outline, round: number) => {
			outline.subscribe(() => {});
			const { id } = await outline.create({ name: `${round}`, position: "bottom" });
			await outline.create({ name: "child", parent: id });
			await outline.create({ name: "on this day", parent: "today" });
			await outline.update(id, { name: "changed", note: "noted" });
			const mirror = await outline.mirror(id, { parent: (await outline.create({ name: "place" })).id });
			await outline.complete(mirror.id);
			await outline.move(id, { position: "top" });
			await outline.setShortcut("here", id);
			await outline.list(mirror.id);
			await outline.targets();
			await outline.removeMirror(mirror.id);
			await outline.delete(id);
		};
		const open = (outline: string) =>
			newOutline({ storage: createSqliteStorage(database, { outline, pollInterval: 2 ** 31 - 1 }) });
		await work(open("one"), 0);
		await work(open("two"), 1);
		const before = database.calls.length;
		// A host may create an outline for each request.
		for (let round = 2; round < 6; round++) await work(open(round % 2 === 0 ? "one" : "two"), round);
		await work(open("three"), 6);
		expect(database.calls.slice(before).filter(({ type }) => type === "prepare")).toEqual([]);
	});

	it("keeps a limited number of statements compiled, and still answers hundreds of shapes", async () => {
		const database = new RecordingDatabase(client.open());
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: nodes(30) });
		for (let round = 0; round < 2; round++) {
			for (let limit = 1; limit <= 300; limit++) {
				await ledger.check({ type: "children", of: null, scope: "own", limit, fromLast: limit % 2 === 0 });
			}
		}
		const compiled = (from: number) => database.calls.slice(from).filter(({ type }) => type === "prepare").length;
		// The first ones were gone when they were needed again.
		expect(compiled(0)).toBeGreaterThan(600);
		const before = database.calls.length;
		await ledger.check({ type: "children", of: null, scope: "own", limit: 300, fromLast: true });
		expect(compiled(before)).toBe(0);
	});

	it("returns integers as numbers, whatever the host has set", async () => {
		const path = client.path();
		const database = client.open(path, { bigIntegers: true, arrays: true });
		const ledger = new Ledger(createSqliteStorage(database));
		const most = Number.MAX_SAFE_INTEGER;
		await ledger.commit({
			put: [
				node(1, { priority: -most, createdAt: -most, completedAt: most }),
				node(2, { originId: idOf(1), priority: most }),
				node(3),
			],
			point: [key("a", 2)],
		});
		await ledger.commit({ remove: [3] });
		await ledger.checkAll();
		ledger.storage = createSqliteStorage(client.open(path));
		await ledger.checkAll();
	});

	it("is read within a transaction of the host, and committed to after it", async () => {
		const database = client.open(client.path());
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: [node(1)] });
		database.exec("CREATE TABLE host (value)");
		database.exec("BEGIN");
		database.exec("INSERT INTO host VALUES (1)");
		await ledger.checkAll();
		const refused = ledger.storage.commit(ledger.batch({ put: [node(2)] }));
		await expect(refused).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("transaction open"),
		});
		const unused = createSqliteStorage(database, { outline: "unused" }).read([]);
		await expect(unused).rejects.toMatchObject({ message: expect.stringContaining("transaction open") });
		await ledger.checkAll();
		database.exec("COMMIT");
		expect(database.prepare("SELECT count(*) AS count FROM host").all()).toEqual([{ count: 1 }]);
		await ledger.commit({ put: [node(2)] });
		await ledger.checkAll();
	});

	it("over which the host iterates can be used again after that", async () => {
		const database = client.open(client.path());
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: nodes(3) });
		const statement = database.prepare("SELECT id FROM outlinekit_nodes") as unknown as {
			iterate(): Iterable<unknown>;
		};
		for (const _ of statement.iterate()) {
			expect([undefined, "storage_unavailable"]).toContain(await codeOf(ledger.checkAll()));
		}
		await ledger.commit({ put: [node(9)] });
		await ledger.checkAll();
	});

	it("stays open when its storages are closed", async () => {
		const database = client.open();
		const [one, other] = ["one", "other"].map((outline) => createSqliteStorage(database, { outline }));
		await one!.read([]);
		await one!.close();
		await expect(other!.read([])).resolves.toMatchObject({ revision: 0 });
	});

	it("may be a new object for the same database each time", async () => {
		const database = client.open();
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: nodes(3) });
		ledger.storage = createSqliteStorage({
			prepare: (sql) => database.prepare(sql),
			exec: (sql) => database.exec(sql),
		});
		await ledger.checkAll();
	});
});

describeClients("a scan", (client) => {
	const tables = (database: OpenDatabase) =>
		database.prepare("SELECT name FROM sqlite_temp_master WHERE name LIKE '%outlinekit%'").all();

	it("leaves nothing behind, whether it is read to its end, left early, or fails", async () => {
		const database = client.open(client.path());
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: nodes(1_200) });
		expect(await scanned(ledger.storage)).toHaveLength(1_200);
		expect(tables(database)).toEqual([]);
		for await (const chunk of ledger.storage.scan()) {
			expect(chunk.length).toBeLessThan(1_200);
			expect(tables(database)).toHaveLength(1);
			break;
		}
		expect(tables(database)).toEqual([]);
		const failing = async () => {
			for await (const _ of ledger.storage.scan()) throw new Error("the host's own");
		};
		await expect(failing()).rejects.toThrow("the host's own");
		expect(tables(database)).toEqual([]);
	});

	it("that isn't read to its end leaves nothing behind once its storage is closed", async () => {
		const database = client.open(client.path());
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: nodes(1_200) });
		const scans = [1, 2].map(() => ledger.storage.scan()[Symbol.asyncIterator]());
		for (const scan of scans) await scan.next();
		expect(tables(database)).toHaveLength(2);
		await ledger.storage.close();
		expect(tables(database)).toEqual([]);
		for (const scan of scans) await expect(scan.next()).rejects.toMatchObject({ code: "closed" });
	});

	it("isn't disturbed by a scan of another copy of this library on its connection", async () => {
		const database = client.open(client.path());
		const ledger = new Ledger(createSqliteStorage(database));
		await ledger.commit({ put: nodes(1_200) });
		vi.resetModules();
		const copy: typeof import("../../../adapters/sqlite.js") = await import("../../../adapters/sqlite.js");
		expect(copy.createSqliteStorage).not.toBe(createSqliteStorage);
		const storages = [ledger.storage, copy.createSqliteStorage(database)];
		const scans = storages.map((storage) => storage.scan()[Symbol.asyncIterator]());
		const seen = [0, 0];
		for (let open = 2; open > 0; ) {
			open = 0;
			for (const [place, scan] of scans.entries()) {
				const step = await scan.next();
				if (step.done) continue;
				seen[place]! += step.value.length;
				open += 1;
			}
		}
		expect(seen).toEqual([1_200, 1_200]);
	});
});

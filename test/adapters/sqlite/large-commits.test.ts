import { expect, it } from "vitest";
import { atOnce } from "../../../adapters/sqlite/at-once.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { Batch, DisposableStorage, NodeRecord } from "../../../src/storage.js";
import { Ledger, scanned } from "../../conformance/ledger.js";
import { document, idOf, key, node, nodes } from "../../conformance/records.js";
import { turns, turnsUntil } from "../../support/turns.js";
import { describeClients } from "./clients.js";
import { storageInParts } from "./in-parts.js";
import type { OpenDatabase } from "./open-database.js";
import { RecordingDatabase } from "./recording-database.js";

function count(database: OpenDatabase, table: string): unknown {
	return Object.values(database.prepare(`SELECT count(*) FROM ${table}`).all()[0] as object)[0];
}

/** Fails unless every expected node exists with its name. Comparing all fields of so many would take long. */
async function expectNames({ storage, records }: Ledger): Promise<void> {
	const names = (found: Iterable<NodeRecord>) => Array.from(found, ({ id, name }) => `${id} ${name}`).sort();
	const found = (await scanned(storage)).map(({ record }) => record);
	expect(names(found)).toEqual(names(records.nodes.values()));
	expect(await storage.read([])).toMatchObject({ revision: records.revision });
}

/** A commit of this many transactions, each as large as one step may be. */
const large = (transactions: number) => nodes(transactions * atOnce.rows, (number) => ({ priority: number }));

describeClients("a large commit", (client) => {
	it("lets other work run after a number of nodes, whether they are new, changed or deleted", async () => {
		const ledger = new Ledger(createSqliteStorage(client.open(client.path()), { synchronous: "normal" }));
		for (const draft of [
			{ put: large(4) },
			{ put: large(4).map((record) => ({ ...record, name: "changed" })) },
			{ remove: large(4).map((_, number) => number) },
		]) {
			// Besides these, adding the parts takes turns.
			expect(await turnsUntil(ledger.commit(draft))).toBeGreaterThan(4);
			await expectNames(ledger);
		}
	});

	it("lets other work run after a number of characters", async () => {
		const ledger = new Ledger(createSqliteStorage(client.open(client.path()), { synchronous: "normal" }));
		const put = nodes(6, () => ({ name: "\u6f22".repeat(atOnce.characters / 2) }));
		expect(await turnsUntil(ledger.commit({ put, point: [key("a", 1)] }))).toBeGreaterThan(6);
		await ledger.checkAll();
	});

	it("has no transaction open while other work runs: the host writes over any connection meanwhile", async () => {
		const path = client.path();
		const [database, other] = [client.open(path), client.open(path)];
		const ledger = new Ledger(createSqliteStorage(database, { synchronous: "normal" }));
		await ledger.storage.read([]);
		for (const each of [database, other]) each.exec("PRAGMA busy_timeout = 0");
		database.exec("CREATE TABLE host (turn)");
		let turn = 0;
		const turns = await turnsUntil(ledger.commit({ put: large(3) }), () => {
			for (const each of [database, other]) each.exec(`BEGIN IMMEDIATE; INSERT INTO host VALUES (${turn}); COMMIT`);
			database.exec(`INSERT INTO host VALUES (${turn++})`);
		});
		expect(count(database, "host")).toBe(3 * turns);
		await expectNames(ledger);
	});

	it("that fails undoes none of the host's writes over the same connection", async () => {
		const database = client.open(client.path());
		const recording = new RecordingDatabase(database);
		const ledger = new Ledger(createSqliteStorage(recording, { synchronous: "normal" }));
		await ledger.commit({ put: [node(1)] });
		database.exec("CREATE TABLE host (turn)");
		let turns = 0;
		recording.onCall = ({ sql }) => {
			if (turns > 1 && sql.startsWith("UPDATE outlinekit_outlines")) throw new Error("injected");
		};
		const refused = ledger.storage.commit(ledger.batch({ put: large(3).map((each, at) => node(at + 10, each)) }));
		refused.catch(() => {});
		await turnsUntil(
			refused.catch(() => {}),
			() => database.exec(`INSERT INTO host VALUES (${turns++})`),
		);
		await expect(refused).rejects.toMatchObject({ code: "storage_unavailable" });
		expect(count(database, "host")).toBe(turns);
		recording.onCall = () => {};
		await ledger.checkAll();
		expect(count(database, "outlinekit_staged")).toBe(0);
	});

	it("is seen whole or not at all, and later calls wait for it", async () => {
		const path = client.path();
		const database = client.open(path);
		const storage = createSqliteStorage(database, { synchronous: "normal" });
		const ledger = new Ledger(storage);
		await ledger.commit({ put: [node(1, { priority: -1 })] });
		const second = createSqliteStorage(database);
		const other = createSqliteStorage(client.open(path));
		for (const each of [second, other]) await each.read([]);
		const batch = ledger.batch({ put: large(3).slice(2) });
		const committing = storage.commit(batch);
		// A peek can't wait.
		for (const each of [storage, second]) expect(each.peek!([])).toBeUndefined();
		const children = { type: "children", of: null, scope: "own" } as const;
		const seen: [number, number][] = [];
		const look = async () => {
			const { revision, results } = await other.read([children]);
			seen.push([revision, results[0].length]);
			const peeked = other.peek!([children]);
			if (peeked !== undefined) seen.push([peeked.revision, peeked.results[0].length]);
		};
		const following = [storage, second].map((each) => each.read([children]));
		const looks: Promise<void>[] = [];
		await turnsUntil(committing, () => looks.push(look()));
		await Promise.all(looks);
		await look();
		const whole = batch.nodes.length + 1;
		for (const { revision, results } of await Promise.all(following)) {
			expect([revision, results[0].length]).toEqual([2, whole]);
		}
		expect([...new Set(seen.map(String))].sort()).toEqual([`1,1`, `2,${whole}`]);
		expect(seen.at(-1)).toEqual([2, whole]);
	});

	it("doesn't make other outlines on its connection wait", async () => {
		const database = client.open(client.path());
		const ledger = new Ledger(createSqliteStorage(database, { synchronous: "normal" }));
		const other = new Ledger(createSqliteStorage(database, { outline: "other", synchronous: "normal" }));
		await other.commit({});
		let written = 0;
		const works: Promise<unknown>[] = [];
		await turnsUntil(ledger.commit({ put: large(3) }), () => {
			const { peek } = other.storage;
			expect(peek!.call(other.storage, [])).toMatchObject({ revision: other.records.revision });
			works.push(other.commit({ put: [node(written++)] }));
		});
		await Promise.all(works);
		expect(written).toBeGreaterThan(3);
		await other.checkAll();
	});

	it("is refused if another connection commits while its parts are added, and leaves nothing behind", async () => {
		const path = client.path();
		const database = client.open(path);
		const ledger = new Ledger(createSqliteStorage(database, { synchronous: "normal" }));
		await ledger.commit({ put: [node(1)] });
		const mine: Batch = ledger.batch({ put: large(3).map((each, at) => node(at + 10, each)), keep: [document("a")] });
		const committing = ledger.storage.commit(mine);
		const other = new Ledger(createSqliteStorage(client.open(path), { synchronous: "normal" }));
		other.records.apply(ledger.batch({}));
		other.records.nodes.set(idOf(1), { ...node(1), revision: 1 });
		other.records.revision = 1;
		await other.commit({ put: [node(2)] });
		await expect(committing).rejects.toMatchObject({ code: "conflict" });
		expect(count(database, "outlinekit_staged")).toBe(0);
		ledger.storage = other.storage;
		await other.checkAll();
		// Here the storage knows the conflict at once, and adds no parts.
		await expect(createSqliteStorage(database).commit(mine)).rejects.toMatchObject({ code: "conflict" });
	});

	it("succeeds even if other writers keep making small commits", async () => {
		const path = client.path();
		const [storage, other] = [0, 1].map(() => createSqliteStorage(client.open(path), { synchronous: "normal" })) as [
			DisposableStorage,
			DisposableStorage,
		];
		const after = large(2).map((record) => ({ ...record, revision: 1 }));
		let done = false;
		const commitLarge = async () => {
			for (let attempts = 1; ; attempts++) {
				const { revision } = await storage.read([]);
				const nodes = after.map((record) => ({ before: null, after: { ...record, revision: revision + 1 } }));
				try {
					await storage.commit({ base: revision, nodes, keys: [] });
					return attempts;
				} catch (error) {
					expect(error).toMatchObject({ code: "conflict" });
					if (attempts === 10) throw error;
				}
			}
		};
		const attempts = commitLarge().finally(() => {
			done = true;
		});
		attempts.catch(() => {});
		while (!done) {
			const { revision } = await other.read([]);
			if (revision < 500) await other.commit({ base: revision, nodes: [], keys: [] });
			await turns();
		}
		expect(await attempts).toBe(4);
		expect(await scanned(other)).toHaveLength(after.length);
	});

	it("is awaited by closing", async () => {
		const ledger = new Ledger(createSqliteStorage(client.open(client.path()), { synchronous: "normal" }));
		let isCommitted = false;
		const committing = ledger.commit({ put: large(2) }).then(() => {
			isCommitted = true;
		});
		await ledger.storage.close();
		expect(isCommitted).toBe(true);
		await committing;
	});
});

describeClients("a commit in parts whose process ends", (client) => {
	/** Makes a commit over a connection whose calls all fail from one on, if the commit has that many. */
	async function broken(path: string, ledger: Ledger, calls: number): Promise<{ batch: Batch; failed: boolean }> {
		const database = client.open(path);
		const recording = new RecordingDatabase(database);
		const storage = storageInParts(recording);
		await storage.read([]);
		const first = recording.calls.length;
		let failed = false;
		recording.onCall = ({ index }) => {
			if (index < first + calls) return;
			failed = true;
			throw Object.assign(new Error("gone"), { code: "SQLITE_IOERR" });
		};
		const batch = ledger.batch({
			put: [1, 2, 3, 4, 5, 6].map((number) => node(number, { name: `${ledger.records.revision} ${number}` })),
			remove: ledger.records.nodes.has(idOf(7)) ? [7] : [],
			point: [key("a", 1 + (calls % 6))],
			keep: [document(`${ledger.records.revision}`)],
		});
		await storage.commit(batch).catch(() => {});
		// The transaction ends with its process.
		try {
			database.exec("ROLLBACK");
		} catch {
			// No transaction was open.
		}
		return { batch, failed };
	}

	it("at any call is there whole or not at all for the next reader", async () => {
		const path = client.path();
		const ledger = new Ledger(storageInParts(client.open(path)));
		await ledger.commit({ put: [node(7)] });
		let decided = 0;
		for (let calls = 0, more = true; more; calls++) {
			const { batch, failed } = await broken(path, ledger, calls);
			more = failed;
			const next = createSqliteStorage(client.open(path));
			const { revision } = await next.read([]);
			if (revision > ledger.records.revision) {
				ledger.records.apply(batch);
				decided += 1;
			}
			ledger.storage = next;
			await ledger.checkAll();
		}
		expect(decided).toBeGreaterThan(10);
		// A large commit deletes the abandoned parts of other commits.
		const database = client.open(path);
		ledger.storage = storageInParts(database);
		await ledger.commit({ put: [node(8), node(9), node(10), node(11)] });
		expect(count(database, "outlinekit_staged")).toBe(0);
		await ledger.checkAll();
	});

	it("after it was durable is also completed by the next commit or scan, but never by a read-only connection", async () => {
		for (const use of [
			(ledger: Ledger) => scanned(ledger.storage),
			(ledger: Ledger) => ledger.commit({ put: [node(20)] }),
			(ledger: Ledger) => ledger.commit({ put: [node(20), node(21), node(22), node(23)] }),
			(ledger: Ledger) => ledger.checkAll(),
		]) {
			const path = client.path();
			const ledger = new Ledger(storageInParts(client.open(path)));
			await ledger.commit({ put: [node(7)] });
			for (let calls = 0; ledger.records.revision === 1; calls++) {
				const { batch } = await broken(path, ledger, calls);
				const [row] = client.open(path).prepare("SELECT staged, revision FROM outlinekit_outlines").all() as {
					staged: string | null;
				}[];
				if (row!.staged !== null) ledger.records.apply(batch);
			}
			const readOnly = createSqliteStorage(client.open(path, { readOnly: true }));
			await expect(readOnly.read([])).rejects.toMatchObject({ code: "storage_unavailable" });
			ledger.storage = storageInParts(client.open(path));
			await use(ledger);
			await ledger.checkAll();
			await expect(readOnly.read([])).resolves.toMatchObject({ revision: ledger.records.revision });
		}
	});
});

describeClients("a commit in parts with a transaction that succeeds but reports an error", (client) => {
	it("is there whole or not at all", async () => {
		let decided = 0;
		for (let commits = 0, more = true; more; commits++) {
			more = false;
			const path = client.path();
			const database = client.open(path);
			let left = Number.POSITIVE_INFINITY;
			const ledger = new Ledger(
				storageInParts({
					prepare: (sql) => database.prepare(sql),
					exec: (sql) => {
						database.exec(sql);
						if (sql !== "COMMIT" || left-- !== 0) return;
						more = true;
						throw Object.assign(new Error("injected"), { code: "SQLITE_IOERR" });
					},
				}),
			);
			await ledger.commit({ put: [node(1)] });
			left = commits;
			const batch = ledger.batch({ put: nodes(30), keep: [document("a")] });
			await ledger.storage.commit(batch).catch(() => {});
			left = Number.POSITIVE_INFINITY;
			ledger.storage = createSqliteStorage(client.open(path));
			if ((await ledger.storage.read([])).revision > 1) {
				ledger.records.apply(batch);
				decided += 1;
			}
			await ledger.checkAll();
		}
		expect(decided).toBeGreaterThan(2);
	});
});

describeClients("a damaged commit in parts", (client) => {
	it("is reported by every call that reads it", async () => {
		const database = client.open();
		const storage = storageInParts(database);
		await new Ledger(storage).commit({ put: nodes(5) });
		database.exec("UPDATE outlinekit_outlines SET staged = x'00'");
		await expect(storage.read([])).rejects.toMatchObject({ code: "storage_corrupt" });
		database.exec("UPDATE outlinekit_outlines SET staged = 'a'");
		for (const writes of ["{", "null", "{}", "[1]", "[[]]", '[["none", "a"]]', '[["toString", "a"]]']) {
			database.exec(`REPLACE INTO outlinekit_staged VALUES (1, 'a', 0, 0, '${writes}')`);
			await expect(storage.read([]), writes).rejects.toMatchObject({ code: "storage_corrupt" });
		}
	});
});

import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fault } from "../../../adapters/sqlite/fault.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import { OutlineError } from "../../../src/errors.js";
import type { Query, StorageAdapter } from "../../../src/storage.js";
import { Ledger, scanned } from "../../conformance/ledger.js";
import { Random } from "../../conformance/random.js";
import { idOf, key, node, nodes } from "../../conformance/records.js";
import { seed, soak } from "../../setup/soak.js";
import { addingAll } from "../../support/batches.js";
import { codeOf } from "../../support/outline.js";
import { describeClients } from "./clients.js";
import { type OpenDatabase, openDatabase } from "./open-database.js";

describe("an error of a client", () => {
	const expected = {
		SQLITE_BUSY: [5, "storage_unavailable"],
		SQLITE_BUSY_SNAPSHOT: [517, "storage_unavailable"],
		SQLITE_LOCKED: [6, "storage_unavailable"],
		SQLITE_READONLY: [8, "storage_unavailable"],
		SQLITE_READONLY_DBMOVED: [1032, "storage_unavailable"],
		SQLITE_IOERR: [10, "storage_unavailable"],
		SQLITE_IOERR_FSYNC: [1034, "storage_unavailable"],
		SQLITE_IOERR_SHMSIZE: [4874, "quota_exceeded"],
		SQLITE_CORRUPT: [11, "storage_corrupt"],
		SQLITE_CORRUPT_INDEX: [779, "storage_corrupt"],
		SQLITE_FULL: [13, "quota_exceeded"],
		SQLITE_TOOBIG: [18, "too_large"],
		SQLITE_CANTOPEN: [14, "storage_unavailable"],
		SQLITE_NOTADB: [26, "storage_corrupt"],
		SQLITE_ERROR: [1, "storage_unavailable"],
		SQLITE_CONSTRAINT_UNIQUE: [2067, "storage_unavailable"],
	} as const;

	it.each(Object.entries(expected))("with %s becomes an OutlineError, by name or by number", (name, [number, code]) => {
		const named = Object.assign(new Error("told"), { code: name });
		const numbered = Object.assign(new Error("told"), { code: "ERR_SQLITE_ERROR", errcode: number });
		for (const cause of [named, numbered]) {
			expect(fault(cause)).toMatchObject({
				name: "OutlineError",
				code,
				cause,
				message: expect.stringContaining("told"),
			});
		}
	});

	it.each([
		new RangeError("The bound string, buffer, or bigint is too big"),
		new RangeError("Invalid string length"),
		Object.assign(new Error("Cannot create a string longer than 0x1fffffe8 characters"), {
			code: "ERR_STRING_TOO_LONG",
		}),
	])("because a text is too long for it (%s) is too_large", (cause) => {
		expect(fault(cause)).toMatchObject({ code: "too_large", cause, message: expect.stringContaining("write less") });
	});

	it.each(["The database connection is not open", "database is not open", "Cannot use a closed database"])(
		"because the database is closed (%s) says what to do",
		(said) => {
			const cause = new TypeError(said);
			const message = expect.stringContaining("Open it again");
			expect(fault(cause)).toMatchObject({ code: "storage_unavailable", cause, message });
		},
	);

	it("without a code becomes storage_unavailable, and an OutlineError stays as it is", () => {
		for (const cause of [new TypeError("not open"), "text", null, undefined, 7, { code: 7 }]) {
			expect(fault(cause)).toMatchObject({ name: "OutlineError", code: "storage_unavailable" });
		}
		const typed = new OutlineError("conflict", "typed");
		expect(fault(typed)).toBe(typed);
	});
});

const everyKind: readonly Query[] = [
	{ type: "node", at: { key: "key 1" } },
	{ type: "node", at: { shortId: idOf(3).slice(-12) } },
	{ type: "children", of: null, scope: "own" },
	{ type: "children", of: { id: idOf(4) }, scope: "visible", limit: 4, fromLast: true },
	{ type: "ancestors", of: { id: idOf(90) } },
	{ type: "subtree", of: { id: idOf(0) } },
	{ type: "related", ids: [0, 1, 2, 3, 90].map(idOf) },
	{ type: "taken", shortIds: [1, 50, 120].map((number) => idOf(number).slice(-12)) },
	{ type: "keys", group: "shortcut" },
	{ type: "changes", since: 1, limit: 7 },
];

/** An outline with entries of every kind. */
async function fill(storage: StorageAdapter): Promise<Ledger> {
	const ledger = new Ledger(storage);
	await ledger.commit({
		put: nodes(120, (number) => ({
			parentId: number % 4 === 0 ? null : idOf(number - (number % 4)),
			originId: number % 10 === 5 ? idOf(number - 5) : null,
			note: number % 3 === 0 ? "a note that takes its room ".repeat(10) : null,
		})),
		point: Array.from({ length: 30 }, (_, number) => key(`key ${number}`, number)),
	});
	await ledger.commit({ remove: [119], put: [node(118, { name: "changed" })] });
	return ledger;
}

/** Closes a database so that its file alone has the whole content. */
function settle(database: OpenDatabase): void {
	database.exec("PRAGMA journal_mode = DELETE");
	database.close();
}

describeClients("a database", (client) => {
	it("that the host has closed is unavailable, and the storage can still be closed", async () => {
		const database = client.open(client.path());
		const ledger = await fill(createSqliteStorage(database));
		const { storage } = ledger;
		const scan = storage.scan()[Symbol.asyncIterator]();
		await scan.next();
		storage.watch?.(() => {});
		database.close();
		expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
		expect(await codeOf(storage.commit(ledger.batch({ put: [node(1)] })))).toBe("storage_unavailable");
		expect(await codeOf(scanned(storage))).toBe("storage_unavailable");
		expect(await codeOf(createSqliteStorage(database).read([]))).toBe("storage_unavailable");
		expect(storage.peek?.([])).toBeUndefined();
		await scan.return?.();
		await storage.close();
		expect(await codeOf(storage.read([]))).toBe("closed");
	});

	it("that the host has closed and opened again can be used again", async ({ skip }) => {
		const database = client.open(client.path()) as OpenDatabase & { open?(): void };
		if (typeof database.open !== "function") skip(`${client.name} can't open a database again`);
		const ledger = await fill(createSqliteStorage(database, { synchronous: "normal" }));
		for (let round = 0; round < 2; round++) {
			database.close();
			expect(await codeOf(ledger.storage.read([]))).toBe("storage_unavailable");
			database.open?.();
			// Also without a call in between.
			database.close();
			database.open?.();
			const tried = codeOf(ledger.storage.read([]));
			expect([undefined, "storage_unavailable"]).toContain(await tried);
			await ledger.checkAll();
			await ledger.commit({ put: [node(200 + round)] });
			await ledger.checkAll();
			expect(database.prepare("PRAGMA synchronous").all()).toMatchObject([{ synchronous: 1 }]);
		}
	});

	it.each(["WAL", "DELETE"])("that is read-only can be read, and refuses writes, in mode %s", async (mode) => {
		const path = client.path();
		const writing = client.open(path);
		const ledger = await fill(createSqliteStorage(writing));
		writing.exec(`PRAGMA journal_mode = ${mode}`);
		const database = client.open(path, { readOnly: true });
		ledger.storage = createSqliteStorage(database);
		await ledger.checkAll();
		const refused = { code: "storage_unavailable", message: expect.stringContaining("can't be written") };
		await expect(ledger.storage.commit(ledger.batch({ put: [node(1)] }))).rejects.toMatchObject(refused);
		await expect(createSqliteStorage(database, { outline: "new" }).read([])).rejects.toMatchObject(refused);
		await ledger.checkAll();
	});

	it("that is read-only and has no tables is unavailable", async () => {
		const path = client.path();
		client.open(path).exec("CREATE TABLE host (value)");
		const storage = createSqliteStorage(client.open(path, { readOnly: true }));
		expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
	});

	it("that is another file is corrupt, and the file stays as it is", async () => {
		const path = client.path();
		const content = "This is the text of somebody's book. ".repeat(500);
		writeFileSync(path, content);
		expect(await codeOf(createSqliteStorage(client.open(path)).read([]))).toBe("storage_corrupt");
		expect(readFileSync(path, "utf8")).toBe(content);
	});

	it("from which the outline is removed says so, and never shows another one in its place", async () => {
		const database = client.open();
		const ledger = await fill(createSqliteStorage(database, { outline: "removed" }));
		database.exec("DELETE FROM outlinekit_outlines WHERE name = 'removed'");
		await fill(createSqliteStorage(database, { outline: "new" }));
		const refused = { code: "storage_unavailable", message: expect.stringContaining("removed from its database") };
		await expect(ledger.storage.read([])).rejects.toMatchObject(refused);
		await expect(ledger.storage.commit(ledger.batch({ put: [node(1)] }))).rejects.toMatchObject(refused);
		expect(ledger.storage.peek?.([])).toBeUndefined();
		const anew = createSqliteStorage(database, { outline: "removed" });
		await expect(anew.read([{ type: "children", of: null, scope: "own" }])).resolves.toEqual({
			revision: 0,
			results: [[]],
		});
	});

	it("in which a value has been changed to an invalid one is corrupt", async () => {
		for (const change of [
			"UPDATE outlinekit_outlines SET revision = 'none'",
			"UPDATE outlinekit_outlines SET revision = -3",
			"UPDATE outlinekit_schema SET version = 'none'",
			"UPDATE outlinekit_schema SET version = 0",
			"DELETE FROM outlinekit_schema",
		]) {
			const database = client.open();
			await fill(createSqliteStorage(database));
			database.exec(change);
			expect(await codeOf(createSqliteStorage(database).read([])), change).toBe("storage_corrupt");
		}
	});

	it("in which a row has bytes in place of a text is corrupt", async () => {
		const database = client.open();
		const { storage } = await fill(createSqliteStorage(database));
		database.exec(`UPDATE outlinekit_nodes SET note = x'ff00' WHERE id = '${idOf(1)}'`);
		expect(await codeOf(storage.read([{ type: "node", at: { id: idOf(1) } }]))).toBe("storage_corrupt");
		expect(await codeOf(scanned(storage))).toBe("storage_corrupt");
	});

	it("in which a row's revision is no safe integer gives the row in a scan", async () => {
		for (const revision of ["9007199254740993", "-9007199254740993", "'none'"]) {
			const database = client.open();
			const { storage, records } = await fill(createSqliteStorage(database));
			database.exec(`UPDATE outlinekit_nodes SET revision = ${revision} WHERE id = '${idOf(1)}'`);
			expect((await scanned(storage)).length, revision).toBe(records.nodes.size);
		}
	});

	it("in which many revisions are no safe integers gives every row in a scan, once", async () => {
		for (const revision of ["9007199254740993", "-9007199254740993", "1e300", "'none'"]) {
			const database = client.open();
			const storage = createSqliteStorage(database);
			await new Ledger(storage).commit({ put: nodes(2000) });
			for (const some of ["WHERE rowid <= 600", ""]) {
				database.exec(`UPDATE outlinekit_nodes SET revision = ${revision} ${some}`);
				const ids = (await scanned(storage)).map(({ record }) => record.id);
				expect([ids.length, new Set(ids).size], `${revision} ${some}`).toEqual([2000, 2000]);
			}
		}
	});

	it("that is locked by another connection throws after the busy timeout, and works again afterwards", async () => {
		const path = client.path();
		const ledger = await fill(createSqliteStorage(client.open(path), { busyTimeout: 150 }));
		const other = client.open(path);
		other.exec("BEGIN IMMEDIATE");
		const start = performance.now();
		const refused = ledger.storage.commit(ledger.batch({ put: [node(1)] }));
		await expect(refused).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("longer than busyTimeout"),
		});
		expect(performance.now() - start).toBeGreaterThan(100);
		expect(performance.now() - start).toBeLessThan(3_000);
		await ledger.checkAll();
		other.exec("COMMIT");
		await ledger.commit({ put: [node(1)] });
		await ledger.checkAll();
	});

	it("that another program keeps locked from the start throws after the busy timeout, also if the clock is set back", async () => {
		const path = client.path();
		const other = client.open(path);
		other.exec("CREATE TABLE other (value)");
		other.exec("BEGIN EXCLUSIVE");
		let looks = 0;
		const clock = vi.spyOn(Date, "now").mockImplementation(() => Date.UTC(2026, 10, 21) - 3_600_000 * looks++);
		onTestFinished(() => void clock.mockRestore());
		const storage = createSqliteStorage(client.open(path), { busyTimeout: 100 });
		const late = new Promise((resolve) => setTimeout(resolve, 5_000, "late"));
		expect(await Promise.race([codeOf(storage.read([])), late])).toBe("storage_unavailable");
		other.exec("COMMIT");
		expect((await storage.read([])).revision).toBe(0);
	});

	it("without room refuses commits until it has some, and loses nothing", async () => {
		const path = client.path();
		const database = client.open(path);
		const ledger = await fill(createSqliteStorage(database, { synchronous: "normal" }));
		const pages = Number((database.prepare("PRAGMA page_count").all()[0] as { page_count: number }).page_count);
		database.exec(`PRAGMA max_page_count = ${pages + 3}`);
		let refused = 0;
		for (let number = 200; number < 240; number++) {
			const batch = ledger.batch({
				put: [node(number, { name: "x".repeat(500) }), node(1)],
				point: [key("a", number)],
			});
			const code = await codeOf(ledger.commitBatch(batch));
			if (code === undefined) continue;
			expect(code).toBe("quota_exceeded");
			refused += 1;
			await ledger.checkAll();
		}
		expect(refused).toBeGreaterThan(10);
		database.exec("PRAGMA max_page_count = 100000");
		await ledger.commit({ put: [node(300)] });
		await ledger.checkAll();
		database.close();
		ledger.storage = createSqliteStorage(client.open(path));
		await ledger.checkAll();
	});

	it("that is damaged anywhere throws OutlineErrors or answers, for any query", async () => {
		const path = client.path();
		const filled = client.open(path);
		await fill(createSqliteStorage(filled));
		settle(filled);
		const content = readFileSync(path);
		const random = new Random(seed);
		const codes = new Map<string, number>();
		for (let round = 0; round < 60 * soak; round++) {
			const damaged = client.path();
			writeFileSync(damaged, content);
			if (round % 10 === 0) truncateSync(damaged, random.below(content.length));
			else writeFileSync(damaged, withFlips(content, random, client.name === "libsql" ? 128 : 256));
			const where = `seed ${seed}, round ${round}`;
			// Not kept until the end of the test: libsql closes a file only when all its objects are
			// garbage-collected.
			const database = openDatabase(client.name, damaged);
			const storage = createSqliteStorage(database, { busyTimeout: 10, synchronous: "normal" });
			const base = await storage.read([]).then(
				({ revision }) => revision,
				() => 2,
			);
			const after = node(500, { revision: base + 1 });
			const outcomes = [
				...everyKind.map((query) => codeOf(storage.read([query]))),
				codeOf(scanned(storage)),
				codeOf(storage.commit(addingAll([after], base))),
			];
			for (const code of await Promise.all(outcomes)) {
				if (code === undefined) continue;
				expect(["storage_corrupt", "storage_unavailable"], where).toContain(code);
				codes.set(code, (codes.get(code) ?? 0) + 1);
			}
			await storage.close();
			database.close();
			rmSync(damaged);
		}
		expect(codes.get("storage_corrupt")).toBeGreaterThan(20);
	});
});

/**
 * Changes some of the bytes, close together, to ones below `end`. With 128 all text stays valid UTF-8: libsql
 * ends the process at a text that isn't.
 */
function withFlips(content: Buffer, random: Random, end: number): Buffer {
	const bytes = Buffer.from(content);
	const start = random.below(bytes.length);
	const count = 1 + Math.floor(random.next() * 40);
	for (let at = start; at < Math.min(bytes.length, start + count); at++) bytes[at] = random.below(end);
	return bytes;
}

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { createIndexedDbStorage, type IndexedDbFactory } from "../../adapters/indexeddb.js";
import { batchOf } from "../../adapters/resident/delta.js";
import { RecordIndex } from "../../adapters/resident/index/record-index.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import type { Receipt } from "../../src/operations/receipt-document.js";
import { receiptDocuments } from "../../src/operations/receipt-document.js";
import { CrashFileSystem } from "../faults/crash-file-system.js";
import { systemError } from "../faults/system-error.js";
import { codeOf } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";
import { fixture, fixtureJson, proveKept, stateOf } from "../support/version-1.js";
import { openTrialStorage, trialPath } from "./file/trial.js";
import { rawConnection, rawContent } from "./indexeddb/raw.js";
import { describeClients } from "./sqlite/clients.js";
import { RecordingDatabase } from "./sqlite/recording-database.js";
import "./indexeddb/globals.js";

describe("a file of version 1", () => {
	const content = readFileSync(fixture("outline.jsonl"));

	test("keeps all its content, and gets the present format", async () => {
		const path = join(temporaryFolder(), "outline.jsonl");
		copyFileSync(fixture("outline.jsonl"), path);
		await proveKept(
			() => createFileStorage(path),
			() => readFileSync(path, "utf8"),
		);
		expect(readFileSync(path, "utf8")).toMatch(/^\{"crc32":"\w+","format":"outlinekit","version":2,/);
	});

	async function diskWithIt(): Promise<CrashFileSystem> {
		const disk = new CrashFileSystem();
		disk.put(trialPath, content);
		return disk;
	}

	/** The state after opening, and the number of calls that opening takes. */
	async function opened(disk: CrashFileSystem): Promise<string> {
		const storage = openTrialStorage(disk);
		const state = await stateOf(storage);
		await storage.close();
		return state;
	}

	test("is whole after a power cut or the end of the process at any call of opening it", async () => {
		const whole = await diskWithIt();
		const state = await opened(whole);
		expect(whole.calls.map(({ type }) => type)).toContain("rename");
		let cut = 0;
		for (const index of whole.calls.keys()) {
			for (const effect of [undefined, "half"] as const) {
				const disk = await diskWithIt();
				disk.killAt(index, effect);
				const states = new Set<string>();
				const opening = opened(disk).then((found) => states.add(found));
				await Promise.race([opening, disk.killed]);
				const killed = disk.afterKill();
				for (const { root } of killed.crashStates({ limit: 8 })) {
					states.add(await opened(new CrashFileSystem({}, root)));
					cut += 1;
				}
				states.add(await opened(killed));
				expect([...states], `call ${index}`).toEqual([state]);
			}
		}
		expect(cut).toBeGreaterThan(50);
	});

	test("is whole after any call of opening it failed, and the next opening brings it to the present format", async () => {
		const whole = await diskWithIt();
		const state = await opened(whole);
		for (const code of ["EIO", "ENOSPC"]) {
			for (const index of whole.calls.keys()) {
				const disk = await diskWithIt();
				disk.failOn((call) => (call.index === index ? systemError(code, call.type, call.path) : undefined));
				const storage = openTrialStorage(disk);
				const failure = await codeOf(storage.read([]));
				await storage.close();
				expect([undefined, "storage_unavailable", "quota_exceeded"], `call ${index}`).toContain(failure);
				disk.failOn(() => undefined);
				expect(await opened(disk), `call ${index}`).toBe(state);
				expect(Buffer.from(disk.content(trialPath)!).toString()).toContain('"version":2');
				expect(disk.openHandles.size).toBe(0);
			}
		}
	});
});

describe("a browser's database of version 1", () => {
	type Content = Record<string, [key: number, value: unknown][]>;
	const { stores } = fixtureJson<{ stores: Content }>("indexeddb.json");

	async function databaseWithIt(): Promise<IDBFactory> {
		const factory = new IDBFactory();
		const connection = await rawConnection(factory, "outline", 1, (database) => {
			for (const [name, values] of Object.entries(stores)) {
				const store = database.createObjectStore(name);
				for (const [key, value] of values) store.put(value, key);
			}
		});
		connection.close();
		return factory;
	}

	test.each([1, 500])("keeps all its content, with a snapshot after %i commits", async (compactAfter) => {
		const factory = await databaseWithIt();
		await proveKept(
			() => createIndexedDbStorage("outline", { indexedDB: factory, compactAfter }),
			() => rawContent(factory, "outline"),
		);
		expect((await factory.databases())[0]?.version).toBe(2);
	});

	test("keeps all when two tabs open it, and the first one makes a snapshot", async () => {
		const factory = await databaseWithIt();
		const [one, other] = [1, 500].map((compactAfter) => {
			return createIndexedDbStorage("outline", { indexedDB: factory, compactAfter });
		});
		const state = await stateOf(other!);
		expect(await stateOf(one!)).toBe(state);
		const { revision } = await one!.read([]);
		for (const base of [revision, revision + 1]) await one!.commit({ base, nodes: [], keys: [] });
		expect(await codeOf(other!.commit({ base: revision, nodes: [], keys: [] }))).toBe("conflict");
		expect(await stateOf(other!)).toBe(await stateOf(one!));
		await one!.close();
		await other!.close();
	});

	test("stays as it is if its upgrade is interrupted, and the next opening upgrades it", async () => {
		let interrupted = 0;
		for (let requests = 0; ; requests++) {
			const factory = await databaseWithIt();
			let aborted = 0;
			const interrupting: IndexedDbFactory = {
				open: (name, version) => {
					const request = factory.open(name, version);
					request.addEventListener("upgradeneeded", () => {
						const transaction = request.transaction!;
						const abortAfter = (count: number) => {
							if (count > 0) {
								transaction
									.objectStore("meta")
									.get(0)
									.addEventListener("success", () => abortAfter(count - 1));
								return;
							}
							aborted += 1;
							transaction.abort();
						};
						abortAfter(requests);
					});
					return request;
				},
			};
			const storage = createIndexedDbStorage("outline", { indexedDB: interrupting });
			const code = await codeOf(storage.read([]));
			await storage.close();
			if (aborted === 0) break;
			interrupted += 1;
			expect(code).toBe("storage_unavailable");
			expect((await factory.databases())[0]?.version).toBe(1);
			expect(await rawContent(factory, "outline")).toEqual(await rawContent(await databaseWithIt(), "outline"));
			if (requests > 5) break;
			const next = createIndexedDbStorage("outline", { indexedDB: factory });
			expect((await next.read([])).revision).toBe(28);
			await next.close();
		}
		expect(interrupted).toBeGreaterThan(3);
	});
});

describeClients("an SQLite database of version 1", (client) => {
	/** Everything in the tables. */
	const rowsIn = (path: string) => {
		const database = client.open(path);
		const tables = ["outlines", "nodes", "keys", "documents", "staged", "schema"];
		const rows = tables.map((table) => database.prepare(`SELECT * FROM outlinekit_${table}`).all());
		database.close();
		return rows;
	};

	const copyOf = (name: string) => {
		const path = client.path();
		copyFileSync(fixture(name), path);
		return path;
	};

	test.each(["outline.sqlite", "outline-in-parts.sqlite"])("keeps all its content: %s", async (name) => {
		const path = copyOf(name);
		const database = client.open(path);
		await proveKept(
			() => createSqliteStorage(database, { outline: "outline" }),
			() => rowsIn(path),
		);
	});

	test.each(["outline.sqlite", "outline-in-parts.sqlite"])(
		"is whole, whichever call of opening it fails: %s",
		async (name) => {
			const whole = createSqliteStorage(client.open(copyOf(name)), { outline: "outline" });
			const state = await stateOf(whole);
			for (let index = 0; ; index++) {
				const path = copyOf(name);
				const actual = client.open(path);
				const database = new RecordingDatabase(actual);
				database.onCall = (call) => {
					if (call.index >= index) throw Object.assign(new Error("gone"), { code: "SQLITE_IOERR" });
				};
				const failing = createSqliteStorage(database, { outline: "outline" });
				const code = await codeOf(stateOf(failing));
				if (code === undefined) break;
				expect(code).toBe("storage_unavailable");
				try {
					// The transaction ends with its process.
					actual.exec("ROLLBACK");
				} catch {
					// No transaction was open.
				}
				const next = createSqliteStorage(client.open(path), { outline: "outline" });
				expect(await stateOf(next), `call ${index}`).toBe(state);
				expect(index).toBeLessThan(200);
			}
		},
	);
});

test("a receipt that was dropped and added again has no trace of the first time, so it doesn't expire with it", () => {
	const receipt = (createdAt: number): Receipt => ({ key: "a", request: "r", createdAt, result: `${createdAt}` });
	const index = new RecordIndex();
	const commits = [{ receipts: [receipt(1)] }, { droppedReceipts: ["a", "b"] }, { receipts: [receipt(2)] }];
	for (const lists of [...commits, { droppedReceipts: ["a"], receipts: [receipt(3)] }]) {
		index.apply(batchOf({ revision: index.revision + 1, ...lists }, index)!);
	}
	const documents = index.answer([{ type: "documents", prefix: "" }])[0];
	expect(new Set(documents)).toEqual(new Set(receiptDocuments(receipt(3))));
});

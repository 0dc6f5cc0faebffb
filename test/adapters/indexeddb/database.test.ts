import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { databaseVersion } from "../../../adapters/indexeddb/stored.js";
import { createIndexedDbStorage, type IndexedDbStorageOptions } from "../../../adapters/indexeddb.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { type Fault, FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding } from "../../support/batches.js";
import { codeOf } from "../../support/outline.js";
import { turns } from "../../support/turns.js";
import { databaseNames, rawChange, rawConnection, rawContent, rawDelete } from "./raw.js";
import { trialDatabase } from "./trial.js";

let factory: IDBFactory;
const opened: StorageAdapter[] = [];
beforeEach(() => {
	factory = new IDBFactory();
});
afterEach(async () => {
	vi.useRealTimers();
	for (const storage of opened.splice(0)) await storage.close();
});

function create(database: FaultyIndexedDb, options: IndexedDbStorageOptions = {}) {
	const storage = createIndexedDbStorage("outline", { ...database.options, ...options });
	opened.push(storage);
	return storage;
}

/** A storage that has made two commits. */
async function written() {
	const database = new FaultyIndexedDb(factory);
	const storage = create(database);
	const { revision } = await storage.read([]);
	for (const base of [revision, revision + 1]) await storage.commit(adding(base + 1, base));
	return { database, storage };
}

/** Waits until the condition is true. */
async function until(condition: () => boolean | undefined): Promise<void> {
	while (!condition()) await turns();
}

describe("opening", () => {
	test("happens on first use, once, in a database whose name contains the outline's", async () => {
		const database = new FaultyIndexedDb(factory);
		const storage = create(database);
		expect(database.calls).toEqual([]);
		await Promise.all(Array.from({ length: 20 }, () => storage.read([])));
		expect(database.calls.filter(({ type }) => type === "open").length).toBe(1);
		expect(await databaseNames(factory)).toEqual(["outlinekit:outline"]);
	});

	test("is retried once if the browser fails; then it throws storage_unavailable, and later it may work", async () => {
		const database = new FaultyIndexedDb(factory);
		const storage = create(database);
		const faults: Fault[] = ["UnknownError", "InvalidStateError", "UnknownError"].map((error) => ({
			kind: "fail",
			error,
		}));
		database.faultAt = ({ type }) => (type === "open" ? faults.shift() : undefined);
		expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
		expect(database.calls.length).toBe(2);
		expect(await codeOf(storage.read([]))).toBeUndefined();
		expect(faults).toEqual([]);
	});

	test("throws storage_unavailable if the browser doesn't allow it, and quota_exceeded if there is no room", async () => {
		const database = new FaultyIndexedDb(factory);
		const storage = create(database);
		for (const kind of ["throw", "fail"] as const) {
			database.faultAt = ({ type }) => (type === "open" ? { kind, error: "SecurityError" } : undefined);
			await expect(storage.read([])).rejects.toMatchObject({
				code: "storage_unavailable",
				message: expect.stringContaining("allow"),
			});
		}
		database.faultAt = ({ type }) => (type === "open" ? { kind: "fail", error: "QuotaExceededError" } : undefined);
		expect(await codeOf(storage.read([]))).toBe("quota_exceeded");
	});

	test("throws storage_unavailable if it hangs longer than the limit, and closes a connection that comes later", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const held = await rawConnection(factory, "outline", 1, (connection) => connection.createObjectStore("else"));
		const deleting = rawDelete(factory, "outline");
		const database = new FaultyIndexedDb(factory);
		const storage = create(database);
		const codes = Promise.all([storage.read([]), storage.commit(adding(1, 0))].map(codeOf));
		await vi.advanceTimersByTimeAsync(9_999);
		let settled = false;
		void codes.then(() => {
			settled = true;
		});
		await turns();
		expect(settled).toBe(false);
		await vi.advanceTimersByTimeAsync(1);
		expect(await codes).toEqual(["storage_unavailable", "storage_unavailable"]);
		held.close();
		await deleting;
		await turns();
		await rawDelete(factory, "outline");
		expect(database.connections.size).toBe(0);
		expect(await databaseNames(factory)).toEqual([]);
		vi.useRealTimers();
		expect(await codeOf(storage.read([]))).toBeUndefined();
	});

	test("waits as long as the limit allows", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		const database = new FaultyIndexedDb(factory);
		database.faultAt = () => ({ kind: "hang", error: "" });
		const reading = codeOf(create(database, { openTimeout: 1_500 }).read([]));
		await vi.advanceTimersByTimeAsync(1_500);
		expect(await reading).toBe("storage_unavailable");
	});

	test.each([1, databaseVersion])(
		"leaves the database of another program as it is, in version %i, with storage_corrupt",
		async (version) => {
			for (const name of ["todos", "meta"]) {
				const outline = `${name} ${version}`;
				const foreign = await rawConnection(factory, outline, version, (connection) => {
					connection.createObjectStore(name).put("theirs", 0);
				});
				foreign.close();
				const database = new FaultyIndexedDb(factory);
				const storage = createIndexedDbStorage(outline, database.options);
				expect(await codeOf(storage.read([]))).toBe("storage_corrupt");
				expect(database.connections.size).toBe(0);
				expect(await rawContent(factory, outline)).toEqual({ [name]: [[0, "theirs"]] });
				expect((await factory.databases()).find(({ name }) => name?.endsWith(outline))?.version).toBe(version);
			}
		},
	);

	test("leaves the database of a newer release as it is, with storage_unavailable", async () => {
		const newer = await rawConnection(factory, "outline", 7, (connection) => connection.createObjectStore("trees"));
		newer.close();
		await expect(create(new FaultyIndexedDb(factory)).read([])).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("newer"),
		});
		expect((await rawConnection(factory, "outline", 7)).version).toBe(7);
	});

	// `null` in web views whose app allows no databases.
	test.each([
		["indexedDB", undefined],
		["indexedDB", null],
		["IDBKeyRange", undefined],
	])("throws storage_unavailable if there is no IndexedDB: %s is %s", async (name, value) => {
		vi.stubGlobal(name, value);
		onTestFinished(() => void vi.unstubAllGlobals());
		const storage = createIndexedDbStorage("outline");
		expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
		expect(await codeOf(storage.commit(adding(1, 0)))).toBe("storage_unavailable");
		await storage.close();
	});
});

describe("a connection that the browser closes", () => {
	test.each(["before", "during"])("%s a commit is opened again, and the commit happens once", async (when) => {
		const { database, storage } = await written();
		if (when === "before") database.closeConnections();
		const committing = storage.commit(adding(3, 2));
		if (when === "during") database.closeConnections();
		expect(await committing).toBe(3);
		expect((await rawContent(factory, "outline")).journal!.length).toBe(3);
	});

	test("without any events for its transactions doesn't keep callers waiting", async () => {
		const { database, storage } = await written();
		database.faultAt = ({ type }) => (type === "add" ? { kind: "mute", error: "" } : undefined);
		expect(await storage.commit(adding(3, 2))).toBe(3);
	});

	test("isn't opened again before the browser has had time to close all of them", async () => {
		const { database, storage } = await written();
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		database.closeConnections();
		await until(() => vi.getTimerCount() === 1);
		database.calls.length = 0;
		const committing = storage.commit(adding(3, 2));
		await vi.advanceTimersByTimeAsync(249);
		expect(database.calls).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		vi.useRealTimers();
		expect(await committing).toBe(3);
		expect(database.calls.map(({ type }) => type)).toContain("open");
	});

	test("is checked at once for commits of other tabs made meanwhile", async () => {
		const { database, storage } = await written();
		vi.stubGlobal("BroadcastChannel", undefined);
		const other = create(new FaultyIndexedDb(factory));
		await other.commit(adding(3, 2)).catch(() => other.commit(adding(3, 2)));
		vi.unstubAllGlobals();
		database.closeConnections();
		await until(() => storage.peek!([])?.revision === 3);
	});
});

describe("another tab", () => {
	test("that upgrades isn't blocked; after that the storage is unavailable, because a newer release has written", async () => {
		const { storage } = await written();
		const newer = await rawConnection(factory, "outline", databaseVersion + 1);
		expect(newer.version).toBe(databaseVersion + 1);
		await expect(storage.commit(adding(3, 2))).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining("newer"),
		});
		newer.close();
	});

	test("that deletes isn't blocked; then nothing is invented, and a new storage is empty", async () => {
		const { storage } = await written();
		const outline = new Outline({ storage });
		await rawDelete(factory, "outline");
		await until(() => storage.peek!([]) === undefined);
		for (const using of [
			storage.read([]),
			storage.commit(adding(3, 2)),
			outline.create({ name: "a" }),
			outline.list(),
		]) {
			await expect(using).rejects.toMatchObject({
				code: "storage_unavailable",
				message: expect.stringContaining("deleted"),
			});
		}
		expect(await databaseNames(factory)).toEqual([]);
		const anew = create(new FaultyIndexedDb(factory));
		expect(await anew.commit(adding(9, 0))).toBe(1);
		expect(await codeOf(storage.commit(adding(3, 2)))).toBe("storage_unavailable");
		expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
	});

	test("that deletes and creates the database again doesn't get the commits of the former one", async () => {
		const { storage, database } = await written();
		// No connection is open, so none gets the event.
		database.faultAt = ({ type }) => (type === "open" ? { kind: "fail", error: "SecurityError" } : undefined);
		database.closeConnections();
		await rawDelete(factory, "outline");
		const anew = create(new FaultyIndexedDb(factory));
		await anew.commit(adding(7, 0));
		await anew.commit(adding(8, 1));
		database.faultAt = () => undefined;
		expect(await codeOf(storage.commit(adding(3, 2)))).toBe("storage_unavailable");
		expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
		expect((await rawContent(factory, "outline")).journal!.length).toBe(2);
	});

	test("that reverts commits the storage has seen makes it unavailable, and nothing is written over the gap", async () => {
		for (const use of ["look", "commit"]) {
			const { storage, database } = await written();
			await rawChange(factory, "outline", "journal", (store) => store.delete(2));
			if (use === "look") {
				database.closeConnections();
				await until(() => storage.peek!([]) === undefined);
			} else expect(await codeOf(storage.commit(adding(3, 2)))).toBe("storage_unavailable");
			expect(await codeOf(storage.read([]))).toBe("storage_unavailable");
			expect((await rawContent(factory, "outline")).journal!.map(([key]) => key)).toEqual([1]);
			await storage.close();
			await rawDelete(factory, "outline");
		}
	});
});

describe("closing", () => {
	test("closes the connection and opens none again", async () => {
		const { storage, database } = await written();
		await storage.close();
		await storage.close();
		expect(database.connections.size).toBe(0);
		database.calls.length = 0;
		expect(await codeOf(storage.read([]))).toBe("closed");
		expect(await codeOf(storage.commit(adding(3, 2)))).toBe("closed");
		expect(database.calls).toEqual([]);
		await rawDelete(factory, "outline");
	});

	test("while it is being opened leaves nothing open", async () => {
		const database = new FaultyIndexedDb(factory);
		const storage = create(database);
		const reading = codeOf(storage.read([]));
		await storage.close();
		expect(await reading).toBe("closed");
		expect(database.connections.size).toBe(0);
		await rawDelete(factory, "outline");
	});

	test("while a lost connection is opened again leaves nothing open, and no work is tried on it", async () => {
		const { database, storage } = await written();
		let reopening = false;
		let letOpen = () => {};
		database.beforeOpening = () => {
			reopening = true;
			return new Promise((resolve) => {
				letOpen = resolve;
			});
		};
		const committing = codeOf(storage.commit(adding(3, 2)));
		database.closeConnections();
		await until(() => reopening);
		const closing = storage.close();
		letOpen();
		await closing;
		expect(await committing).toBeUndefined();
		expect(database.connections.size).toBe(0);
	});

	test("of a database ends its use, even while it is being opened", async () => {
		const faulty = new FaultyIndexedDb(factory);
		const database = trialDatabase(faulty);
		const using = codeOf(database.run("reading", async () => undefined));
		await database.close();
		await using;
		expect(faulty.connections.size).toBe(0);
		expect(await codeOf(database.run("reading", async () => undefined))).toBe("closed");
		expect(faulty.calls.filter(({ type }) => type === "open").length).toBe(1);
	});

	test("closes the channel, so it gets no more notices", async () => {
		const { storage, database } = await written();
		const listening = await written();
		await storage.close();
		database.calls.length = 0;
		const other = create(new FaultyIndexedDb(factory));
		await other.read([]);
		await other.commit(adding(5, 4));
		await until(() => listening.storage.peek!([])?.revision === 5);
		expect(database.calls).toEqual([]);
	});
});

import { afterEach, beforeEach, vi } from "vitest";
import { createIndexedDbStorage, type IndexedDbStorageOptions } from "../../../adapters/indexeddb.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding } from "../../support/batches.js";
import { turns } from "../../support/turns.js";

/** The databases of a test. Each test has its own. */
export let factory: IDBFactory;
const opened: StorageAdapter[] = [];

/**
 * Gives each test of a file its own databases. Each file must call it, because a module is evaluated once for
 * several files.
 */
export function useTabs(): void {
	beforeEach(() => {
		factory = new IDBFactory();
	});
	afterEach(async () => {
		vi.unstubAllGlobals();
		for (const storage of opened.splice(0)) await storage.close();
	});
}

/** Opens a storage like in a tab of its own. Returns it with the calls that it makes from then on. */
export async function tab(options: IndexedDbStorageOptions = {}) {
	const database = new FaultyIndexedDb(factory);
	const storage = createIndexedDbStorage("outline", { ...database.options, ...options });
	opened.push(storage);
	await storage.read([]);
	await settled();
	database.calls.length = 0;
	return { storage, database, calls: database.calls };
}

/** A tab that no notice reaches, as if it slept. */
export async function sleepingTab(options: IndexedDbStorageOptions = {}) {
	vi.stubGlobal("BroadcastChannel", undefined);
	const sleeping = await tab(options);
	vi.unstubAllGlobals();
	return sleeping;
}

/** Makes commits that add a node each, from one revision to another. */
export async function commit(storage: StorageAdapter, first: number, last: number): Promise<void> {
	for (let number = first; number <= last; number++) await storage.commit(adding(number, number - 1));
}

/** Waits until all present work in memory has ended. */
export function settled(): Promise<void> {
	return turns(20);
}

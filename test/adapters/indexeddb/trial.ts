import { Database } from "../../../adapters/indexeddb/database.js";
import { IndexedDbJournal } from "../../../adapters/indexeddb/journal.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import type { StorageAdapter } from "../../../src/storage.js";
import type { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";

/** The database of an outline, in memory and with short waits. */
export function trialDatabase({ options }: FaultyIndexedDb, openTimeout = 10_000): Database {
	return new Database({ outline: "outline", openTimeout, restAfterClosing: 1, factory: () => options.indexedDB });
}

/** Opens the storage of trials on a database in memory. It writes snapshots often, and has short waits. */
export function openTrialStorage(faulty: FaultyIndexedDb, openTimeout?: number): StorageAdapter {
	const database = trialDatabase(faulty, openTimeout);
	return new ResidentStorage(new IndexedDbJournal({ database, durability: "strict", compactAfter: 1 }));
}

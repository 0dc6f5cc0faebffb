import { Database } from "../../../adapters/indexeddb/database.js";
import { IndexedDbJournal } from "../../../adapters/indexeddb/journal.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import type { StorageAdapter } from "../../../src/storage.js";
import type { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";

/** Opens the storage of trials on a database in memory. It writes snapshots often, and has short waits. */
export function openTrialStorage({ options }: FaultyIndexedDb, openTimeout = 10_000): StorageAdapter {
	const factory = () => options.indexedDB;
	const database = new Database({ outline: "trial", openTimeout, restAfterClosing: 1, factory });
	return new ResidentStorage(new IndexedDbJournal({ database, durability: "strict", compactAfter: 1 }));
}

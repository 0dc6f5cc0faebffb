/**
 * A storage in a browser's IndexedDB.
 *
 * @module outlinekit/indexeddb
 */
import { invalidArgument, OutlineError, quoted } from "../src/errors.js";
import { assertMilliseconds, fieldNames, fieldsOf } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import { Database } from "./indexeddb/database.js";
import { IndexedDbJournal } from "./indexeddb/journal.js";
import type { IndexedDbFactory } from "./indexeddb/open.js";
import { type StorageSpace, storageSpace } from "./indexeddb/space.js";
import { ResidentStorage } from "./resident/resident-storage.js";

export type { IndexedDbFactory } from "./indexeddb/open.js";
export type { StorageEstimate, StorageSpace } from "./indexeddb/space.js";

/** Options of {@link createIndexedDbStorage}. */
export interface IndexedDbStorageOptions {
	/**
	 * The moment when a commit is acknowledged. With `strict`, the browser has written it to the disk, so it
	 * survives a power cut. With `relaxed`, the operating system has it, so it survives a crash of the browser.
	 * Default `strict`.
	 */
	durability?: "strict" | "relaxed" | undefined;
	/**
	 * The most milliseconds that opening the database may take before it throws `storage_unavailable`. Default
	 * 10,000.
	 */
	openTimeout?: number | undefined;
	/**
	 * The minimum number of commits after which a new snapshot replaces the last one. It is written when at
	 * least this many commits follow the last one, and at least as many as take as long to read as the
	 * snapshot. Default 500.
	 */
	compactAfter?: number | undefined;
	/** An `IDBFactory` in place of the global one. Its objects must be instances of the global classes. */
	indexedDB?: IndexedDbFactory | undefined;
}

const optionNames = fieldNames<IndexedDbStorageOptions>({
	durability: true,
	openTimeout: true,
	compactAfter: true,
	indexedDB: true,
});

/** A storage in IndexedDB, with information about the browser's storage space. */
export interface IndexedDbStorage extends DisposableStorage, StorageSpace {}

/**
 * Creates a storage in the browser's IndexedDB, in the database `outlinekit:<name>`; in pages and workers.
 * Any number of tabs may use the same outline at once, each with a storage of its own. Each storage keeps the
 * outline in memory and is notified of commits by the other tabs. A commit that isn't based on the newest
 * revision is refused. Several `Outline`s may share one storage.
 *
 * If the connection is lost, the storage opens it again and retries the work once, without doing it twice. It
 * doesn't block an upgrade or deletion of the database. If the database is deleted while the storage has it
 * open, all later calls reject with `storage_unavailable`, so that no change seems stored although it isn't.
 * A new storage begins empty.
 *
 * @throws `invalid_argument` if a name or option isn't allowed. All other errors are thrown on first use:
 * `storage_unavailable` if there is no IndexedDB, if it isn't allowed, or if a newer release wrote the
 * outline; `storage_corrupt` if the content is damaged or isn't an outline (it is left as it is);
 * `quota_exceeded`
 */
export function createIndexedDbStorage(name: string, options: IndexedDbStorageOptions = {}): IndexedDbStorage {
	fieldsOf("createIndexedDbStorage", options, optionNames);
	const { durability = "strict", openTimeout = 10_000, compactAfter = 500 } = options;
	if (typeof name !== "string" || name === "") {
		throw new OutlineError("invalid_argument", `The name is ${quoted(name)}. Give the name of an outline.`);
	}
	if (durability !== "strict" && durability !== "relaxed") {
		throw invalidArgument("durability", durability, '"strict" or "relaxed"');
	}
	assertMilliseconds("openTimeout", openTimeout, 1);
	if (!Number.isSafeInteger(compactAfter) || compactAfter < 1) {
		throw invalidArgument("compactAfter", compactAfter, "a positive number of commits");
	}
	const factory = () => factoryOf(options);
	const database = new Database({ outline: name, openTimeout, restAfterClosing, factory });
	const journal = new IndexedDbJournal({ database, durability, compactAfter });
	return Object.assign(new ResidentStorage(journal), storageSpace);
}

/**
 * The milliseconds to wait after a lost connection. Chromium reports a connection as closed before it has
 * closed all of them. If it is asked to open one meanwhile, it aborts that, and answers the next requests up
 * to half a minute later.
 */
const restAfterClosing = 250;

/** Returns the factory of databases. @throws if there is none */
function factoryOf({ indexedDB }: IndexedDbStorageOptions): IndexedDbFactory {
	const { indexedDB: global, IDBKeyRange } = globalThis as {
		// `null` in web views whose app allows no databases.
		indexedDB?: IndexedDbFactory | null | undefined;
		IDBKeyRange?: unknown;
	};
	const factory = indexedDB ?? global;
	if (factory != null && IDBKeyRange !== undefined) return factory;
	throw new OutlineError(
		"storage_unavailable",
		"There is no IndexedDB here. Use this storage in a browser; in tests elsewhere, put one in the global scope with fake-indexeddb/auto.",
	);
}

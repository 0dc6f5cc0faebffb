/**
 * A storage in a browser's IndexedDB.
 *
 * @module outlinekit/indexeddb
 */
import { OutlineError, quoted } from "../src/errors.js";
import { fieldNames, fieldsOf } from "../src/fields.js";
import type { DisposableStorage } from "../src/storage.js";
import { Database } from "./indexeddb/database.js";
import type { IndexedDbFactory } from "./indexeddb/indexed-db.js";
import { IndexedDbJournal } from "./indexeddb/journal.js";
import { type StorageSpace, storageSpace } from "./indexeddb/space.js";
import { ResidentStorage } from "./resident/resident-storage.js";

export type { IndexedDbFactory } from "./indexeddb/indexed-db.js";
export type { StorageEstimate, StorageSpace } from "./indexeddb/space.js";

/** How an IndexedDB storage behaves. */
export interface IndexedDbStorageOptions {
	/**
	 * When a commit is acknowledged: with `strict` when the browser has had it written to the disk, so that it outlives a power
	 * cut; with `relaxed` when the system has it, which outlives the browser. Default `strict`.
	 */
	durability?: "strict" | "relaxed" | undefined;
	/** How many milliseconds opening the database may take before it ends in `storage_unavailable`. Default 10,000. */
	openTimeout?: number | undefined;
	/**
	 * How many commits may stand behind a snapshot before a new one is written: at least so many, and at least as many as take
	 * as long to read as the snapshot. Default 500.
	 */
	compactAfter?: number | undefined;
	/** An `IDBFactory` in place of the global one. What it gives are instances of the global classes. */
	indexedDB?: IndexedDbFactory | undefined;
}

const optionNames = fieldNames<IndexedDbStorageOptions>({
	durability: true,
	openTimeout: true,
	compactAfter: true,
	indexedDB: true,
});

/** A storage in IndexedDB, and the room that the browser gives it. */
export interface IndexedDbStorage extends DisposableStorage, StorageSpace {}

/**
 * A storage in the browser's IndexedDB, in the database `outlinekit:<name>`; in pages and workers. Any number of tabs may
 * use the same outline at once, each with a storage of its own: each keeps the outline in memory, hears of what the others
 * commit, and is refused a commit that doesn't stand on theirs. Several `Outline`s may share one storage.
 *
 * When the connection is lost, it is opened anew and what was under way is tried once more, without being done twice. An
 * upgrade or deletion by somebody else isn't held up. If the database is deleted while the storage has it open, everything
 * rejects with `storage_unavailable` from then on, so that nothing passes for stored which isn't: a storage that is created
 * anew begins empty.
 *
 * @throws `invalid_argument` for a name or option that isn't allowed; everything else is told on first use:
 * `storage_unavailable` where there is no IndexedDB or it isn't allowed or was written by a newer release,
 * `storage_corrupt` for what is damaged or isn't an outline, which is left as it is, and `quota_exceeded`
 */
export function createIndexedDbStorage(name: string, options: IndexedDbStorageOptions = {}): IndexedDbStorage {
	fieldsOf("createIndexedDbStorage", options, optionNames);
	const { durability = "strict", openTimeout = 10_000, compactAfter = 500 } = options;
	if (typeof name !== "string" || name === "") {
		throw new OutlineError("invalid_argument", `The name is ${quoted(name)}. Give the name of an outline.`);
	}
	if (durability !== "strict" && durability !== "relaxed") {
		throw new OutlineError(
			"invalid_argument",
			`durability is ${quoted(durability)}. It must be "strict" or "relaxed".`,
		);
	}
	if (!Number.isSafeInteger(openTimeout) || openTimeout < 1 || openTimeout > longestTimeout) {
		throw new OutlineError(
			"invalid_argument",
			`openTimeout is ${quoted(openTimeout)}. It must be a whole number of milliseconds from 1 to ${longestTimeout}.`,
		);
	}
	if (!Number.isSafeInteger(compactAfter) || compactAfter < 1) {
		throw new OutlineError(
			"invalid_argument",
			`compactAfter is ${quoted(compactAfter)}. It must be a positive number of commits.`,
		);
	}
	const factory = () => factoryOf(options);
	const database = new Database({ outline: name, openTimeout, restAfterClosing, factory });
	const journal = new IndexedDbJournal({ database, durability, compactAfter });
	return Object.assign(new ResidentStorage(journal), storageSpace);
}

/**
 * Chromium says of each connection that it has closed it, before it has closed all of them. It aborts an opening that it is
 * asked for meanwhile, and answers the next ones up to half a minute later.
 */
const restAfterClosing = 250;

/** What a timer can wait for. */
const longestTimeout = 2 ** 31 - 1;

/** What opens databases here. @throws where nothing does */
function factoryOf({ indexedDB }: IndexedDbStorageOptions): IndexedDbFactory {
	const { indexedDB: global, IDBKeyRange } = globalThis as {
		indexedDB?: IndexedDbFactory | undefined;
		IDBKeyRange?: unknown;
	};
	const factory = indexedDB ?? global;
	if (factory !== undefined && IDBKeyRange !== undefined) return factory;
	throw new OutlineError(
		"storage_unavailable",
		"There is no IndexedDB here. Use this storage in a browser; in tests elsewhere, put one in the global scope with fake-indexeddb/auto.",
	);
}

import { wrap } from "idb";
import { OutlineError, quoted } from "../../src/errors.js";
import { databaseVersion, formatVersion, metaContent, metaKey, newMeta, notAnOutline, stores } from "./stored.js";
import type { Connection } from "./transaction.js";

/**
 * The part of an `IDBFactory` that is used, so that programs that import its type need no types of a browser.
 */
export interface IndexedDbFactory {
	/** Opens a database, as `IDBFactory.open` does. */
	open(name: string, version: number): object;
}

/** The database to open, and how. */
export interface OpenOptions {
	readonly factory: IndexedDbFactory;
	/** The name of the database. */
	readonly name: string;
	/** The name of the outline, for messages. */
	readonly outline: string;
	/** The most milliseconds that opening may take. */
	readonly timeout: number;
	/**
	 * Called if the database doesn't exist yet. If it throws, opening rejects with that error and creates
	 * nothing.
	 */
	readonly beforeCreating: () => void;
}

/**
 * Opens a database, and creates it if there is none. Not by `openDB` of idb, which has neither a time limit
 * nor a way to refuse the creation.
 *
 * @throws `storage_unavailable` if the browser doesn't answer in time; `storage_corrupt` if the database has
 * an earlier version and is no outline; otherwise the browser's error
 */
export function openConnection({ factory, name, outline, timeout, beforeCreating }: OpenOptions): Promise<Connection> {
	return new Promise((resolve, reject) => {
		const request = factory.open(name, databaseVersion) as IDBOpenDBRequest;
		let late: OutlineError | null = null;
		let refusal: unknown = null;
		const timer = setTimeout(() => {
			late = tookTooLong(outline, timeout);
			reject(late);
		}, timeout);
		request.addEventListener("upgradeneeded", (event) => {
			const transaction = request.transaction!;
			const orAbort = (work: () => void) => {
				try {
					work();
				} catch (error) {
					refusal = error;
					transaction.abort();
				}
			};
			transaction.addEventListener("abort", () => {
				refusal ??= transaction.error;
			});
			orAbort(() => {
				if (late !== null) throw late;
				if (event.oldVersion > 0) return bringForward(transaction, outline, orAbort);
				beforeCreating();
				createStores(request.result);
			});
		});
		request.addEventListener("success", () => {
			clearTimeout(timer);
			if (late === null) resolve(wrap(request.result) as unknown as Connection);
			// The caller has given up, and an open connection would block deletions and upgrades.
			else request.result.close();
		});
		request.addEventListener("error", (event) => {
			event.preventDefault();
			clearTimeout(timer);
			reject(refusal ?? request.error);
		});
	});
}

function createStores(connection: IDBDatabase): void {
	connection.createObjectStore(stores.journal);
	connection.createObjectStore(stores.blocks);
	connection.createObjectStore(stores.meta).put(newMeta(), metaKey);
}

/** Gives the meta record of an earlier version the present one. @throws `storage_corrupt` if there is none */
function bringForward(transaction: IDBTransaction, outline: string, orAbort: (work: () => void) => void): void {
	if (!transaction.objectStoreNames.contains(stores.meta)) throw notAnOutline(outline);
	const store = transaction.objectStore(stores.meta);
	const reading = store.get(metaKey);
	reading.addEventListener("success", () =>
		orAbort(() => store.put({ ...metaContent(reading.result, outline), version: formatVersion }, metaKey)),
	);
}

function tookTooLong(outline: string, timeout: number): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`Opening the outline ${quoted(outline)} took longer than ${timeout / 1000} s. Another tab may keep the database open that the browser upgrades or deletes: close the other tabs, then try again. If that doesn't help, restart the browser.`,
	);
}

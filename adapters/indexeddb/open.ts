import { wrap } from "idb";
import { OutlineError, quoted } from "../../src/errors.js";
import type { Connection, IndexedDbFactory } from "./indexed-db.js";
import { databaseVersion, metaKey, newMeta, stores } from "./stored.js";

/** What is to be opened, and how. */
export interface OpenOptions {
	readonly factory: IndexedDbFactory;
	/** The name of the database. */
	readonly name: string;
	/** The name of the outline, for messages. */
	readonly outline: string;
	/** How many milliseconds it may take. */
	readonly timeout: number;
	/** Asked when there is no such database yet. What it throws is what opening rejects with, and nothing is created. */
	readonly beforeCreating: () => void;
}

/**
 * Opens a database, and creates it if there is none. The `openDB` of idb knows neither a limit of time nor a reason why
 * nothing is created.
 *
 * @throws `storage_unavailable` if the browser doesn't answer in time; what the browser says, if it does
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
		request.addEventListener("upgradeneeded", () => {
			const transaction = request.transaction!;
			transaction.addEventListener("abort", () => {
				refusal ??= transaction.error;
			});
			try {
				if (late !== null) throw late;
				beforeCreating();
				createStores(request.result);
			} catch (error) {
				refusal = error;
				transaction.abort();
			}
		});
		request.addEventListener("success", () => {
			clearTimeout(timer);
			if (late === null) resolve(wrap(request.result) as unknown as Connection);
			// Nobody waits for it any more, and it would block those who delete or upgrade.
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

function tookTooLong(outline: string, timeout: number): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		`Opening the outline ${quoted(outline)} took longer than ${timeout / 1000} s. Another tab may hold on to what is being upgraded or deleted: close the other tabs, then try again. If that doesn't help, start the browser anew.`,
	);
}

let database: IDBDatabase | undefined;
let ended: Promise<string[]> | undefined;

/** Opens a database with one object store. */
export async function open(name: string): Promise<void> {
	const request = indexedDB.open(name, 1);
	request.onupgradeneeded = () => request.result.createObjectStore("values");
	database = await answer(request);
	ended = endOf(database);
}

/** Resolves when the value is on the disk. Rejects with the name of the error. */
export async function put(key: string, value: string): Promise<void> {
	const transaction = database!.transaction("values", "readwrite", { durability: "strict" });
	transaction.objectStore("values").put(value, key);
	await new Promise<void>((resolve, reject) => {
		transaction.oncomplete = () => resolve();
		transaction.onabort = () => reject(new Error(transaction.error?.name));
	});
}

/** Resolves with the value, or undefined. */
export function get(key: string): Promise<unknown> {
	return answer(database!.transaction("values").objectStore("values").get(key));
}

/** Resolves when the connection was closed from outside, with the events that said so. */
export async function closed(): Promise<string[]> {
	return ended!;
}

/** Holds a lock of the origin until the tab is gone. */
export function holdLock(name: string): Promise<void> {
	return new Promise((resolve) => {
		void navigator.locks.request(name, () => {
			resolve();
			return new Promise(() => undefined);
		});
	});
}

/** Resolves as soon as no other tab holds the lock. */
export async function waitForLock(name: string): Promise<void> {
	await navigator.locks.request(name, () => undefined);
}

/** Never resolves. */
export function hang(): Promise<void> {
	return new Promise(() => undefined);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(new Error(request.error?.name));
	});
}

function endOf(database: IDBDatabase): Promise<string[]> {
	const events: string[] = [];
	return new Promise((resolve) => {
		for (const type of ["versionchange", "close"]) {
			database.addEventListener(type, () => {
				events.push(type);
				if (type === "close") resolve(events);
			});
		}
	});
}

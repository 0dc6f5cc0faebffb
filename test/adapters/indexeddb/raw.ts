import { databaseName } from "../../../adapters/indexeddb/database.js";

/**
 * Returns a connection to the database of an outline, like one of another program: by default in the version
 * that it has. It ignores requests to close it for upgrades and deletions.
 */
export async function rawConnection(
	factory: IDBFactory,
	outline: string,
	version?: number,
	upgrade: (database: IDBDatabase) => void = () => undefined,
): Promise<IDBDatabase> {
	const request = factory.open(databaseName(outline), version);
	request.addEventListener("upgradeneeded", () => upgrade(request.result));
	return answer(request);
}

/** Deletes the database of an outline. */
export async function rawDelete(factory: IDBFactory, outline: string): Promise<void> {
	await answer(factory.deleteDatabase(databaseName(outline)));
}

/** Changes an object store of an outline. */
export async function rawChange(
	factory: IDBFactory,
	outline: string,
	store: string,
	change: (store: IDBObjectStore) => unknown,
): Promise<void> {
	const connection = await rawConnection(factory, outline);
	const transaction = connection.transaction(store, "readwrite");
	change(transaction.objectStore(store));
	await new Promise((resolve, reject) => {
		transaction.addEventListener("complete", resolve);
		transaction.addEventListener("abort", () => reject(transaction.error));
	});
	connection.close();
}

/** The stored content of an outline: for each object store, its keys with their values. */
export async function rawContent(factory: IDBFactory, outline: string): Promise<Record<string, [unknown, unknown][]>> {
	const connection = await rawConnection(factory, outline);
	const content: Record<string, [unknown, unknown][]> = {};
	for (const name of connection.objectStoreNames) {
		const store = connection.transaction(name).objectStore(name);
		const [keys, values] = await Promise.all([answer(store.getAllKeys()), answer(store.getAll())]);
		content[name] = keys.map((key, place) => [key, values[place]]);
	}
	connection.close();
	return content;
}

/** The names of the existing databases. */
export async function databaseNames(factory: IDBFactory): Promise<(string | undefined)[]> {
	return (await factory.databases()).map(({ name }) => name);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.addEventListener("success", () => resolve(request.result));
		request.addEventListener("error", () => reject(request.error));
	});
}

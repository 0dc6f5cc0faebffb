/*
 * What the storage needs of IndexedDB: the part of the browser's interfaces that it uses, so that neither this code nor
 * whoever imports its types needs the types of a browser, and a test may stand in between.
 */

/** Opens databases: an `IDBFactory`. */
export interface IndexedDbFactory {
	open(name: string, version: number): OpenRequest;
}

/** Makes ranges of keys: the constructor `IDBKeyRange`. */
export interface KeyRangeFactory {
	bound(lower: number, upper: number): KeyRange;
	lowerBound(lower: number, open: boolean): KeyRange;
	upperBound(upper: number): KeyRange;
}

/** A range of keys. */
export interface KeyRange {
	readonly lower: unknown;
	readonly upper: unknown;
	readonly lowerOpen: boolean;
	readonly upperOpen: boolean;
	includes(key: unknown): boolean;
}

/** An event of one of the objects below. */
export interface DatabaseEvent {
	preventDefault(): void;
	readonly target: unknown;
}

/** An event that tells of a change of the version. */
export interface VersionEvent extends DatabaseEvent {
	readonly oldVersion: number;
	/** `null` if the database is to be deleted. */
	readonly newVersion: number | null;
}

/** A request; `result` and `error` may be read when it is done. */
export interface StoreRequest<T> {
	readonly result: T;
	readonly error: unknown;
	addEventListener(type: "success" | "error", listener: (event: DatabaseEvent) => void): void;
}

/** The request to open a database. */
export interface OpenRequest {
	readonly result: Connection;
	readonly error: unknown;
	readonly transaction: Transaction | null;
	addEventListener(type: "success" | "error", listener: (event: DatabaseEvent) => void): void;
	addEventListener(type: "upgradeneeded", listener: (event: VersionEvent) => void): void;
}

/** An open database. */
export interface Connection {
	readonly objectStoreNames: { contains(name: string): boolean };
	createObjectStore(name: string): ObjectStore;
	transaction(
		stores: string[],
		mode: "readonly" | "readwrite",
		options?: { durability?: "strict" | "relaxed" },
	): Transaction;
	close(): void;
	addEventListener(type: "close", listener: (event: DatabaseEvent) => void): void;
	addEventListener(type: "versionchange", listener: (event: VersionEvent) => void): void;
}

/** A transaction. */
export interface Transaction {
	readonly error: unknown;
	objectStore(name: string): ObjectStore;
	abort(): void;
	addEventListener(type: "complete" | "abort" | "error", listener: (event: DatabaseEvent) => void): void;
}

/** An object store with numbers for keys. */
export interface ObjectStore {
	add(value: unknown, key: number): StoreRequest<unknown>;
	put(value: unknown, key: number): StoreRequest<unknown>;
	get(key: number): StoreRequest<unknown>;
	getAll(range: KeyRange, count?: number): StoreRequest<unknown[]>;
	getAllKeys(range: KeyRange, count?: number): StoreRequest<unknown[]>;
	clear(): StoreRequest<unknown>;
	delete(range: KeyRange): StoreRequest<unknown>;
}

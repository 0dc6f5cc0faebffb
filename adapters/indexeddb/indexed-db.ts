import type { DBSchema, IDBPDatabase, IDBPTransaction } from "idb";
import type { stores } from "./stored.js";

/** The name of an object store. */
export type StoreName = (typeof stores)[keyof typeof stores];

/** What the object stores hold, each under numbers. What is read is looked at before it is believed. */
export interface Schema extends DBSchema, Record<StoreName, { key: number; value: unknown }> {}

/** An open database. */
export type Connection = IDBPDatabase<Schema>;

/** What a transaction may do. */
export type Mode = "readonly" | "readwrite";

/** A transaction over any of the object stores. */
export type Transaction<M extends Mode> = IDBPTransaction<Schema, StoreName[], M>;

/** The part of an `IDBFactory` that is used, so that who imports its type needs no types of a browser. */
export interface IndexedDbFactory {
	/** Opens a database, as `IDBFactory.open` does. */
	open(name: string, version: number): object;
}

/** A promise that may be left alone when it rejects, since the transaction tells too. */
export function unheeded<T>(promise: Promise<T>): Promise<T> {
	promise.catch(() => {});
	return promise;
}

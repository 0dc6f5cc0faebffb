import { type DBSchema, type IDBPDatabase, type IDBPTransaction, unwrap } from "idb";
import type { stores } from "./stored.js";

/** The name of an object store. */
export type StoreName = (typeof stores)[keyof typeof stores];

/** The content of the object stores, each with numbers as keys. Values are checked after reading. */
export interface Schema extends DBSchema, Record<StoreName, { key: number; value: unknown }> {}

/** An open database. */
export type Connection = IDBPDatabase<Schema>;

/** The mode of a transaction. */
export type Mode = "readonly" | "readwrite";

/** A transaction over any of the object stores. */
export type Transaction<M extends Mode> = IDBPTransaction<Schema, StoreName[], M>;

/** Options of a transaction. */
export interface TransactionOptions<M extends Mode> {
	readonly stores: readonly StoreName[];
	readonly mode: M;
	readonly durability?: "strict" | "relaxed";
}

/**
 * Runs `work` in a transaction and returns its result when the transaction is complete. If `work` throws or a
 * request fails, aborts the transaction and rejects after that. `work` may await only the results of the
 * transaction's own requests.
 */
export async function transact<T, M extends Mode>(
	connection: Connection,
	{ stores, mode, durability }: TransactionOptions<M>,
	work: (transaction: Transaction<M>) => T | Promise<T>,
): Promise<T> {
	const transaction = connection.transaction([...stores], mode, durability === undefined ? {} : { durability });
	// This promise rejects at the first failed request, before the transaction has ended, and without the
	// reason.
	unheeded(transaction.done);
	const ended = endOf(transaction);
	let value: T;
	try {
		value = await work(transaction);
	} catch (error) {
		abort(transaction);
		const { failure } = await ended;
		throw isAbort(error) && failure !== null ? failure : error;
	}
	const { failure } = await ended;
	if (failure !== null) throw failure;
	return value;
}

/**
 * Makes requests in a transaction that ends with them, and returns the result of one of them when the
 * transaction is complete. If a request fails, aborts the transaction and rejects after that. It takes one
 * turn through the browser; {@link transact} takes two. It listens only to the end, because wrappers,
 * promises and listeners of each request take a quarter of the time of a small transaction.
 *
 * @param partly - whether some requests could succeed although another one fails. The standard aborts a transaction
 * if a request fails after `commit()`, but not all factories do. So `commit()` isn't called then
 */
export async function transactAtOnce<T>(
	connection: Connection,
	{ stores, mode, durability }: TransactionOptions<"readwrite">,
	ask: (transaction: IDBTransaction) => IDBRequest<T>,
	partly: boolean,
): Promise<T> {
	const transaction = unwrap(connection).transaction(stores, mode, durability === undefined ? {} : { durability });
	const ended = endOf(transaction);
	let request: IDBRequest<T>;
	try {
		request = ask(transaction);
		if (!partly) transaction.commit();
	} catch (error) {
		abort(transaction);
		await ended;
		throw error;
	}
	const { failure } = await ended;
	if (failure !== null) throw failure;
	return request.result;
}

/** Resolves when the transaction has completed (null) or aborted (the reason). */
function endOf(transaction: Transaction<Mode> | IDBTransaction): Promise<{ failure: unknown }> {
	return new Promise((resolve) => {
		let failure: unknown = null;
		transaction.addEventListener("error", (event) => {
			const { error } = event.target as IDBRequest;
			// Some browsers report every error that isn't prevented to the window. But preventing it also prevents
			// the abort.
			event.preventDefault();
			// An abort fails every request that is still waiting. The abort event has its reason.
			if (isAbort(error)) return;
			failure ??= error;
			abort(transaction);
		});
		transaction.addEventListener("complete", () => resolve({ failure: null }));
		transaction.addEventListener("abort", () => resolve({ failure: failure ?? transaction.error ?? aborted() }));
	});
}

function abort(transaction: Transaction<Mode> | IDBTransaction): void {
	try {
		transaction.abort();
	} catch {
		// It has already ended.
	}
}

function aborted(): Error {
	return Object.assign(new Error("The transaction was aborted."), { name: "AbortError" });
}

function isAbort(error: unknown): boolean {
	return (error as { name?: unknown } | null)?.name === "AbortError";
}

/** Returns a promise whose rejection may be ignored, because the transaction reports the failure too. */
export function unheeded<T>(promise: Promise<T>): Promise<T> {
	promise.catch(() => {});
	return promise;
}

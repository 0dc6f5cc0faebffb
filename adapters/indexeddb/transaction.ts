import { unwrap } from "idb";
import { type Connection, type Mode, type StoreName, type Transaction, unheeded } from "./indexed-db.js";

/** What a transaction is for. */
export interface TransactionOptions<M extends Mode> {
	readonly stores: readonly StoreName[];
	readonly mode: M;
	readonly durability?: "strict" | "relaxed";
}

/**
 * Runs `work` in a transaction and gives its result when the transaction is complete. When `work` throws or a request
 * fails, the transaction is aborted, and this rejects once it is. `work` may await the results of the transaction's own
 * requests, and nothing else.
 */
export async function transact<T, M extends Mode>(
	connection: Connection,
	{ stores, mode, durability }: TransactionOptions<M>,
	work: (transaction: Transaction<M>) => T | Promise<T>,
): Promise<T> {
	const transaction = connection.transaction([...stores], mode, durability === undefined ? {} : { durability });
	// It rejects at the first request that fails, when nothing has ended yet, and without the reason.
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
 * Makes requests in a transaction that ends with them, whatever they find, and gives the result of one of them when it is
 * complete. When a request fails, the transaction is aborted, and this rejects once it is. It takes one turn through the
 * browser, where {@link transact} takes two, and nothing but the end is listened to: wrappers, promises and listeners of each
 * request take a quarter of the time of a small transaction.
 */
export async function transactAtOnce<T>(
	connection: Connection,
	{ stores, mode, durability }: TransactionOptions<"readwrite">,
	ask: (transaction: IDBTransaction) => IDBRequest<T>,
): Promise<T> {
	const transaction = unwrap(connection).transaction(stores, mode, durability === undefined ? {} : { durability });
	const ended = endOf(transaction);
	let request: IDBRequest<T>;
	try {
		request = ask(transaction);
		transaction.commit();
	} catch (error) {
		abort(transaction);
		await ended;
		throw error;
	}
	const { failure } = await ended;
	if (failure !== null) throw failure;
	return request.result;
}

/** Resolves when the transaction is complete (null) or aborted (why). */
function endOf(transaction: Transaction<Mode> | IDBTransaction): Promise<{ failure: unknown }> {
	return new Promise((resolve) => {
		let failure: unknown = null;
		transaction.addEventListener("error", (event) => {
			const { error } = event.target as IDBRequest;
			// Some browsers tell the window of every error that isn't prevented; but preventing it also prevents the abort.
			event.preventDefault();
			// An abort fails every request that is still waiting, and says itself why it came.
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
		// It has ended by itself.
	}
}

function aborted(): Error {
	return Object.assign(new Error("The transaction was aborted."), { name: "AbortError" });
}

function isAbort(error: unknown): boolean {
	return (error as { name?: unknown } | null)?.name === "AbortError";
}

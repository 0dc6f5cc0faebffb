import { wrap } from "idb";
import { describe, expect, test } from "vitest";
import { stores } from "../../../adapters/indexeddb/stored.js";
import {
	type Connection,
	type Transaction,
	transact,
	transactAtOnce,
	unheeded,
} from "../../../adapters/indexeddb/transaction.js";
import { turns } from "../../support/turns.js";
import { Emitter } from "./emitter.js";
import { standsFor } from "./globals.js";

class HeldRequest extends Emitter {
	error: unknown = null;
	result: unknown = undefined;
}

class HeldObjectStore {
	readonly #requests: HeldRequest[];

	constructor(requests: HeldRequest[]) {
		this.#requests = requests;
	}

	add() {
		return this.get();
	}

	get() {
		const request = new HeldRequest();
		this.#requests.push(request);
		return request;
	}
}

/** A transaction in which nothing happens unless the test triggers it. */
class HeldTransaction extends Emitter {
	error: unknown = null;
	aborted = 0;
	committed = 0;
	readonly requests: HeldRequest[] = [];

	objectStore(): HeldObjectStore {
		return new HeldObjectStore(this.requests);
	}

	abort(): void {
		this.aborted += 1;
	}

	commit(): void {
		this.committed += 1;
	}

	/** Fails a request. Returns whether a listener prevented the report to the window. */
	fail(request: HeldRequest, error: unknown): boolean {
		request.error = error;
		request.emit("error");
		return this.emit("error", { target: request });
	}
}

class HeldConnection {
	readonly #transaction: HeldTransaction;

	constructor(transaction: HeldTransaction) {
		this.#transaction = transaction;
	}

	transaction(): HeldTransaction {
		return this.#transaction;
	}
}

standsFor(IDBDatabase, HeldConnection);
standsFor(IDBTransaction, HeldTransaction);
standsFor(IDBObjectStore, HeldObjectStore);
standsFor(IDBRequest, HeldRequest);

/** A list that gets the outcome of some work. */
function outcomeOf(work: Promise<unknown>): unknown[] {
	const settled: unknown[] = [];
	work.then(
		(value) => settled.push({ value }),
		(error) => settled.push({ error }),
	);
	return settled;
}

function begin<T>(work: (transaction: Transaction<"readwrite">) => T | Promise<T>) {
	const transaction = new HeldTransaction();
	const connection = { transaction: () => wrap(transaction as never) } as unknown as Connection;
	return { transaction, settled: outcomeOf(transact(connection, { stores: ["journal"], mode: "readwrite" }, work)) };
}

const named = (name: string) => new DOMException("", name);

describe("a transaction", () => {
	test("returns the result of its work when it is complete, not before", async () => {
		const { transaction, settled } = begin(() => 5);
		await turns();
		expect(settled).toEqual([]);
		transaction.emit("complete");
		await turns();
		expect(settled).toEqual([{ value: 5 }]);
	});

	test("is aborted by a failed request, and rejects after that; the error isn't reported to the window", async () => {
		const { transaction, settled } = begin((inner) => {
			unheeded(inner.objectStore("journal").add(1, 1));
		});
		const error = named("ConstraintError");
		expect(transaction.fail(transaction.requests[0]!, error)).toBe(true);
		expect(transaction.aborted).toBe(1);
		await turns();
		expect(settled).toEqual([]);
		transaction.emit("abort");
		await turns();
		expect(settled).toEqual([{ error }]);
	});

	test("that the browser aborts rejects with the reason, not with the abort of its requests", async () => {
		const { transaction, settled } = begin(async (inner) => {
			await inner.objectStore("journal").get(1);
		});
		expect(transaction.fail(transaction.requests[0]!, named("AbortError"))).toBe(true);
		transaction.error = named("QuotaExceededError");
		transaction.emit("abort");
		await turns();
		expect(settled).toEqual([{ error: transaction.error }]);
	});

	test("is aborted by an error of its work", async () => {
		const error = new Error("no good");
		const { transaction, settled } = begin(async (inner) => {
			unheeded(inner.objectStore("journal").add(1, 1));
			await null;
			throw error;
		});
		await turns();
		expect(transaction.aborted).toBe(1);
		expect(settled).toEqual([]);
		transaction.fail(transaction.requests[0]!, named("AbortError"));
		transaction.emit("abort");
		await turns();
		expect(settled).toEqual([{ error }]);
	});
});

describe("a transaction with all requests made at once", () => {
	function beginAtOnce(ask: (transaction: IDBTransaction) => IDBRequest<unknown>) {
		const transaction = new HeldTransaction();
		const connection = wrap(new HeldConnection(transaction) as never) as unknown as Connection;
		const work = transactAtOnce(connection, { stores: ["journal"], mode: "readwrite" }, ask, false);
		return { transaction, settled: outcomeOf(work) };
	}

	const get = (transaction: IDBTransaction) => transaction.objectStore("journal").get(1);

	test("ends with them, and returns the result of one of them when it is complete", async () => {
		const { transaction, settled } = beginAtOnce(get);
		expect(transaction.committed).toBe(1);
		transaction.requests[0]!.result = 5;
		await turns();
		expect(settled).toEqual([]);
		transaction.emit("complete");
		await turns();
		expect(settled).toEqual([{ value: 5 }]);
	});

	test("rejects with the error of a failed request once it is aborted; the error isn't reported to the window", async () => {
		const { transaction, settled } = beginAtOnce(get);
		const error = named("ConstraintError");
		expect(transaction.fail(transaction.requests[0]!, error)).toBe(true);
		await turns();
		expect(settled).toEqual([]);
		// Chromium reports no more than this after the page has handled the error.
		transaction.error = named("UnknownError");
		transaction.emit("abort");
		await turns();
		expect(settled).toEqual([{ error }]);
	});

	test("leaves nothing if one of its requests fails", async () => {
		const opening = indexedDB.open("all or nothing", 1);
		opening.onupgradeneeded = () => opening.result.createObjectStore(stores.journal);
		const connection = await new Promise<IDBDatabase>((resolve) => {
			opening.onsuccess = () => resolve(opening.result);
		});
		const add = (...keys: number[]) =>
			transactAtOnce(
				wrap(connection) as unknown as Connection,
				{ stores: [stores.journal], mode: "readwrite" },
				(transaction) => keys.map((key) => transaction.objectStore(stores.journal).add(key, key)).at(-1)!,
				keys.length > 1,
			);
		await add(1, 2);
		await expect(add(2, 3)).rejects.toMatchObject({ name: "ConstraintError" });
		await expect(add(3)).resolves.toBe(3);
		connection.close();
	});

	test("is aborted if a request fails at once", async () => {
		const error = named("DataCloneError");
		const { transaction, settled } = beginAtOnce(() => {
			throw error;
		});
		expect([transaction.aborted, transaction.committed]).toEqual([1, 0]);
		transaction.emit("abort");
		await turns();
		expect(settled).toEqual([{ error }]);
	});
});

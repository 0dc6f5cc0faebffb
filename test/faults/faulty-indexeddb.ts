import type { IndexedDbFactory } from "../../adapters/indexeddb/open.js";
import { Emitter } from "../adapters/indexeddb/emitter.js";
import { standsFor } from "../adapters/indexeddb/globals.js";

/** A call by the storage. */
export interface Call {
	readonly index: number;
	/** `open`, `transaction`, or the method of the object store. */
	readonly type: string;
	/** The object stores of a transaction; the object store of a request. */
	readonly stores: readonly string[];
	/** The mode of a transaction. */
	readonly mode?: string;
	readonly durability?: string;
}

/**
 * A fault at a call:
 * - `throw`: the call throws an error of this name
 * - `fail`: the request fails with the error
 * - `hang`: opening is never answered
 * - `abort`: the call's transaction aborts with the error after all its requests have succeeded
 * - `close`: the browser closes the connection and aborts its transactions
 * - `mute`: the transaction completes, but the connection is lost before the storage learns of it
 */
export interface Fault {
	readonly kind: "throw" | "fail" | "hang" | "abort" | "close" | "mute";
	/** The name of the error. */
	readonly error: string;
}

/** IndexedDB in memory that records its calls and can make them fail. */
export class FaultyIndexedDb implements IndexedDbFactory {
	readonly calls: Call[] = [];
	/** The open connections, oldest first. */
	readonly connections = new Set<FaultyConnection>();
	/** Called at each call; returns the call's fault. */
	faultAt: (call: Call) => Fault | undefined = () => undefined;
	/** Delays opening until it resolves. */
	beforeOpening: () => Promise<void> = async () => undefined;
	readonly #factory: IDBFactory;

	/** @param factory - the factory of the databases; several instances may share one, as tabs do */
	constructor(factory: IDBFactory = new IDBFactory()) {
		this.#factory = factory;
	}

	/** The options that make a storage use it. */
	get options(): { indexedDB: IndexedDbFactory } {
		return { indexedDB: this };
	}

	open(name: string, version: number): object {
		const fault = this.note({ type: "open", stores: [] });
		if (fault?.kind === "throw") throw error(fault.error);
		const request = new FaultyOpenRequest();
		if (fault?.kind === "hang") return request;
		if (fault?.kind === "fail") {
			setImmediate(() => request.fail(error(fault.error)));
			return request;
		}
		void this.beforeOpening().then(() => this.#open(name, version, request, fault));
		return request;
	}

	/** Closes every connection, as a browser may do at any time. */
	closeConnections(): void {
		for (const connection of [...this.connections]) connection.lose();
	}

	/** Records a call. Returns its fault. */
	note(call: Omit<Call, "index">): Fault | undefined {
		const noted = { index: this.calls.length, ...call };
		this.calls.push(noted);
		return this.faultAt(noted);
	}

	#open(name: string, version: number, request: FaultyOpenRequest, fault: Fault | undefined): void {
		const inner = this.#factory.open(name, version);
		const connection = () => new FaultyConnection(this, inner.result);
		inner.addEventListener("upgradeneeded", ({ oldVersion, newVersion }) => {
			request.result = connection();
			request.transaction = inner.transaction;
			request.emit("upgradeneeded", { oldVersion, newVersion });
		});
		inner.addEventListener("success", () => {
			request.result ??= connection();
			this.connections.add(request.result);
			request.emit("success");
			if (fault?.kind === "close") request.result.lose();
		});
		inner.addEventListener("error", () => request.fail(inner.error));
	}
}

function error(name: string): Error {
	return new DOMException(`made to fail with ${name}`, name);
}

class FaultyOpenRequest extends Emitter {
	result: FaultyConnection | undefined;
	error: unknown = null;
	transaction: IDBTransaction | null = null;

	fail(cause: unknown): void {
		this.error = cause;
		this.emit("error");
	}
}

class FaultyConnection extends Emitter {
	readonly transactions = new Set<FaultyTransaction>();
	readonly #database: FaultyIndexedDb;
	readonly #inner: IDBDatabase;
	#open = true;

	constructor(database: FaultyIndexedDb, inner: IDBDatabase) {
		super();
		this.#database = database;
		this.#inner = inner;
		inner.addEventListener("versionchange", ({ oldVersion, newVersion }: IDBVersionChangeEvent) => {
			this.emit("versionchange", { oldVersion, newVersion });
		});
	}

	get objectStoreNames() {
		return this.#inner.objectStoreNames;
	}

	createObjectStore(name: string): IDBObjectStore {
		return this.#inner.createObjectStore(name);
	}

	transaction(stores: string[], mode: "readonly" | "readwrite", options: { durability?: "strict" | "relaxed" }) {
		const fault = this.#database.note({ type: "transaction", stores, mode, ...options });
		if (fault?.kind === "close") this.lose();
		if (fault?.kind === "throw" || fault?.kind === "fail") throw error(fault.error);
		const transaction = new FaultyTransaction(this.#database, this, this.#inner.transaction(stores, mode, options));
		this.transactions.add(transaction);
		if (fault !== undefined) transaction.spoil(fault);
		return transaction;
	}

	close(): void {
		this.#open = false;
		this.#database.connections.delete(this);
		this.#inner.close();
	}

	/** Closes the connection as the browser. Returns whether it was open. */
	lose(): boolean {
		if (!this.#open) return false;
		for (const transaction of this.transactions) transaction.lose();
		this.close();
		setImmediate(() => setImmediate(() => this.emit("close")));
		return true;
	}
}

class FaultyTransaction extends Emitter {
	readonly connection: FaultyConnection;
	readonly #database: FaultyIndexedDb;
	readonly #inner: IDBTransaction;
	#ownError: unknown = null;
	#waiting = 0;
	#spoiled: Fault | null = null;
	#committed = false;

	constructor(database: FaultyIndexedDb, connection: FaultyConnection, inner: IDBTransaction) {
		super();
		this.#database = database;
		this.connection = connection;
		this.#inner = inner;
		inner.addEventListener("complete", () => {
			connection.transactions.delete(this);
			if (this.#spoiled?.kind !== "mute") this.emit("complete");
			// If the storage itself has closed the connection, it still gets the events of its transactions.
			else if (!connection.lose()) this.emit("abort");
		});
		inner.addEventListener("abort", () => {
			connection.transactions.delete(this);
			this.emit("abort");
		});
	}

	get error(): unknown {
		return this.#ownError ?? this.#inner.error;
	}

	objectStore(name: string): FaultyObjectStore {
		const inner = this.#inner.objectStore(name);
		const ask = <T>(type: string, request: () => IDBRequest<T>) => this.#ask(name, type, inner, request);
		return new FaultyObjectStore(inner, ask);
	}
	abort(): void {
		if (this.#committed) throw error("InvalidStateError");
		this.#inner.abort();
	}

	/**
	 * From now on a failed request aborts the transaction, whatever the page does. The factory in memory would
	 * let the page prevent that.
	 */
	commit(): void {
		this.#committed = true;
	}

	/** Aborts the transaction as the browser. */
	lose(): void {
		this.#inner.abort();
	}

	/** Applies the fault after the requests. */
	spoil(fault: Fault): void {
		this.#spoiled = fault;
	}

	#ask<T>(store: string, type: string, inner: IDBObjectStore, ask: () => IDBRequest<T>): FaultyRequest<T> {
		if (this.#committed) throw error("TransactionInactiveError");
		const fault = this.#database.note({ type, stores: [store] });
		if (fault?.kind === "throw") throw error(fault.error);
		const fails = fault?.kind === "fail";
		// A failed request does nothing, so another request must keep the transaction active until the failure is
		// reported.
		const asked = fails ? inner.getKey(0) : ask();
		if (fault?.kind === "close") setImmediate(() => this.connection.lose());
		else if (fault !== undefined && !fails) this.spoil(fault);
		const request = new FaultyRequest<T>();
		this.#waiting += 1;
		const settle = (cause: unknown) => {
			this.#waiting -= 1;
			if (cause === null) {
				request.result = asked.result as T;
				request.emit("success");
				if (this.#spoiled?.kind === "abort") setImmediate(() => this.#abortWhenDone(this.#spoiled!));
				return;
			}
			request.error = cause;
			request.emit("error");
			if (!this.emit("error", { target: request }) || this.#committed) {
				this.#ownError ??= cause;
				this.#inner.abort();
			}
		};
		asked.addEventListener("success", () => settle(fails ? error(fault.error) : null));
		asked.addEventListener("error", (event: Event) => {
			event.preventDefault();
			event.stopPropagation();
			settle(asked.error);
		});
		return request;
	}

	#abortWhenDone(fault: Fault): void {
		if (this.#waiting > 0 || this.#ownError !== null) return;
		this.#ownError = error(fault.error);
		this.#inner.abort();
	}
}

/** Makes a request of a type. */
type Ask = <T>(type: string, request: () => IDBRequest<T>) => FaultyRequest<T>;

class FaultyObjectStore {
	readonly #inner: IDBObjectStore;
	readonly #ask: Ask;

	constructor(inner: IDBObjectStore, ask: Ask) {
		this.#inner = inner;
		this.#ask = ask;
	}

	add(value: unknown, key: number) {
		return this.#ask("add", () => this.#inner.add(value, key));
	}

	put(value: unknown, key: number) {
		return this.#ask("put", () => this.#inner.put(value, key));
	}

	get(key: number) {
		return this.#ask("get", () => this.#inner.get(key));
	}

	getAll(range: IDBKeyRange, count?: number) {
		return this.#ask("getAll", () => this.#inner.getAll(range, count));
	}

	getAllKeys(range: IDBKeyRange, count?: number) {
		return this.#ask("getAllKeys", () => this.#inner.getAllKeys(range, count));
	}

	clear() {
		return this.#ask("clear", () => this.#inner.clear());
	}

	delete(range: IDBKeyRange) {
		return this.#ask("delete", () => this.#inner.delete(range));
	}
}

class FaultyRequest<T> extends Emitter {
	result: T = undefined as never;
	error: unknown = null;
}

standsFor(IDBDatabase, FaultyConnection);
standsFor(IDBTransaction, FaultyTransaction);
standsFor(IDBObjectStore, FaultyObjectStore);
standsFor(IDBRequest, FaultyRequest);

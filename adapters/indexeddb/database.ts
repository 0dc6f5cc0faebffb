import { OutlineError, quoted } from "../../src/errors.js";
import { closed } from "../storage-error.js";
import { fault, isConnectionLost } from "./fault.js";
import { type IndexedDbFactory, openConnection } from "./open.js";
import { metaContent, metaKey, notAnOutline, stores } from "./stored.js";
import { type Connection, transact } from "./transaction.js";

/** The location of an outline, and how to open it. */
export interface DatabaseOptions {
	/** The name of the outline. */
	readonly outline: string;
	/** The most milliseconds that opening may take. */
	readonly openTimeout: number;
	/** The milliseconds to wait after the browser has closed a connection, before opening a new one. */
	readonly restAfterClosing: number;
	/** Returns the factory of databases; called each time the database is opened. @throws if there is none */
	readonly factory: () => IndexedDbFactory;
}

/** An open connection. */
interface Open {
	readonly connection: Connection;
	/** The reject functions of the work on it, called with the reason if the browser closes it. */
	readonly uses: Set<(reason: unknown) => void>;
}

/** One use of a connection. */
export interface Use {
	readonly connection: Connection;
	/** Whether this is the second try, after the connection of the first was lost. */
	readonly again: boolean;
}

/** The database of an outline. It is opened on use, and again after the connection was lost. */
export class Database {
	/** The name of the outline. */
	readonly outline: string;
	/**
	 * Called when the browser has closed the connection, or another tab deletes the database. The content may
	 * be gone.
	 */
	onLoss: () => void = () => {};
	readonly #options: DatabaseOptions;
	#open: Open | null = null;
	#opening: Promise<Open> | null = null;
	/** Settles when a connection may be opened again. */
	#rest: Promise<void> | null = null;
	/** The id that the database must have; null while any will do. */
	#id: string | null = null;
	#gone: OutlineError | null = null;
	#closed = false;

	constructor(options: DatabaseOptions) {
		this.outline = options.outline;
		this.#options = options;
	}

	/** The error to throw if the stored outline was deleted; null otherwise. */
	get gone(): OutlineError | null {
		return this.#gone;
	}

	/** Requires this database from now on: another one in its place is refused, and none is created. */
	holdTo(id: string): void {
		this.#id = id;
	}

	/** Records that the stored outline was deleted: from now on every use rejects. Returns the error. */
	vanished(): OutlineError {
		this.#gone ??= new OutlineError(
			"storage_unavailable",
			`The outline ${quoted(this.outline)} was deleted while it was open. This storage reads and writes nothing more, because its outline no longer exists. Create the storage again to use the present content.`,
		);
		return this.#gone;
	}

	/**
	 * Runs work on a connection. If the connection is lost meanwhile, runs the work once more on a new one.
	 *
	 * @param doing - the description of the work in messages
	 * @throws `OutlineError`
	 */
	async run<T>(doing: string, work: (use: Use) => Promise<T>): Promise<T> {
		for (let again = false; ; again = true) {
			let open: Open | null = null;
			try {
				open = await this.#opened();
				return await unlessLost(open, work({ connection: open.connection, again }));
			} catch (error) {
				if (error instanceof OutlineError) throw error;
				const lost = isConnectionLost(error);
				if (lost && open !== null) this.#drop(open);
				if (!lost || again) throw fault(doing, this.outline, error);
			}
		}
	}

	/** Closes the connection; present transactions still complete. A second call does nothing. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#opening?.catch(() => {});
		if (this.#open !== null) this.#drop(this.#open);
	}

	#opened(): Promise<Open> {
		if (this.#closed) throw closed();
		if (this.#gone !== null) throw this.#gone;
		if (this.#open !== null) return Promise.resolve(this.#open);
		this.#opening ??= this.#connect().finally(() => {
			this.#opening = null;
		});
		return this.#opening;
	}

	async #connect(): Promise<Open> {
		const { outline, openTimeout, factory } = this.#options;
		await this.#rest;
		const connection = await openConnection({
			factory: factory(),
			name: databaseName(outline),
			outline,
			timeout: openTimeout,
			beforeCreating: () => {
				if (this.#id !== null) throw this.vanished();
			},
		});
		const open: Open = { connection, uses: new Set() };
		this.#follow(open);
		try {
			await unlessLost(open, this.#check(connection));
		} catch (error) {
			connection.close();
			throw error;
		}
		this.#open = open;
		return open;
	}

	/** Closes a connection when another tab needs that, and drops it when it is lost. */
	#follow(open: Open): void {
		const { connection, uses } = open;
		connection.addEventListener("versionchange", ({ newVersion }) => {
			this.#drop(open);
			if (newVersion === null && !this.#closed) this.onLoss();
		});
		connection.addEventListener("close", () => {
			this.#drop(open);
			this.#rest = new Promise((resolve) => setTimeout(resolve, this.#options.restAfterClosing));
			const reason = Object.assign(new Error("The browser has closed the connection."), { name: "AbortError" });
			for (const end of uses) end(reason);
			if (!this.#closed) this.onLoss();
		});
	}

	/** @throws if the database isn't an outline, or not the required one */
	async #check(connection: Connection): Promise<void> {
		for (const store of Object.values(stores)) {
			if (!connection.objectStoreNames.contains(store)) throw notAnOutline(this.outline);
		}
		const found = await transact(connection, { stores: [stores.meta], mode: "readonly" }, (transaction) =>
			transaction.objectStore(stores.meta).get(metaKey),
		);
		const { id } = metaContent(found, this.outline);
		if (this.#id !== null && this.#id !== id) throw this.vanished();
	}

	#drop(open: Open): void {
		if (this.#open === open) this.#open = null;
		open.connection.close();
	}
}

/**
 * Settles like the work, or rejects if the connection is lost: a browser may close it without ending its
 * transactions.
 */
function unlessLost<T>({ uses }: Open, work: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		uses.add(reject);
		work.then(resolve, reject).finally(() => uses.delete(reject));
	});
}

/** Returns the name of an outline's database. */
export function databaseName(outline: string): string {
	return `outlinekit:${outline}`;
}

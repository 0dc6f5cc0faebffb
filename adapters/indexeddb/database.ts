import { OutlineError, quoted } from "../../src/errors.js";
import { fault, isConnectionLost } from "./fault.js";
import type { Connection, IndexedDbFactory } from "./indexed-db.js";
import { openConnection } from "./open.js";
import { metaContent, metaKey, notAnOutline, stores } from "./stored.js";
import { transact } from "./transaction.js";

/** Where an outline is. */
export interface DatabaseOptions {
	/** The name of the outline. */
	readonly outline: string;
	/** How many milliseconds opening may take. */
	readonly openTimeout: number;
	/** How many milliseconds the database is left alone once the browser has closed a connection to it. */
	readonly restAfterClosing: number;
	/** What IndexedDB is here, asked each time the database is opened. @throws where there is none */
	readonly factory: () => IndexedDbFactory;
}

/** An open connection. */
interface Open {
	readonly connection: Connection;
	/** What is under way on it: called with the reason when the browser closes it. */
	readonly uses: Set<(reason: unknown) => void>;
}

/** One use of a connection. */
export interface Use {
	readonly connection: Connection;
	/** Whether the connection was lost under a first try. */
	readonly again: boolean;
}

/** The database of an outline: opened when it is used, and again when the connection was lost. */
export class Database {
	/** The name of the outline. */
	readonly outline: string;
	/** Called when the browser has closed the connection or somebody deletes the database: it may be gone. */
	onLoss: () => void = () => {};
	readonly #options: DatabaseOptions;
	#open: Open | null = null;
	#opening: Promise<Open> | null = null;
	/** Ends when a connection may be opened again. */
	#rest: Promise<void> | null = null;
	/** Which database it must be; null as long as any will do. */
	#id: string | null = null;
	#gone: OutlineError | null = null;
	#closed = false;

	constructor(options: DatabaseOptions) {
		this.outline = options.outline;
		this.#options = options;
	}

	/** Why nothing of what was stored is there any more; null while it is. */
	get gone(): OutlineError | null {
		return this.#gone;
	}

	/** From now on it must be this database: one that takes its place is refused, and none is created. */
	holdTo(id: string): void {
		this.#id = id;
	}

	/** What was stored isn't there any more: from now on every use rejects. Gives the reason. */
	vanished(): OutlineError {
		this.#gone ??= new OutlineError(
			"storage_unavailable",
			`The outline ${quoted(this.outline)} was deleted while it was open. Nothing more is read or written here, as that would pass for what is stored. Create the storage anew to begin with what is there now.`,
		);
		return this.#gone;
	}

	/**
	 * Runs work on a connection. If that is lost meanwhile, runs it once more on a new one.
	 *
	 * @throws `OutlineError`; `doing` is what its message says was tried
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

	/** Closes the connection; transactions under way end as they would have. Closing twice is fine. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#opening?.catch(() => {});
		if (this.#open !== null) this.#drop(this.#open);
	}

	#opened(): Promise<Open> {
		if (this.#closed) throw new OutlineError("closed", "The storage has been closed. Open it anew.");
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

	/** Lets go of a connection when others need it to, and when it is lost. */
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

	/** @throws if it isn't an outline, or not the one that it must be */
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

/** What is done on a connection, which never ends if the browser closes that and forgets to say so of its transactions. */
function unlessLost<T>({ uses }: Open, work: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		uses.add(reject);
		work.then(resolve, reject).finally(() => uses.delete(reject));
	});
}

/** What the database of an outline is called. */
export function databaseName(outline: string): string {
	return `outlinekit:${outline}`;
}

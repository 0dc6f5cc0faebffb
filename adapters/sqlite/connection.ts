import { OutlineError } from "../../src/errors.js";
import { outlinesTable } from "../sql/schema.js";
import {
	asArrays,
	asObjects,
	type Parameter,
	type SqliteDatabase,
	type SqliteStatement,
	type Statement,
} from "./client.js";
import { damaged, hasResultCode, isReadOnly, isTooBig, saysNothingIsOpen, Unsettled } from "./fault.js";
import { Bulky, type Cells, type ReadStatement } from "./read.js";

/** The most shapes of queries whose statements are kept compiled. */
const keptReads = 200;

const state = `SELECT revision, staged FROM ${outlinesTable} WHERE outline = ?`;

/** A compiled statement for reading. */
export interface Prepared extends ReadStatement {
	readonly statement: Statement;
}

const connections = new WeakMap<SqliteDatabase, SqliteConnection>();

/** A database, with its statements compiled once for all outlines in it. */
export class SqliteConnection {
	readonly #database: SqliteDatabase;
	/** Statements whose rows are objects, and statements with one text in each row. */
	readonly #statements = new Map<string, Statement>();
	readonly #textStatements = new Map<string, Statement>();
	readonly #reads = new Map<string, readonly Prepared[]>();
	readonly #underWay = new Map<number, Promise<void>>();
	/** The statement that still has to run to end a transaction that couldn't be ended. */
	#unfinished: string | null = null;
	#opened = 0;

	private constructor(database: SqliteDatabase) {
		this.#database = database;
	}

	/** Returns the connection of a database: the same one for all storages on it. */
	static of(database: SqliteDatabase): SqliteConnection {
		let connection = connections.get(database);
		if (connection === undefined) {
			connection = new SqliteConnection(database);
			connections.set(database, connection);
		}
		return connection;
	}

	/**
	 * The number of times that the host may have closed the database and opened it again. What was read of an earlier
	 * opening is no longer valid.
	 */
	get opened(): number {
		return this.#opened;
	}

	/** Sets a connection up. A database that is in memory, or read-only, keeps its journal mode. */
	configure(synchronous: "full" | "normal", busyTimeout: number): void {
		// Comes first, so that it applies to the other statements too. It returns a row, and so it fails if the
		// client isn't synchronous.
		this.rows(`PRAGMA busy_timeout = ${busyTimeout}`);
		// Only for the main database: others may be attached, and belong to the host.
		try {
			this.exec("PRAGMA main.journal_mode = WAL");
		} catch (error) {
			if (!isReadOnly(error)) throw error;
		}
		this.exec(`PRAGMA main.synchronous = ${synchronous}`);
	}

	/** Ends a transaction that couldn't be ended before, so that no reader sees its uncommitted rows. */
	finish(): void {
		if (this.#unfinished === null) return;
		try {
			this.exec(this.#unfinished);
		} catch (error) {
			if (!saysNothingIsOpen(error)) throw error;
		}
		this.#unfinished = null;
	}

	/** Runs work in a transaction that excludes other writers, and rolls it back if the work throws. */
	transaction<T>(work: () => T): T {
		this.finish();
		// These statements aren't kept compiled: libsql leaves a refused statement unfinished.
		this.exec("BEGIN IMMEDIATE");
		try {
			const result = work();
			this.exec("COMMIT");
			return result;
		} catch (error) {
			this.#end("ROLLBACK");
			throw error;
		}
	}

	/** Runs work that reads, all at one state. Within a transaction of the host it becomes a part of that. */
	snapshot<T>(work: () => T): T {
		this.exec("SAVEPOINT outlinekit");
		try {
			return work();
		} finally {
			this.#end("RELEASE outlinekit");
		}
	}

	/** Runs long work on an outline. All other work on the outline over this connection waits for it. */
	alone<T>(outline: number, work: () => Promise<T>): Promise<T> {
		const running = work();
		const settled = running.then(
			() => {},
			() => {},
		);
		this.#underWay.set(outline, settled);
		void settled.then(() => this.#underWay.delete(outline));
		return running;
	}

	/** Settles when the long work on an outline ends. Undefined if there is none. */
	underWay(outline: number): Promise<void> | undefined {
		return this.#underWay.get(outline);
	}

	/**
	 * Returns the revision of an outline; undefined if there is no such outline.
	 *
	 * @throws `Unsettled` while the parts of a commit are being applied
	 */
	revision(outline: number): number | undefined {
		const [row] = this.rows(state, outline);
		if (row === undefined) return undefined;
		if (row.staged !== null) throw new Unsettled();
		return revisionIn(row.revision);
	}

	/** Runs a statement that is kept compiled. Returns the number of rows that it changed. */
	run(sql: string, ...parameters: Parameter[]): number {
		return this.#do(() => Number(this.#prepared(sql).run(...parameters).changes));
	}

	/** Returns the rows of a statement that is kept compiled. */
	rows(sql: string, ...parameters: Parameter[]): { readonly [column: string]: unknown }[] {
		const rows = this.#do(() => this.#prepared(sql).all(...parameters));
		if (Array.isArray(rows)) return rows as { readonly [column: string]: unknown }[];
		throw slowDatabase();
	}

	/**
	 * Returns the texts of a statement that is kept compiled. It must return one text for each row, named
	 * `answer`.
	 */
	lines(sql: string, ...parameters: Parameter[]): string[] {
		return this.#do(() => {
			let statement = this.#textStatements.get(sql);
			if (statement === undefined) {
				statement = asArrays(this.#prepare(sql));
				this.#textStatements.set(sql, statement);
			}
			return statement.all(...parameters).map(valueIn);
		});
	}

	/** Runs statements that aren't kept compiled. */
	exec(sql: string): void {
		this.#do(() => this.#database.exec(sql));
	}

	/** Returns the compiled statements with a name, and makes them on first use. */
	compiled(name: string, make: () => readonly ReadStatement[]): readonly Prepared[] {
		let reads = this.#reads.get(name);
		if (reads === undefined) {
			reads = this.#do(() => make().map((read) => ({ ...read, statement: asArrays(this.#prepare(read.sql)) })));
			// The names contain limits, and a host may use any number of these.
			if (this.#reads.size >= keptReads) this.#reads.delete(this.#reads.keys().next().value!);
			this.#reads.set(name, reads);
		}
		return reads;
	}

	/**
	 * Returns the text in the first row of a statement; undefined if there is no row. @throws `Bulky` if SQLite
	 * finds it too long
	 */
	text(statement: Statement, parameters: readonly Parameter[]): string | undefined {
		const row = this.#do(() => {
			try {
				return statement.get === undefined ? statement.all(...parameters)[0] : statement.get(...parameters);
			} catch (error) {
				throw isTooBig(error) ? new Bulky() : error;
			}
		});
		return row == null ? undefined : valueIn(row);
	}

	/** Returns the values in the rows of a statement that returns a list in JSON for each row. */
	cells(statement: Statement, parameters: readonly Parameter[]): Cells[] {
		const rows = this.#do(() => statement.all(...parameters));
		return intact(() => rows.map((row) => JSON.parse(valueIn(row))));
	}

	#prepared(sql: string): Statement {
		let statement = this.#statements.get(sql);
		if (statement === undefined) {
			statement = asObjects(this.#prepare(sql));
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	#prepare(sql: string): SqliteStatement {
		const statement = this.#database.prepare(sql);
		if (typeof statement?.all !== "function") throw slowDatabase();
		return statement;
	}

	/**
	 * Calls the database. An error that isn't SQLite's own may mean that the database was closed and opened
	 * again.
	 */
	#do<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			if (!hasResultCode(error) && !(error instanceof Bulky)) {
				this.#statements.clear();
				this.#textStatements.clear();
				this.#reads.clear();
				this.#opened += 1;
			}
			throw error;
		}
	}

	/** Ends a transaction. If that fails, it is retried before all other work. */
	#end(statement: string): void {
		try {
			this.exec(statement);
		} catch (error) {
			// After some faults SQLite has already rolled back.
			if (!saysNothingIsOpen(error)) this.#unfinished = statement;
		}
	}
}

/** Returns the error for a client that returns promises, or uses callbacks. */
function slowDatabase(): OutlineError {
	return new OutlineError(
		"invalid_argument",
		"The database doesn't answer at once. Give one that better-sqlite3, libsql, node:sqlite or bun:sqlite has opened.",
	);
}

/** Returns the value of a row of one column. */
function valueIn(row: unknown): string {
	return String(Array.isArray(row) ? row[0] : (row as { answer: unknown }).answer);
}

/** Checks and returns a stored revision. @throws `storage_corrupt` if it is invalid */
export function revisionIn(value: unknown): number {
	const revision = Number(value);
	if (Number.isSafeInteger(revision) && revision >= 0) return revision;
	throw damaged("an outline has no revision");
}

/** Interprets values that were read. @throws `storage_corrupt` if they make no sense */
export function intact<T>(make: () => T): T {
	try {
		return make();
	} catch (cause) {
		if (cause instanceof OutlineError || cause instanceof Bulky) throw cause;
		throw damaged("it holds a row that no outline has", cause);
	}
}

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
import { damaged, hasResultCode, isReadOnly, isTooBig, saysNothingIsOpen } from "./fault.js";
import { Bulky, type Cells, type ReadStatement } from "./read.js";
import { Unsettled } from "./staging.js";

/** How many shapes of queries are kept compiled. */
const keptReads = 200;

const state = `SELECT revision, staged FROM ${outlinesTable} WHERE outline = ?`;

/** A statement that has been compiled to be read. */
export interface Prepared extends ReadStatement {
	readonly statement: Statement;
}

const connections = new WeakMap<SqliteDatabase, SqliteConnection>();

/** A database, with its statements compiled once for all outlines in it. */
export class SqliteConnection {
	readonly #database: SqliteDatabase;
	/** Statements whose rows come as objects, and statements with one text in each row. */
	readonly #statements = new Map<string, Statement>();
	readonly #textStatements = new Map<string, Statement>();
	readonly #reads = new Map<string, readonly Prepared[]>();
	readonly #underWay = new Map<number, Promise<void>>();
	/** What is still to be run to end a transaction that couldn't be ended. */
	#unfinished: string | null = null;
	#opened = 0;

	private constructor(database: SqliteDatabase) {
		this.#database = database;
	}

	/** The connection of a database: the same one for all storages on it. */
	static of(database: SqliteDatabase): SqliteConnection {
		let connection = connections.get(database);
		if (connection === undefined) {
			connection = new SqliteConnection(database);
			connections.set(database, connection);
		}
		return connection;
	}

	/** Changes when the host may have closed the database and opened it anew: nothing that was known of it holds any more. */
	get opened(): number {
		return this.#opened;
	}

	/** Sets a connection up. A database in memory, or one that may only be read, stays without WAL if it is. */
	configure(synchronous: "full" | "normal", busyTimeout: number): void {
		// Nothing is set on a database that doesn't answer at once.
		this.rows("SELECT 1");
		// First, so that it holds for the others too.
		this.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
		// Of the main database only: others may be attached, and are the host's.
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

	/** Runs a piece of work in a transaction that excludes other writers, and takes all of it back if it throws. */
	transaction<T>(work: () => T): T {
		this.finish();
		// What begins and ends transactions isn't kept compiled: libsql leaves a statement that was refused under way.
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

	/** Runs a piece of work that reads, all of it at one state. Within a transaction of the host it is a part of that. */
	snapshot<T>(work: () => T): T {
		this.exec("SAVEPOINT outlinekit");
		try {
			return work();
		} finally {
			this.#end("RELEASE outlinekit");
		}
	}

	/** Runs long work on an outline. All else on the outline over this connection waits for it. */
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

	/** Ends with the long work on an outline. Undefined if there is none. */
	underWay(outline: number): Promise<void> | undefined {
		return this.#underWay.get(outline);
	}

	/**
	 * The revision of an outline; undefined if there is no such outline.
	 *
	 * @throws `Unsettled` while a commit is being brought to where it belongs
	 */
	revision(outline: number): number | undefined {
		const [row] = this.rows(state, outline);
		if (row === undefined) return undefined;
		if (row.staged !== null) throw new Unsettled();
		return revisionIn(row.revision);
	}

	/** Runs a statement that is kept compiled. Returns how many rows it changed. */
	run(sql: string, ...parameters: Parameter[]): number {
		return this.#do(() => Number(this.#prepared(sql).run(...parameters).changes));
	}

	/** The rows of a statement that is kept compiled. */
	rows(sql: string, ...parameters: Parameter[]): { readonly [column: string]: unknown }[] {
		const rows = this.#do(() => this.#prepared(sql).all(...parameters));
		if (Array.isArray(rows)) return rows as { readonly [column: string]: unknown }[];
		throw slowDatabase();
	}

	/** The texts of a statement that is kept compiled, and gives one text a row, named `answer`. */
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

	/** The statements that something is read with, compiled: made the first time that they are asked for by their name. */
	compiled(name: string, make: () => readonly ReadStatement[]): readonly Prepared[] {
		let reads = this.#reads.get(name);
		if (reads === undefined) {
			reads = this.#do(() => make().map((read) => ({ ...read, statement: asArrays(this.#prepare(read.sql)) })));
			// Limits are a part of the names, and a host may ask for any.
			if (this.#reads.size >= keptReads) this.#reads.delete(this.#reads.keys().next().value!);
			this.#reads.set(name, reads);
		}
		return reads;
	}

	/** The text in the first row of a statement; undefined if there is no row. @throws `Bulky` if SQLite finds it too long */
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

	/** The values in the rows of a statement that gives a list in JSON a row. */
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

	/** Does something with the database. What isn't SQLite's own failure may come of a database that was closed and opened. */
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

	/** Ends a transaction. If that fails, it is tried again before anything else is done. */
	#end(statement: string): void {
		try {
			this.exec(statement);
		} catch (error) {
			// After some faults SQLite has rolled back by itself.
			if (!saysNothingIsOpen(error)) this.#unfinished = statement;
		}
	}
}

/** The error for a client that gives promises, or calls back. */
function slowDatabase(): OutlineError {
	return new OutlineError(
		"invalid_argument",
		"The database doesn't answer at once. Give one that better-sqlite3, libsql, node:sqlite or bun:sqlite has opened.",
	);
}

/** The value of a row of one column. */
function valueIn(row: unknown): string {
	return String(Array.isArray(row) ? row[0] : (row as { answer: unknown }).answer);
}

/** A stored revision. @throws `storage_corrupt` if it isn't one */
export function revisionIn(value: unknown): number {
	const revision = Number(value);
	if (Number.isSafeInteger(revision) && revision >= 0) return revision;
	throw damaged("an outline has no revision");
}

/** Makes sense of what has been read. @throws `storage_corrupt` where there is none */
export function intact<T>(make: () => T): T {
	try {
		return make();
	} catch (cause) {
		if (cause instanceof OutlineError || cause instanceof Bulky) throw cause;
		throw damaged("it holds a row that no outline has", cause);
	}
}

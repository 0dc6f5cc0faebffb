import { OutlineError } from "../../src/errors.js";
import type { Answer, Query } from "../../src/storage.js";
import { answerFrom, type Row } from "../sql/answer.js";
import type { Dialect } from "../sql/dialect.js";
import { type Migration, pending } from "../sql/migration.js";
import { schemaTable } from "../sql/schema.js";
import { fillSlots, type Slot, selectsFor, shapeOf, slotValue, storedNodes } from "../sql/select.js";
import type { Parameter, SqliteDatabase, Statement } from "./client.js";
import { damaged, hasResultCode, isReadOnly, saysNothingIsOpen } from "./fault.js";
import { migrations } from "./schema.js";

const dialect: Dialect = {
	among: (expression, parameter) => `${expression} IN (SELECT value FROM json_each(${parameter}))`,
	joinedIds: (expression) => `group_concat(${expression})`,
	jsonArray: (expressions) => `json_array(${expressions.join(", ")})`,
};

/** How many shapes of queries are kept compiled. */
const keptSelects = 200;

/** A select that has been compiled, and what its parameters stand for. */
interface Prepared {
	readonly statement: Statement;
	readonly slots: readonly Slot[];
}

const connections = new WeakMap<SqliteDatabase, SqliteConnection>();

/** A database, with its statements compiled once for all outlines in it. */
export class SqliteConnection {
	readonly #database: SqliteDatabase;
	readonly #statements = new Map<string, Statement>();
	readonly #selects = new Map<string, readonly Prepared[]>();
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
		this.#finish();
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

	/**
	 * Makes the tables or brings them up to date.
	 *
	 * @throws `storage_unavailable` for those of a newer release, `storage_corrupt` for those whose version can't be
	 */
	migrate(versions: readonly Migration[] = migrations): void {
		if (pending(this.#version(), versions).length === 0) return;
		this.transaction(() => {
			// Another process may have done it meanwhile.
			for (const statement of pending(this.#version(), versions)) this.exec(statement);
			this.exec(`CREATE TABLE IF NOT EXISTS ${schemaTable} (version INTEGER NOT NULL)`);
			this.exec(`DELETE FROM ${schemaTable}`);
			this.exec(`INSERT INTO ${schemaTable} VALUES (${versions.length})`);
		});
	}

	/** @throws `storage_unavailable` unless the tables are those of this release */
	assertVersion(): void {
		if (pending(this.#version(), migrations).length === 0) return;
		throw new OutlineError(
			"storage_unavailable",
			"The tables of this database have been replaced by older ones. Open it anew.",
		);
	}

	/** Runs a piece of work in a transaction that excludes other writers, and takes all of it back if it throws. */
	transaction<T>(work: () => T): T {
		this.#finish();
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
		this.#finish();
		this.exec("SAVEPOINT outlinekit");
		try {
			return work();
		} finally {
			this.#end("RELEASE outlinekit");
		}
	}

	/** Runs a statement that is kept compiled. Returns how many rows it changed. */
	run(sql: string, ...parameters: Parameter[]): number {
		return this.#do(() => Number(this.#prepared(sql).run(...parameters).changes));
	}

	/** The rows of a statement that is kept compiled. */
	rows(sql: string, ...parameters: Parameter[]): Row[] {
		const rows = this.#do(() => this.#prepared(sql).all(...parameters));
		if (Array.isArray(rows)) return rows as Row[];
		throw slowDatabase();
	}

	/** Compiles a statement for once. */
	prepare(sql: string): Statement {
		const statement = this.#database.prepare(sql);
		if (typeof statement?.all !== "function") throw slowDatabase();
		statement.setReturnArrays?.(false);
		return statement as Statement;
	}

	/** Runs statements that aren't kept compiled. */
	exec(sql: string): void {
		this.#do(() => this.#database.exec(sql));
	}

	/** The answer to a query about an outline at a revision, which the caller makes sure of. */
	answer(outline: number, query: Query, revision: number): Answer<Query> {
		const rows = this.#do(() =>
			this.#selectsFor(query).map(({ statement, slots }) => {
				const parameters = slots.map((slot) => {
					const value = slot === "outline" ? outline : slotValue(slot, query);
					return typeof value === "object" ? JSON.stringify(value) : value;
				});
				return statement.all(...parameters) as Row[];
			}),
		);
		try {
			return answerFrom(query, rows, revision);
		} catch (cause) {
			throw damaged("it holds a row that no outline has", cause);
		}
	}

	#selectsFor(query: Query): readonly Prepared[] {
		const shape = shapeOf(query);
		let selects = this.#selects.get(shape);
		if (selects === undefined) {
			selects = selectsFor(query, dialect).map(({ text }) => {
				const slots: Slot[] = [];
				const sql = fillSlots(text, (slot) => {
					slots.push(slot);
					return "?";
				});
				return { statement: this.prepare(sql), slots };
			});
			// Limits are a part of the shape, and a host may ask for any.
			if (this.#selects.size >= keptSelects) this.#selects.delete(this.#selects.keys().next().value!);
			this.#selects.set(shape, selects);
		}
		return selects;
	}

	#prepared(sql: string): Statement {
		let statement = this.#statements.get(sql);
		if (statement === undefined) {
			statement = this.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	/** Does something with the database. What isn't SQLite's own failure may come of a database that was closed and opened. */
	#do<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			if (!hasResultCode(error)) {
				this.#statements.clear();
				this.#selects.clear();
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

	#finish(): void {
		if (this.#unfinished === null) return;
		try {
			this.exec(this.#unfinished);
		} catch (error) {
			if (!saysNothingIsOpen(error)) throw error;
		}
		this.#unfinished = null;
	}

	#version(): number {
		const tables = this.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", schemaTable);
		if (tables.length === 0) return 0;
		const [row] = this.rows(`SELECT version FROM ${schemaTable}`) as { version?: unknown }[];
		const version = Number(row?.version);
		if (Number.isSafeInteger(version) && version > 0) return version;
		throw damaged(`the table ${schemaTable} names no version`);
	}
}

/** The error for a client that gives promises, or calls back. */
function slowDatabase(): OutlineError {
	return new OutlineError(
		"invalid_argument",
		"The database doesn't answer at once. Give one that better-sqlite3, libsql or node:sqlite has opened.",
	);
}

/** A select of all nodes of an outline with their origins and mirrors. */
export function everyNode(outline: number): string {
	return fillSlots(storedNodes(dialect, "true").text, () => `${outline}`);
}

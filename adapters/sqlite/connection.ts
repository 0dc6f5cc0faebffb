import { OutlineError } from "../../src/errors.js";
import type { Answer, Query } from "../../src/storage.js";
import { type Migration, pending } from "../sql/migration.js";
import { outlinesTable, schemaTable } from "../sql/schema.js";
import { shapeOf } from "../sql/select.js";
import type { Parameter, SqliteDatabase, Statement } from "./client.js";
import { damaged, hasResultCode, isReadOnly, isTooBig, saysNothingIsOpen } from "./fault.js";
import {
	answerIn,
	type Cells,
	cutOff,
	fitsTogether,
	longestAnswer,
	parametersOf,
	type ReadStatement,
	statementForAll,
	statementsFor,
} from "./read.js";
import { migrations } from "./schema.js";

/** How many shapes of queries are kept compiled. */
const keptReads = 200;

const currentRevision = `SELECT revision FROM ${outlinesTable} WHERE outline = ?`;

/** A statement that has been compiled to be read. */
interface Prepared extends ReadStatement {
	readonly statement: Statement;
}

/** The revision of an outline, and the answers to some queries at it. */
interface Reading {
	readonly revision: number;
	readonly results: readonly Answer<Query>[];
}

const connections = new WeakMap<SqliteDatabase, SqliteConnection>();

/** A database, with its statements compiled once for all outlines in it. */
export class SqliteConnection {
	readonly #database: SqliteDatabase;
	readonly #statements = new Map<string, Statement>();
	readonly #reads = new Map<string, readonly Prepared[]>();
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

	/** Compiles what reads a table of rows that are texts, named `node`: so many at once, those after a place. */
	pages(table: string, size: number): (place: number) => readonly Cells[] {
		const rows = `FROM ${table} WHERE rowid > ? AND rowid <= ?`;
		const joined = `'[' || coalesce(group_concat(node), '') || ']'`;
		const together = this.#prepareText(`SELECT ${cutOff(joined)} AS answer ${rows}`);
		const apart = this.#prepareText(`SELECT node AS answer ${rows}`);
		return (place) => {
			const range = [place, place + size];
			const text = firstText(together, range);
			return text == null ? rowsIn(apart.all(...range)) : intact(() => JSON.parse(text));
		};
	}

	/** Runs statements that aren't kept compiled. */
	exec(sql: string): void {
		this.#do(() => this.#database.exec(sql));
	}

	/** The answers to some queries about an outline, all of one state. Undefined if there is no such outline. */
	read(outline: number, queries: readonly Query[]): Reading | undefined {
		this.#finish();
		if (fitsTogether(queries)) {
			let shape = "all";
			for (const query of queries) shape += `; ${shapeOf(query)}`;
			const [read] = this.#compiled(shape, () => [statementForAll(queries)]);
			const text = this.#do(() => firstText(read!.statement, parametersOf(read!, outline, queries)));
			if (text === undefined) return undefined;
			if (text !== null) return readingIn(text, queries, read!);
		}
		return this.#snapshot(() => {
			const revision = this.#revision(outline);
			if (revision === undefined) return undefined;
			return { revision, results: queries.map((query) => this.#answer(outline, query, revision)) };
		});
	}

	/** The answer to a query about an outline at a revision, row by row. */
	#answer(outline: number, query: Query, revision: number): Answer<Query> {
		const reads = this.#compiled(`rows of ${shapeOf(query)}`, () => statementsFor(query));
		const rows = this.#do(() => reads.map((read) => read.statement.all(...parametersOf(read, outline, [query]))));
		const columns = reads.map((read) => read.columns[0]![0]!);
		return intact(() => answerIn(query, columns, rows.map(rowsIn), revision));
	}

	/** The statements for queries of a shape, compiled. */
	#compiled(shape: string, make: () => readonly ReadStatement[]): readonly Prepared[] {
		let reads = this.#reads.get(shape);
		if (reads === undefined) {
			reads = this.#do(() => make().map((read) => ({ ...read, statement: this.#prepareText(read.sql) })));
			// Limits are a part of the shape, and a host may ask for any.
			if (this.#reads.size >= keptReads) this.#reads.delete(this.#reads.keys().next().value!);
			this.#reads.set(shape, reads);
		}
		return reads;
	}

	/** Runs a piece of work that reads, all of it at one state. Within a transaction of the host it is a part of that. */
	#snapshot<T>(work: () => T): T {
		this.exec("SAVEPOINT outlinekit");
		try {
			return work();
		} finally {
			this.#end("RELEASE outlinekit");
		}
	}

	#revision(outline: number): number | undefined {
		const [row] = this.rows(currentRevision, outline);
		return row && revisionIn(row.revision);
	}

	#prepared(sql: string): Statement {
		let statement = this.#statements.get(sql);
		if (statement === undefined) {
			statement = this.#prepare(sql);
			statement.setReturnArrays?.(false);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	/** Compiles a statement that gives texts. Rows as arrays are made faster, where a client has them. */
	#prepareText(sql: string): Statement {
		const statement = this.#prepare(sql);
		if (statement.raw !== undefined) statement.raw(true);
		else statement.setReturnArrays?.(true);
		return statement;
	}

	#prepare(sql: string): Statement {
		const statement = this.#database.prepare(sql);
		if (typeof statement?.all !== "function") throw slowDatabase();
		return statement as Statement;
	}

	/** Does something with the database. What isn't SQLite's own failure may come of a database that was closed and opened. */
	#do<T>(work: () => T): T {
		try {
			return work();
		} catch (error) {
			if (!hasResultCode(error)) {
				this.#statements.clear();
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
		const [row] = this.rows(`SELECT version FROM ${schemaTable}`);
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

/** The text in a statement's first row; undefined if there is no row, null if it is too long to be one text. */
function firstText(statement: Statement, parameters: readonly Parameter[]): string | null | undefined {
	try {
		const row = statement.get === undefined ? statement.all(...parameters)[0] : statement.get(...parameters);
		if (row === undefined) return undefined;
		const text = String(valueIn(row));
		return text.length < longestAnswer ? text : null;
	} catch (error) {
		if (isTooBig(error)) return null;
		throw error;
	}
}

/** The value of a row of one column. */
function valueIn(row: unknown): unknown {
	return Array.isArray(row) ? row[0] : (row as { answer: unknown }).answer;
}

/** The values in rows that are texts. */
function rowsIn(rows: readonly unknown[]): readonly Cells[] {
	return intact(() => rows.map((row) => JSON.parse(valueIn(row) as string)));
}

/** The answers in the text of a statement for all queries. */
function readingIn(text: string, queries: readonly Query[], { columns }: ReadStatement): Reading {
	return intact(() => {
		const [current, ...selects] = JSON.parse(text) as [unknown, ...(readonly Cells[])[]];
		const revision = revisionIn(current);
		let place = 0;
		const results = queries.map((query, at) => {
			const own = columns[at]!;
			const rows = selects.slice(place, place + own.length);
			place += own.length;
			return answerIn(query, own, rows, revision);
		});
		return { revision, results };
	});
}

function revisionIn(value: unknown): number {
	const revision = Number(value);
	if (Number.isSafeInteger(revision) && revision >= 0) return revision;
	throw damaged("an outline has no revision");
}

/** Makes sense of what has been read. @throws `storage_corrupt` where there is none */
export function intact<T>(make: () => T): T {
	try {
		return make();
	} catch (cause) {
		if (cause instanceof OutlineError) throw cause;
		throw damaged("it holds a row that no outline has", cause);
	}
}

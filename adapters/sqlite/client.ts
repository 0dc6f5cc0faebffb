/** The calls that every client has. `never` only lets whatever types a client declares fit. */
interface AnyStatement {
	/** Runs a statement for its effect. */
	run(...parameters: never[]): {
		/** The number of rows that it changed. */
		readonly changes: number | bigint;
	};
	/** Returns the rows of a statement, as objects with a property for each column. */
	all(...parameters: never[]): unknown[];
	/** Returns the first row of a statement; undefined or null if there is none. Without it, all rows are asked for. */
	get?(...parameters: never[]): unknown;
}

/**
 * A prepared statement of better-sqlite3 or libsql.
 *
 * @inline
 */
export interface RawStatement extends AnyStatement {
	/** Decides whether rows come as arrays. */
	raw?(enabled: boolean): unknown;
	/** In `bun:sqlite` alone, whose `raw` is another method: it runs the statement. */
	values?: undefined;
}

/**
 * A prepared statement of `node:sqlite`.
 *
 * @inline
 */
export interface ArrayStatement extends AnyStatement {
	/** Decides whether rows come as arrays. A database can be set to return arrays. */
	setReturnArrays?(enabled: boolean): void;
	/** In `bun:sqlite` alone. */
	values?: undefined;
}

/**
 * A prepared statement of `bun:sqlite`.
 *
 * @inline
 */
export interface ValuesStatement extends AnyStatement {
	/** Returns the rows of a statement, as arrays. */
	values(...parameters: never[]): unknown;
}

/**
 * A prepared statement, as better-sqlite3, libsql, `node:sqlite` and `bun:sqlite` have it. It is given texts, numbers and null
 * by position.
 */
export type SqliteStatement = RawStatement | ArrayStatement | ValuesStatement;

/** An open database, as better-sqlite3, libsql, `node:sqlite` and `bun:sqlite` have it: it answers at once. */
export interface SqliteDatabase {
	/** Compiles a statement. */
	prepare(sql: string): SqliteStatement;
	/** Runs statements that have neither parameters nor rows. */
	exec(sql: string): unknown;
}

/** A value that a statement is given. */
export type Parameter = string | number | null;

/** A {@link SqliteStatement} with the types that it is used with. */
export interface Statement {
	/** Runs a statement for its effect. */
	run(...parameters: Parameter[]): { readonly changes: number | bigint };
	/** Returns the rows of a statement. */
	all(...parameters: Parameter[]): unknown[];
	/** Returns the first row of a statement. */
	get?(...parameters: Parameter[]): unknown;
}

/**
 * Has the rows of a statement come as objects, whatever the host has set.
 *
 * @param statement - one that was compiled for this alone
 */
export function asObjects(statement: SqliteStatement): Statement {
	if ("setReturnArrays" in statement) statement.setReturnArrays?.(false);
	return statement as Statement;
}

/** Has the rows of a statement come as arrays, which are made faster, where a client has them. */
export function asArrays(statement: SqliteStatement): Statement {
	// The `raw` of bun:sqlite would run the statement. Its objects of one column are as fast as its arrays.
	if (typeof statement.values === "function") return statement as Statement;
	if ("raw" in statement) statement.raw?.(true);
	else if ("setReturnArrays" in statement) statement.setReturnArrays?.(true);
	return statement as Statement;
}

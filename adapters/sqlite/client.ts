/** The calls that every client has. The `never` only makes the parameter types of every client fit. */
interface AnyStatement {
	/** Runs a statement for its effect. */
	run(...parameters: never[]): {
		/** The number of rows that it changed. */
		readonly changes: number | bigint;
	};
	/** Returns the rows of a statement, as objects with a property for each column. */
	all(...parameters: never[]): unknown[];
	/**
	 * Returns the first row of a statement; undefined or null if there is none. Optional: `all` replaces it.
	 */
	get?(...parameters: never[]): unknown;
}

/**
 * A prepared statement of better-sqlite3 or libsql.
 *
 * @inline
 */
export interface RawStatement extends AnyStatement {
	/** Sets whether rows are arrays. */
	raw?(enabled: boolean): unknown;
	/** Exists only in `bun:sqlite`, whose `raw` is another method: it runs the statement. */
	values?: undefined;
}

/**
 * A prepared statement of `node:sqlite`.
 *
 * @inline
 */
export interface ArrayStatement extends AnyStatement {
	/** Sets whether rows are arrays. A database may be set to return arrays. */
	setReturnArrays?(enabled: boolean): void;
	/** Exists only in `bun:sqlite`. */
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
 * A prepared statement of better-sqlite3, libsql, `node:sqlite` or `bun:sqlite`. Its parameters are texts,
 * numbers and null, by position.
 */
export type SqliteStatement = RawStatement | ArrayStatement | ValuesStatement;

/** An open database of better-sqlite3, libsql, `node:sqlite` or `bun:sqlite`. Its methods are synchronous. */
export interface SqliteDatabase {
	/** Compiles a statement. */
	prepare(sql: string): SqliteStatement;
	/** Runs statements that have neither parameters nor rows. */
	exec(sql: string): unknown;
}

/** The value of a parameter. */
export type Parameter = string | number | null;

/** A {@link SqliteStatement} with the types that this code uses. */
export interface Statement {
	/** Runs a statement for its effect. */
	run(...parameters: Parameter[]): { readonly changes: number | bigint };
	/** Returns the rows of a statement. */
	all(...parameters: Parameter[]): unknown[];
	/** Returns the first row of a statement. */
	get?(...parameters: Parameter[]): unknown;
}

/**
 * Makes a statement return objects, whatever the host has set.
 *
 * @param statement - a statement that was compiled only for this use
 */
export function asObjects(statement: SqliteStatement): Statement {
	if ("setReturnArrays" in statement) statement.setReturnArrays?.(false);
	return statement as Statement;
}

/** Makes a statement return arrays if the client supports that, because arrays take less time. */
export function asArrays(statement: SqliteStatement): Statement {
	// The `raw` of bun:sqlite would run the statement. Its objects of one column are as fast as its arrays.
	if (typeof statement.values === "function") return statement as Statement;
	if ("raw" in statement) statement.raw?.(true);
	else if ("setReturnArrays" in statement) statement.setReturnArrays?.(true);
	return statement as Statement;
}

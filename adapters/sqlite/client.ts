/**
 * A prepared statement, as better-sqlite3, libsql and `node:sqlite` have it. It is given texts, numbers and null by position;
 * `never` only lets whatever types a client declares fit.
 */
export interface SqliteStatement {
	/** Runs a statement for its effect. */
	run(...parameters: never[]): {
		/** How many rows it changed. */
		readonly changes: number | bigint;
	};
	/** The rows of a statement, as objects with a property for each column. */
	all(...parameters: never[]): unknown[];
	/** The first row of a statement, which ends with it; undefined if there is none. Without it, all rows are asked for. */
	get?(...parameters: never[]): unknown;
	/** Whether rows come as arrays, in better-sqlite3 and libsql. */
	raw?(enabled: boolean): unknown;
	/** Whether rows come as arrays, in `node:sqlite`. A database can be set to give arrays there. */
	setReturnArrays?(enabled: boolean): void;
}

/** An open database, as better-sqlite3, libsql and `node:sqlite` have it: it answers at once. */
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
	/** The rows of a statement. */
	all(...parameters: Parameter[]): unknown[];
	/** The first row of a statement. */
	get?(...parameters: Parameter[]): unknown;
	/** Whether rows come as arrays. */
	raw?(enabled: boolean): unknown;
	/** Whether rows come as arrays. */
	setReturnArrays?(enabled: boolean): void;
}

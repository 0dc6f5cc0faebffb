import { OutlineError, type OutlineErrorCode } from "../../src/errors.js";

const noRoom = "there is no room left. Make some, then try again";

/** SQLite's result codes with a meaning for an outline, by number and by name. A longer code comes before its primary one. */
const meanings: readonly [number: number, name: string, code: OutlineErrorCode, message: string][] = [
	[
		5,
		"SQLITE_BUSY",
		"storage_unavailable",
		"another connection kept the database locked for longer than busyTimeout. Try again, or give it more time",
	],
	[
		6,
		"SQLITE_LOCKED",
		"storage_unavailable",
		"the database is locked by another statement of its own process. End that one, then try again",
	],
	[
		8,
		"SQLITE_READONLY",
		"storage_unavailable",
		"the database can't be written to. Open it for writing, and let this program write to its file and its folder",
	],
	// Opening a database creates a file of 32 KB beside it.
	[4874, "SQLITE_IOERR_SHMSIZE", "quota_exceeded", noRoom],
	[10, "SQLITE_IOERR", "storage_unavailable", "the disk reported an error. Check the disk, then try again"],
	[11, "SQLITE_CORRUPT", "storage_corrupt", "the database is damaged. Restore it from a copy"],
	[13, "SQLITE_FULL", "quota_exceeded", noRoom],
	[
		18,
		"SQLITE_TOOBIG",
		"too_large",
		"a text or a row is longer than this connection takes. Split it, or raise its limit",
	],
	[
		14,
		"SQLITE_CANTOPEN",
		"storage_unavailable",
		"the database file can't be opened. Check its path, and let this program write to its folder",
	],
	[26, "SQLITE_NOTADB", "storage_corrupt", "the file is no SQLite database. Choose another"],
];

/** The messages with which clients and V8 refuse a text that is too long, without a code of SQLite. */
const tooLong = /too big|too long|string longer than|invalid string length/i;

/** The messages with which clients refuse to use a database that the host has closed. */
const isClosed = /\bnot open\b|\bclosed\b/i;
const inTransaction = /(within|inside) a transaction/;
/** The words with which SQLite refuses bytes where a text or a number must be: it reads rows as JSON. */
const holdsBytes = /JSON cannot hold BLOB/i;
const nothingIsOpen = /no transaction is active|no such savepoint/;

/** Converts an error of a client to an `OutlineError`. */
export function fault(cause: unknown): OutlineError {
	if (cause instanceof OutlineError) return cause;
	const meaning = meanings.find(([number, name]) => hasCode(cause, number, name));
	const said = cause instanceof Error ? cause.message : String(cause);
	if (meaning !== undefined) return new OutlineError(meaning[2], `SQLite refused: ${meaning[3]} (${said}).`, { cause });
	if (isTooBig(cause)) {
		const message = `A text is longer than this client of SQLite takes. Split it, or write less at once (${said}).`;
		return new OutlineError("too_large", message, { cause });
	}
	if (holdsBytes.test(said)) return damaged("a row has bytes in place of a text or a number", cause);
	return new OutlineError("storage_unavailable", unavailable(said), { cause });
}

function unavailable(said: string): string {
	if (inTransaction.test(said)) {
		return `The host has a transaction open on this connection. Give the outline one of its own, or end the transaction first (${said}).`;
	}
	if (isClosed.test(said)) {
		return `The database is closed. Open it again, and create the storage with it; close the storage before the database (${said}).`;
	}
	return `The database refused: ${said}.`;
}

/** Returns the error for a table or view of another program. */
export function foreign(name: string, why: string): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`There is a ${name} in this database that isn't an outline's: ${why}. It was left as it is; choose another database.`,
	);
}

/** Returns the error for content that outlinekit can't have written. */
export function damaged(what: string, cause?: unknown): OutlineError {
	return new OutlineError("storage_corrupt", `The database is damaged: ${what}. Restore it from a copy.`, { cause });
}

/** Whether an error is SQLite's own, not one of the client or of a database that isn't open. */
export function hasResultCode(error: unknown): boolean {
	const { code, errcode } = codesOf(error);
	return typeof errcode === "number" || (typeof code === "string" && code.startsWith("SQLITE_"));
}

/** Whether an error means that another connection has locked the database. */
export function isBusy(error: unknown): boolean {
	return hasCode(error, 5, "SQLITE_BUSY");
}

/** Whether an error means that the database is read-only. */
export function isReadOnly(error: unknown): boolean {
	return hasCode(error, 8, "SQLITE_READONLY");
}

/** Whether an error means that a text would be longer than SQLite or the client allows. */
export function isTooBig(error: unknown): boolean {
	if (hasResultCode(error)) return hasCode(error, 18, "SQLITE_TOOBIG");
	return error instanceof Error && tooLong.test(error.message);
}

/** Whether an error of SQLite may have unexpected tables as its cause. */
export function mayComeOfTables(error: unknown): boolean {
	return hasCode(error, 1, "SQLITE_ERROR") || hasCode(error, 19, "SQLITE_CONSTRAINT");
}

/** Whether ending a transaction failed because there is none. */
export function saysNothingIsOpen(error: unknown): boolean {
	return nothingIsOpen.test(String((error as { message?: unknown } | null)?.message));
}

function hasCode(error: unknown, number: number, name: string): boolean {
	const { code, errcode } = codesOf(error);
	if (typeof errcode === "number") return errcode === number || (errcode & 0xff) === number;
	return typeof code === "string" && (code === name || code.startsWith(`${name}_`));
}

/**
 * Returns the codes of an error. better-sqlite3 and libsql have the name of the extended code, node:sqlite
 * has its number; both contain the primary code.
 */
function codesOf(error: unknown): { readonly code?: unknown; readonly errcode?: unknown } {
	return (error ?? {}) as { code?: unknown; errcode?: unknown };
}

/** Thrown if a durable commit has parts that aren't applied yet: see `settle`. */
export class Unsettled extends Error {}

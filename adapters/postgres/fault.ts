import { OutlineError, type OutlineErrorCode } from "../../src/errors.js";

/** SQLSTATEs, or their first two characters, with a meaning for an outline. */
const meanings: readonly [state: string, code: OutlineErrorCode, message: string][] = [
	["53100", "quota_exceeded", "its disk is full. Make room, then try again"],
	["XX001", "storage_corrupt", "its data is damaged. Restore it from a copy"],
	["XX002", "storage_corrupt", "an index of it is damaged. Rebuild it"],
	["42P01", "storage_unavailable", "the tables of outlinekit are missing. Create them (see postgresSchema)"],
	["42501", "storage_unavailable", "this user may not use the tables of outlinekit. Grant it what it needs"],
	["28", "storage_unavailable", "it doesn't let this user in. Check the user and the password"],
	["25006", "storage_unavailable", "it takes no writes. Connect to the primary server"],
];

/**
 * SQLSTATEs of passing failures: another transaction was in the way, or the server restarts or has no
 * connection left.
 */
const passing = ["40001", "40P01", "23505", "42P07", "42710", "55P03", "08", "57P", "53300"];

/** Errors of the network, and of a client whose connection has ended. */
const networkCodes = new Set([
	"ECONNRESET",
	"ECONNREFUSED",
	"ECONNABORTED",
	"EPIPE",
	"ETIMEDOUT",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"EAI_AGAIN",
	"ENOENT",
]);
const connectionLost = /connection (terminated|error|ended)|not queryable|connection timeout|socket (hang up|closed)/i;

/** Whether a retry after this failure makes sense. */
export function isPassing(cause: unknown): boolean {
	const { code, message, routine } = (cause ?? {}) as { code?: unknown; message?: unknown; routine?: unknown };
	// A table was altered after this connection compiled the statement. Another connection compiles it again.
	if (code === "0A000" && routine === "RevalidateCachedQuery") return true;
	if (typeof code === "string") return networkCodes.has(code) || passing.some((state) => code.startsWith(state));
	return typeof message === "string" && connectionLost.test(message);
}

/** The form of an SQLSTATE. Names of system errors such as EPIPE don't have it. */
const sqlState = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/**
 * Whether the server itself refused a statement, so that none of it was applied. Otherwise the outcome is
 * unknown.
 */
export function isRefusal(cause: unknown): boolean {
	const { code } = (cause ?? {}) as { code?: unknown };
	if (typeof code !== "string" || !sqlState.test(code)) return false;
	return !["08", "40003", "57P"].some((state) => code.startsWith(state));
}

/** Converts an error of a client to an `OutlineError`. */
export function fault(cause: unknown): OutlineError {
	if (cause instanceof OutlineError) return cause;
	const { code } = (cause ?? {}) as { code?: unknown };
	const meaning = typeof code === "string" ? meanings.find(([state]) => code.startsWith(state)) : undefined;
	const said = cause instanceof Error && cause.message !== "" ? cause.message : String(code ?? cause);
	return meaning === undefined
		? new OutlineError("storage_unavailable", `The database server can't be used now: ${said}.`, { cause })
		: new OutlineError(meaning[1], `The database server refused: ${meaning[2]} (${said}).`, { cause });
}

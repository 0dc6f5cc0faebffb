import { OutlineError, quoted } from "../../src/errors.js";

/**
 * The connection, or the transaction under it, is gone; a new one may well work. Browsers close connections of their own
 * accord (a tab in the background, a storage process that has crashed, site data that were cleared), and each names it
 * differently. We hold no transaction open without requests, so one that is inactive was ended by the browser as well.
 */
const lost = new Set(["AbortError", "InvalidStateError", "NotFoundError", "TimeoutError", "TransactionInactiveError"]);

/** What the browser itself failed at. It may be gone with the next connection. */
const failed = new Set(["UnknownError", "OperationError"]);

/** What a value that is stored gives when the file that it was put in is missing. */
const unreadable = new Set(["NotReadableError"]);

/** The browser's settings, or where the page comes from, don't allow IndexedDB. */
const refused = new Set(["SecurityError", "NotAllowedError"]);

/** Whether a new connection may help. */
export function isConnectionLost(error: unknown): boolean {
	const name = nameOf(error);
	return lost.has(name) || failed.has(name);
}

/**
 * What a failure of IndexedDB means for the storage: an error that says what to do, with the failure as its cause. What can
 * only be a mistake of this code is given back as it is.
 */
export function fault(doing: string, outline: string, cause: unknown): unknown {
	const name = nameOf(cause);
	const what = `${doing[0]!.toUpperCase()}${doing.slice(1)} the outline ${quoted(outline)} failed (${name}).`;
	if (name === "ConstraintError") {
		return new OutlineError("conflict", `${what} Somebody else has written there first.`, { cause });
	}
	if (name === "QuotaExceededError") {
		return new OutlineError(
			"quota_exceeded",
			`There is no room for ${doing} the outline ${quoted(outline)} (${name}). Nothing was written; free some space and try again.`,
			{ cause },
		);
	}
	if (unreadable.has(name)) {
		return new OutlineError(
			"storage_corrupt",
			`${what} The browser has lost a part of it. It was left as it is; restore the outline from a copy.`,
			{ cause },
		);
	}
	const advice = adviceFor(name);
	if (advice === undefined) return cause;
	return new OutlineError("storage_unavailable", `${what} ${advice}`, { cause });
}

function adviceFor(name: string): string | undefined {
	if (name === "VersionError") {
		return "A newer release of outlinekit has written it. It was left as it is; load the page anew, or install a newer outlinekit.";
	}
	if (refused.has(name)) return "The browser allows this page no storage: allow it site data, then try again.";
	if (lost.has(name))
		return "The connection was lost, and a new one too. Try again; if that doesn't help, load the page anew.";
	if (failed.has(name))
		return "The browser failed at it twice. Try again; if that doesn't help, start the browser anew.";
	return undefined;
}

function nameOf(error: unknown): string {
	return (error as { name?: unknown } | null)?.name?.toString() ?? "";
}

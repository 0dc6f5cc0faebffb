import { OutlineError, quoted } from "../../src/errors.js";

/**
 * The connection or the transaction is lost; a new one may work. Browsers close connections at any time (a
 * tab in the background, a crashed storage process, cleared site data), and each uses another error name.
 * This code keeps no transaction open without requests, so an inactive transaction was ended by the browser
 * too.
 */
const lost = new Set(["AbortError", "InvalidStateError", "NotFoundError", "TimeoutError", "TransactionInactiveError"]);

/** The browser itself failed. The next connection may work. */
const failed = new Set(["UnknownError", "OperationError"]);

/** Reading a stored value failed because the browser's file with it is missing. */
const unreadable = new Set(["NotReadableError"]);

/** The browser's settings, or the origin of the page, don't allow IndexedDB. */
const refused = new Set(["SecurityError", "NotAllowedError"]);

/** Whether a new connection may help. */
export function isConnectionLost(error: unknown): boolean {
	const name = nameOf(error);
	return lost.has(name) || failed.has(name);
}

/**
 * Converts a failure of IndexedDB to an error that says what to do, with the failure as its cause. Returns a
 * failure that can only be a bug of this code unchanged.
 */
export function fault(doing: string, outline: string, cause: unknown): unknown {
	const name = nameOf(cause);
	const what = `${doing[0]!.toUpperCase()}${doing.slice(1)} the outline ${quoted(outline)} failed (${name}).`;
	if (name === "ConstraintError") {
		return new OutlineError("conflict", `${what} Another tab has written there first.`, { cause });
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
		return "A newer release of outlinekit has written it. It was left as it is; reload the page, or install a newer outlinekit.";
	}
	if (refused.has(name)) return "The browser allows this page no storage: allow it site data, then try again.";
	if (lost.has(name))
		return "The connection was lost, and a new one too. Try again; if that doesn't help, reload the page.";
	if (failed.has(name)) return "The browser failed at it twice. Try again; if that doesn't help, restart the browser.";
	return undefined;
}

function nameOf(error: unknown): string {
	return (error as { name?: unknown } | null)?.name?.toString() ?? "";
}

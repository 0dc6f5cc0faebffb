import { OutlineError } from "../../errors.js";
import type { SyncAnswer } from "../protocol.js";

/** Ends a request early, as an `AbortSignal` does. */
export interface RemoteSignal {
	/** Whether the request has to end. */
	readonly aborted: boolean;
	/** Calls `listener` when the request has to end. */
	addEventListener(type: "abort", listener: () => void): void;
	/** Removes a listener. */
	removeEventListener(type: "abort", listener: () => void): void;
}

/** The place where an image broke off. */
export interface ImagePlace {
	/** The number of nodes that have arrived. */
	readonly after: number;
	/** The revision of the image. */
	readonly revision: number;
}

/**
 * The way from a replica to its server. `createHttpRemote` makes one over HTTP; a host can bind another
 * transport. Each method rejects with an `OutlineError`: with the server's code if the server refuses the
 * request, and with `storage_unavailable` if the server can't be reached. If that error has a
 * number `retryAfter`, an automatic replica waits so many seconds, at most 60. The replica treats any other error
 * as `storage_unavailable`.
 */
export interface Remote {
	/** Sends a push, line by line without line ends, and returns the answer. */
	push(lines: readonly string[], signal: RemoteSignal): Promise<SyncAnswer>;
	/**
	 * Loads the whole outline of the server: texts that are lines together, with line ends. With `from`, the
	 * answer continues an image that broke off, as `Outline.syncImage` does. A remote that can't do this ignores
	 * `from`.
	 */
	image(signal: RemoteSignal, from?: ImagePlace): AsyncIterable<string>;
	/**
	 * Calls `listener` with the server's revision after each commit, from a revision on. Settles when it has
	 * to end. A replica with a remote that can't do this asks twice a minute.
	 */
	watch?(since: number, listener: (revision: number) => void, signal: RemoteSignal): Promise<void>;
}

/** Returns the seconds that an error of a remote asks to wait; 0 for none. */
export function secondsAskedBy(error: unknown): number {
	const { retryAfter } = (error ?? {}) as { readonly retryAfter?: unknown };
	// With NaN, for example of a date that was read as a number, a timer wouldn't wait at all.
	return Math.max(Number(retryAfter) || 0, 0);
}

/** Returns an error of a remote or of the local storage as an `OutlineError`. */
export function outlineErrorOf(error: unknown, what = "The server can't be reached"): OutlineError {
	if (error instanceof OutlineError) return error;
	const { message = String(error), cause } = Object(error);
	// The message of `fetch` is the same for each cause, and that of several attempts is empty.
	const reason = cause?.message || cause?.code || message;
	return new OutlineError("storage_unavailable", `${what}: ${reason}`, { cause: error });
}

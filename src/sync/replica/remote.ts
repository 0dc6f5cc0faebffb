import { OutlineError } from "../../errors.js";
import type { SyncAnswer } from "../protocol.js";

/** Ends a request early: an `AbortSignal`. */
export interface RemoteSignal {
	/** Whether it has ended. */
	readonly aborted: boolean;
	/** Calls a listener when it ends. */
	addEventListener(type: "abort", listener: () => void): void;
	/** Removes a listener. */
	removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The way to the server of a replica. `createHttpRemote` makes one over HTTP; a host can bind another transport.
 * Each method rejects with an `OutlineError`: `storage_unavailable` if the server can't be reached, `unauthorized`,
 * `forbidden` or `wrong_outline`; or with a {@link SyncRefusal}.
 */
export interface Remote {
	/** Sends the lines of a push, without line ends. Returns the answer. */
	push(lines: readonly string[], signal: RemoteSignal): Promise<SyncAnswer>;
	/** Loads the whole outline of the server: texts that together are lines. */
	image(signal: RemoteSignal): AsyncIterable<string>;
	/**
	 * Calls `listener` with each new revision of the server after a revision. Rejects or resolves when it can't do
	 * so any longer. Without it, a replica asks twice a minute.
	 */
	watch?(since: number, listener: (revision: number) => void, signal: RemoteSignal): Promise<void>;
}

/** A refusal that a replica answers by itself. */
export class SyncRefusal extends Error {
	/** `sync_forked`, `sync_reset`, `changes_expired`, or a code of HTTP. */
	readonly code: string;
	/** With `sync_forked`: numbers of this device's entries with the digests that the server knows. */
	readonly digests: readonly (readonly [number, string])[];

	constructor(code: string, message: string, digests: SyncRefusal["digests"] = []) {
		super(message);
		this.code = code;
		this.digests = digests;
	}
}

/** The code of an error; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
	const { code } = (error ?? {}) as { code?: unknown };
	return typeof code === "string" ? code : undefined;
}

/** Returns an error as a replica rejects with it. */
export function outlineErrorOf(error: unknown): OutlineError {
	if (error instanceof OutlineError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return new OutlineError("storage_unavailable", `The server can't be used at the moment: ${message}`, { cause: error });
}

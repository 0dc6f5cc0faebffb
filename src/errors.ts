import type { OutlineNode } from "./node.js";

/**
 * The code of an error. Codes stay the same within a major version.
 *
 * | code | meaning |
 * |---|---|
 * | `not_found` | there is no node, key or calendar entry for the reference |
 * | `invalid_argument` | a value has the wrong type, or is out of the allowed range |
 * | `invalid_reference` | the text can't be a reference: empty, no existing date, or an address elsewhere |
 * | `unsupported_reference` | a well-formed reference, but this parameter doesn't take its form |
 * | `would_create_cycle` | the node would come under itself, directly or as its own mirror |
 * | `has_mirrors` | the node, or a node below it, is the origin of existing mirrors |
 * | `not_a_mirror` | the node is no mirror |
 * | `reserved_key` | a shortcut can't have this key, because it has another meaning |
 * | `forbidden` | the scope, or the API key, allows only a part of the outline, or only reading |
 * | `unauthorized` | a server that a replica synchronizes with has no such API key |
 * | `undo_blocked` | undo or redo would overwrite later changes of other writers |
 * | `changes_expired` | the tombstones that the answer needs have been pruned; begin again with revision 0 |
 * | `edit_conflict` | another edit changed the same words since the edit began, or both texts together are too long |
 * | `refused` | the host's `validate` refused the commit; `cause` is its error |
 * | `idempotency_mismatch` | the idempotency key belongs to another request |
 * | `conflict` | other writers kept changing the outline during all attempts |
 * | `storage_unavailable` | the storage can't be reached, read or written at the moment |
 * | `storage_corrupt` | the stored data is damaged, or isn't an outline |
 * | `quota_exceeded` | there is no room left |
 * | `too_large` | one commit may not write or create so much, or the storage could not read it again |
 * | `load_failed` | a module of the package that loads on first use couldn't be loaded |
 * | `wrong_outline` | the device belongs to another outline than the server's |
 * | `sync_forked` | two devices use one id, because one was copied; see `journal` |
 * | `sync_reset` | the server was restored from a copy: it lacks history that the device has |
 * | `sync_upgrade` | the device and the server speak different versions of the sync protocol |
 * | `closed` | the outline or its storage is closed |
 */
export type OutlineErrorCode =
	| "not_found"
	| "invalid_argument"
	| "invalid_reference"
	| "unsupported_reference"
	| "would_create_cycle"
	| "has_mirrors"
	| "not_a_mirror"
	| "reserved_key"
	| "forbidden"
	| "unauthorized"
	| "undo_blocked"
	| "changes_expired"
	| "edit_conflict"
	| "refused"
	| "idempotency_mismatch"
	| "conflict"
	| "storage_unavailable"
	| "storage_corrupt"
	| "quota_exceeded"
	| "too_large"
	| "load_failed"
	| "wrong_outline"
	| "sync_forked"
	| "sync_reset"
	| "sync_upgrade"
	| "closed";

/** The details of an {@link OutlineError}, beside its code and message. */
export interface OutlineErrorDetails {
	/** The error that caused this one, if any. */
	readonly cause?: unknown;
	/** With `has_mirrors`: the ids of the mirrors. */
	readonly mirrorIds?: readonly string[];
	/** With `undo_blocked`: the ids of the nodes that block it. */
	readonly nodeIds?: readonly string[];
	/** With `undo_blocked`: the shortcuts that block it. */
	readonly keys?: readonly string[];
	/** In a batch: the index of the operation that failed. */
	readonly operation?: number;
	/** With `edit_conflict`: the node as it is stored. */
	readonly stored?: OutlineNode;
	/** With `sync_forked`: the entries of the device that the server has. */
	readonly journal?: KnownJournal;
}

/** The entries of a device that a server has. */
export interface KnownJournal {
	/** The number of the last entry. */
	readonly last: number;
	/** The numbers and digests of the last 4,096 entries, in order. */
	readonly digests: readonly (readonly [seq: number, digest: string])[];
}

/** The only error class of outlinekit. Its `code` is for programs, its `message` for people. */
export class OutlineError extends Error {
	/** Always `OutlineError`. */
	override readonly name = "OutlineError";
	/** Stable within a major version. */
	readonly code: OutlineErrorCode;
	/** With `has_mirrors`: the ids of the mirrors; else undefined. */
	declare readonly mirrorIds: readonly string[] | undefined;
	/** With `undo_blocked`: the ids of the nodes that block it; else undefined. */
	declare readonly nodeIds: readonly string[] | undefined;
	/** With `undo_blocked`: the shortcuts that block it; else undefined. */
	declare readonly keys: readonly string[] | undefined;
	/** In a batch: the index of the operation that failed; else undefined. */
	declare readonly operation: number | undefined;
	/** With `edit_conflict`: the node as it is stored; else undefined. */
	declare readonly stored: OutlineNode | undefined;
	/** With `sync_forked`: the entries of the device that the server has; else undefined. */
	declare readonly journal: KnownJournal | undefined;

	/** For storages and hosts. The message names the value given, the values allowed and the next step. */
	constructor(code: OutlineErrorCode, message: string, details: OutlineErrorDetails = {}) {
		const { cause, ...rest } = details;
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		// A field without a value would show in each log.
		Object.assign(this, rest);
	}
}

/** Returns a value as an error message shows it: quoted, and cut if it is long. */
export function quoted(value: unknown): string {
	if (typeof value === "string") {
		return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
	}
	if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
	if (value === undefined) return "undefined";
	if (typeof value !== "object") return `a ${typeof value}`;
	if (value instanceof Promise) return "a promise, which must be awaited first";
	if (Array.isArray(value)) return "an array";
	// Of a built-in class, the name follows: an object Map.
	return `an ${Object.prototype.toString.call(value).slice(1, -1).replace(" Object", "")}`;
}

/** Returns the error for an argument, or a part of one, with a wrong value. @param allowed - the values it may have */
export function invalidArgument(name: string, given: unknown, allowed: string): OutlineError {
	return new OutlineError("invalid_argument", `${name} is ${quoted(given)}. It must be ${allowed}.`);
}

/** Whether an error says that another commit came first. */
export function isConflict(error: unknown): boolean {
	return error instanceof OutlineError && error.code === "conflict";
}

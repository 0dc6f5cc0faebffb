/**
 * What went wrong, as a code that stays the same within a major version.
 *
 * | code | meaning |
 * |---|---|
 * | `not_found` | no node, key or calendar entry answers to the reference |
 * | `invalid_argument` | a value has the wrong type, or is out of the allowed range |
 * | `invalid_reference` | the text can't be a reference: empty, a date that doesn't exist, an address of another host |
 * | `unsupported_reference` | a well-formed reference of a form that this parameter doesn't take |
 * | `would_create_cycle` | the node would come under itself, directly or as its own mirror |
 * | `has_mirrors` | the node, or one below it, is the origin of mirrors that still exist |
 * | `not_a_mirror` | the node is no mirror |
 * | `reserved_key` | a shortcut can't have this key: the outline gives it a meaning of its own |
 * | `forbidden` | the scope through which the outline was reached doesn't allow it: to write outside of it, or to write at all |
 * | `undo_blocked` | what would be undone or redone has been changed by others since |
 * | `idempotency_mismatch` | the idempotency key belongs to another request |
 * | `conflict` | others kept changing the outline while the operation was tried |
 * | `storage_unavailable` | the storage can't be reached, read or written at the moment |
 * | `storage_corrupt` | what is stored is damaged, or isn't an outline |
 * | `quota_exceeded` | there is no room left |
 * | `too_large` | it would write or make more than is allowed in one go, or than the storage could read again |
 * | `load_failed` | a part of the package that is loaded on first use couldn't be |
 * | `closed` | the outline or its storage has been closed |
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
	| "undo_blocked"
	| "idempotency_mismatch"
	| "conflict"
	| "storage_unavailable"
	| "storage_corrupt"
	| "quota_exceeded"
	| "too_large"
	| "load_failed"
	| "closed";

/** What an {@link OutlineError} carries besides its code and message. */
export interface OutlineErrorDetails {
	/** What made the operation fail, where something else did. */
	readonly cause?: unknown;
	/** With `has_mirrors`: the ids of the mirrors that stand in the way. */
	readonly mirrorIds?: readonly string[];
	/** With `undo_blocked`: the ids of the nodes that stand in the way. */
	readonly nodeIds?: readonly string[];
	/** With `undo_blocked`: the shortcuts that stand in the way. */
	readonly keys?: readonly string[];
	/** In a batch: the place of the operation that failed, from 0. */
	readonly operation?: number;
}

/** The one error class of outlinekit. Its `code` is for programs, its `message` for people. */
export class OutlineError extends Error {
	/** Always `OutlineError`. */
	override readonly name = "OutlineError";
	/** Stable within a major version. */
	readonly code: OutlineErrorCode;
	/** With `has_mirrors`: the ids of the mirrors that stand in the way; else undefined. */
	readonly mirrorIds: readonly string[] | undefined;
	/** With `undo_blocked`: the ids of the nodes that stand in the way; else undefined. */
	readonly nodeIds: readonly string[] | undefined;
	/** With `undo_blocked`: the shortcuts that stand in the way; else undefined. */
	readonly keys: readonly string[] | undefined;
	/** In a batch: the place of the operation that failed, from 0; else undefined. */
	readonly operation: number | undefined;

	/** For storages and hosts of one's own; the message says what was given, what is allowed and what to do. */
	constructor(code: OutlineErrorCode, message: string, details: OutlineErrorDetails = {}) {
		super(message, details.cause === undefined ? undefined : { cause: details.cause });
		this.code = code;
		this.mirrorIds = details.mirrorIds;
		this.nodeIds = details.nodeIds;
		this.keys = details.keys;
		this.operation = details.operation;
	}
}

/** A value as it may stand in an error message: quoted, and cut where it is long. */
export function quoted(value: unknown): string {
	if (typeof value === "string") {
		return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
	}
	if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
	if (value === undefined) return "undefined";
	if (typeof value !== "object") return `a ${typeof value}`;
	if (value instanceof Promise) return "a promise, which must be awaited first";
	return Array.isArray(value) ? "an array" : "an object";
}

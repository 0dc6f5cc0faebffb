import type { KnownJournal, OutlineErrorCode } from "../../../src/errors.js";
import type { OutlineNode } from "../../../src/node.js";
import { type AnswerHeaders, answerHeaders } from "./response.js";
import { type WireNode, wireNode } from "./wire.js";

/**
 * The error codes that only HTTP has.
 *
 * | code | status | meaning |
 * |---|---|---|
 * | `unauthorized` | 401 | there is no API key, or it is unknown |
 * | `method_not_allowed` | 405 | the path has other methods; `Allow` lists them |
 * | `request_timeout` | 408 | the body arrived too slowly |
 * | `payload_too_large` | 413 | the body is longer than the host accepts |
 * | `unsupported_media_type` | 415 | the body isn't JSON, or has a type or encoding that the endpoint doesn't accept |
 * | `rate_limited` | 429 | too many exports, or images of sync; `Retry-After` and `retry_after` have the seconds to wait |
 * | `internal` | 500 | the server failed, and the client can't change that |
 */
export type HttpErrorCode =
	| "unauthorized"
	| "method_not_allowed"
	| "request_timeout"
	| "payload_too_large"
	| "unsupported_media_type"
	| "rate_limited"
	| "internal";

/**
 * The `code` of an error body. Stable within a major version. `not_found` is an unknown path or an unknown
 * node.
 */
export type ProblemCode = OutlineErrorCode | HttpErrorCode;

/** The body of each error response: a problem of RFC 9457 with further members. */
export interface Problem {
	/** Always `about:blank`; `code` distinguishes the problems. */
	type: "about:blank";
	/** The name of the status, as RFC 9457 requires with `about:blank`. */
	title: string;
	/** The HTTP status. */
	status: number;
	/** A message for people. It may improve at any time. */
	detail: string;
	/** The error code for programs. */
	code: ProblemCode;
	/** The same text as `detail`, for clients that read this field. Spec §7. */
	error: string;
	/** The same text as `detail`, for clients that read this field. Spec §7. */
	message: string;
	/** With `unauthorized`: the same text as `detail`, for clients that read this field. Spec §7. */
	errors?: string;
	/** With `has_mirrors`: the ids of the mirrors that prevent the deletion. */
	mirror_ids?: string[];
	/** With `edit_conflict`: the node as it is stored. */
	node?: WireNode;
	/** In a batch: the index of the failed operation, from 0. */
	operation?: number;
	/** With `rate_limited`: the whole seconds until the next export is possible. */
	retry_after?: number;
	/** With `sync_forked`: the number of the device's last entry that the server has. */
	last?: number;
	/** With `sync_forked`: the numbers and digests of the last 4,096 entries that the server has, in order. */
	digests?: (readonly [seq: number, digest: string])[];
}

type ExtraMembers = Pick<Problem, "errors" | "mirror_ids" | "node" | "operation" | "retry_after" | "last" | "digests">;

/** The HTTP status of each code. */
export const statuses: Readonly<Record<ProblemCode, number>> = {
	invalid_argument: 400,
	invalid_reference: 400,
	unsupported_reference: 400,
	reserved_key: 400,
	unauthorized: 401,
	forbidden: 403,
	not_found: 404,
	method_not_allowed: 405,
	request_timeout: 408,
	has_mirrors: 409,
	not_a_mirror: 409,
	would_create_cycle: 409,
	undo_blocked: 409,
	conflict: 409,
	edit_conflict: 409,
	wrong_outline: 409,
	sync_forked: 409,
	sync_reset: 409,
	changes_expired: 410,
	payload_too_large: 413,
	too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
	refused: 422,
	sync_upgrade: 426,
	rate_limited: 429,
	internal: 500,
	storage_corrupt: 500,
	load_failed: 500,
	storage_unavailable: 503,
	closed: 503,
	quota_exceeded: 507,
};

/** The name of each status of an error. */
export const titles: Readonly<Record<number, string>> = {
	400: "Bad Request",
	401: "Unauthorized",
	403: "Forbidden",
	404: "Not Found",
	405: "Method Not Allowed",
	408: "Request Timeout",
	409: "Conflict",
	410: "Gone",
	413: "Content Too Large",
	415: "Unsupported Media Type",
	422: "Unprocessable Content",
	426: "Upgrade Required",
	429: "Too Many Requests",
	500: "Internal Server Error",
	503: "Service Unavailable",
	507: "Insufficient Storage",
};

/** The details for clients if the error's own message is only for the host. */
const serverDetails: Readonly<Record<number, string>> = {
	500: "The server failed to answer the request.",
	503: "The outline can't be reached at the moment. Try again later.",
	507: "There is no room left to store the change.",
};

/** An error of HTTP itself. It doesn't leave the binding: HTTP clients see its response. */
class Refusal extends Error {
	override readonly name = "Refusal";
	readonly code: ProblemCode;
	readonly headers: Readonly<Record<string, string>>;
	readonly members: ExtraMembers;

	constructor(code: ProblemCode, message: string, headers: Readonly<Record<string, string>>, members: ExtraMembers) {
		super(message);
		this.code = code;
		this.headers = headers;
		this.members = members;
	}
}

/**
 * Returns an error to throw. Its response has the status of `code`.
 *
 * @param headers - further headers of the response
 * @param members - further members of the body
 */
export function refusal(
	code: ProblemCode,
	detail: string,
	headers: Readonly<Record<string, string>> = {},
	members: ExtraMembers = {},
): Error {
	return new Refusal(code, detail, headers, members);
}

/**
 * Returns the HTTP status of an error by its `code`; 500 unless it is an `OutlineError`. Hosts can use it for
 * endpoints of their own.
 *
 * ```ts
 * app.onError((error) => Response.json({ error: error.message }, { status: statusOf(error) })); // Hono
 * ```
 */
export function statusOf(error: unknown): number {
	return statuses[codeOf(error)];
}

/** The body and the headers of an error response. From status 500 on, the body hides the error's message. */
export function problemOf(error: unknown): { readonly problem: Problem; readonly headers: AnswerHeaders } {
	const code = codeOf(error);
	const status = statuses[code];
	const detail = serverDetails[status] ?? (error as Error).message;
	const problem: Problem = {
		type: "about:blank",
		title: titles[status]!,
		status,
		detail,
		code,
		error: detail,
		message: detail,
		...extraMembers(error),
	};
	const headers = error instanceof Refusal ? error.headers : {};
	return { problem, headers: answerHeaders({ ...headers, "content-type": "application/problem+json" }) };
}

/** The error for a body with more bytes than allowed. */
export function tooLarge(maxBytes: number): Error {
	return refusal("payload_too_large", `The body is too large. It may have up to ${maxBytes} bytes.`);
}

/** The code of an error; `internal` unless it is an `OutlineError`. */
export function codeOf(error: unknown): ProblemCode {
	if (error instanceof Refusal) return error.code;
	// By name, not by class, because the outline may come from another copy of the package.
	if (!(error instanceof Error) || error.name !== "OutlineError" || !("code" in error)) return "internal";
	return typeof error.code === "string" && Object.hasOwn(statuses, error.code)
		? (error.code as ProblemCode)
		: "internal";
}

function extraMembers(error: unknown): ExtraMembers {
	if (error instanceof Refusal) return error.members;
	const {
		mirrorIds = [],
		operation,
		stored,
		journal,
	} = (error ?? {}) as {
		mirrorIds?: readonly string[];
		operation?: unknown;
		stored?: OutlineNode;
		journal?: KnownJournal;
	};
	return {
		...(codeOf(error) === "has_mirrors" && { mirror_ids: [...mirrorIds] }),
		...(codeOf(error) === "edit_conflict" && stored !== undefined && { node: wireNode(stored) }),
		...(codeOf(error) === "sync_forked" &&
			journal !== undefined && { last: journal.last, digests: [...journal.digests] }),
		...(typeof operation === "number" && { operation }),
	};
}

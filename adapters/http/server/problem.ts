import type { OutlineErrorCode } from "../../../src/errors.js";
import { type AnswerHeaders, answerHeaders } from "./response.js";

/**
 * What went wrong where only HTTP can go wrong.
 *
 * | code | status | meaning |
 * |---|---|---|
 * | `unauthorized` | 401 | there is no API key, or it is nobody's |
 * | `method_not_allowed` | 405 | the path takes other methods; `Allow` names them |
 * | `request_timeout` | 408 | the body came too slowly |
 * | `payload_too_large` | 413 | the body is longer than the host accepts |
 * | `unsupported_media_type` | 415 | the body isn't JSON, or not of a type that can be imported |
 * | `rate_limited` | 429 | too many exports; `Retry-After` and `retry_after` say when to come back |
 * | `internal` | 500 | something failed that the client can't help |
 */
export type HttpErrorCode =
	| "unauthorized"
	| "method_not_allowed"
	| "request_timeout"
	| "payload_too_large"
	| "unsupported_media_type"
	| "rate_limited"
	| "internal";

/** The `code` of an error body. Stable within a major version. An unknown path is `not_found`, as an unknown node is. */
export type ProblemCode = OutlineErrorCode | HttpErrorCode;

/** The body of every error response: RFC 9457, with members of our own. */
export interface Problem {
	/** Always `about:blank`: `code` tells the problems apart. */
	type: "about:blank";
	/** The name of the status, as RFC 9457 wants it beside `about:blank`. */
	title: string;
	/** The HTTP status. */
	status: number;
	/** What went wrong, for people. It may improve at any time. */
	detail: string;
	/** What went wrong, for programs. */
	code: ProblemCode;
	/** The detail again, for clients that read it here. */
	error: string;
	/** The detail again, for clients that read it here. */
	message: string;
	/** With `unauthorized`: the detail again, for clients that read it here. */
	errors?: string;
	/** With `has_mirrors`: the ids of the mirrors that stand in the way. */
	mirror_ids?: string[];
	/** In a batch: the place of the operation that failed, from 0. */
	operation?: number;
	/** With `rate_limited`: seconds until an export is possible, whole. */
	retry_after?: number;
}

type ExtraMembers = Pick<Problem, "errors" | "mirror_ids" | "operation" | "retry_after">;

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
	payload_too_large: 413,
	too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
	rate_limited: 429,
	internal: 500,
	storage_corrupt: 500,
	load_failed: 500,
	storage_unavailable: 503,
	closed: 503,
	quota_exceeded: 507,
};

/** The name of each status that an error can have. */
export const titles: Readonly<Record<number, string>> = {
	400: "Bad Request",
	401: "Unauthorized",
	403: "Forbidden",
	404: "Not Found",
	405: "Method Not Allowed",
	408: "Request Timeout",
	409: "Conflict",
	413: "Content Too Large",
	415: "Unsupported Media Type",
	422: "Unprocessable Content",
	429: "Too Many Requests",
	500: "Internal Server Error",
	503: "Service Unavailable",
	507: "Insufficient Storage",
};

/** What a client is told about an error whose message is none of its business. */
const serverDetails: Readonly<Record<number, string>> = {
	500: "The server failed to answer the request.",
	503: "The outline can't be reached at the moment. Try again later.",
	507: "There is no room left to store the change.",
};

/** An error that only HTTP knows. It stays within the binding: callers see its response. */
class Refusal extends Error {
	override readonly name = "Refusal";

	constructor(
		readonly code: ProblemCode,
		message: string,
		readonly headers: Readonly<Record<string, string>>,
		readonly members: ExtraMembers,
	) {
		super(message);
	}
}

/** An error to throw that is answered with the status of `code`, these headers and these members beside the usual ones. */
export function refusal(
	code: ProblemCode,
	detail: string,
	headers: Readonly<Record<string, string>> = {},
	members: ExtraMembers = {},
): Error {
	return new Refusal(code, detail, headers, members);
}

/**
 * The HTTP status that the interface answers an error with, by its `code`: for hosts that answer requests of their own. 500 for
 * everything that isn't an `OutlineError`.
 *
 * ```ts
 * app.onError((error, context) => context.json({ error: error.message }, statusOf(error)));
 * ```
 */
export function statusOf(error: unknown): number {
	return statuses[codeOf(error)];
}

/** What a request that failed with an error is told, and with which headers. From 500 on it is nothing but the code. */
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

function codeOf(error: unknown): ProblemCode {
	if (error instanceof Refusal) return error.code;
	// By name, not by class: the outline may come from another copy of the package than this handler.
	if (!(error instanceof Error) || error.name !== "OutlineError" || !("code" in error)) return "internal";
	return typeof error.code === "string" && Object.hasOwn(statuses, error.code)
		? (error.code as ProblemCode)
		: "internal";
}

function extraMembers(error: unknown): ExtraMembers {
	if (error instanceof Refusal) return error.members;
	const { mirrorIds = [], operation } = (error ?? {}) as { mirrorIds?: readonly string[]; operation?: unknown };
	return {
		...(codeOf(error) === "has_mirrors" && { mirror_ids: [...mirrorIds] }),
		...(typeof operation === "number" && { operation }),
	};
}

import { type Problem, type ProblemCode, titles } from "../server/problem.js";
import { integer, listOf, named, objectLike, type Schema, text } from "./schema.js";

/** What each code says, for people. */
const meanings: Readonly<Record<ProblemCode, string>> = {
	invalid_argument: "a value has the wrong type, or is out of the allowed range",
	invalid_reference: "the text can't be a reference: empty, a date that doesn't exist, an address of another host",
	unsupported_reference: "a well-formed reference of a form that this parameter doesn't take",
	reserved_key: "a shortcut can't have this key: the outline gives it a meaning of its own",
	unauthorized: "there is no API key, or it is nobody's",
	forbidden: "the API key opens no more than a part of the outline, or only for reading",
	not_found: "nothing answers to the reference, or there is no such endpoint for this outline",
	method_not_allowed: "the path takes other methods; `Allow` names them",
	request_timeout: "the body came too slowly",
	has_mirrors: "the node, or one below it, is the origin of mirrors that still exist: `mirror_ids`",
	not_a_mirror: "the node is no mirror",
	would_create_cycle: "the node would come under itself, directly or as its own mirror",
	undo_blocked: "what would be undone has been changed by others since",
	conflict: "others kept changing the outline while the operation was tried",
	payload_too_large: "the body is longer than the host accepts",
	too_large: "it would write or make more than is allowed in one go",
	unsupported_media_type: "the body is of a type that isn't taken here",
	idempotency_mismatch: "the `Idempotency-Key` has come with another request before",
	rate_limited: "too many exports; `Retry-After` and `retry_after` say when to come back",
	internal: "the server failed",
	storage_corrupt: "what is stored is damaged",
	load_failed: "a part of the server's code couldn't be loaded",
	storage_unavailable: "the outline can't be reached at the moment",
	closed: "the outline has been closed",
	quota_exceeded: "there is no room left",
};

type Base = Omit<Problem, "errors" | "mirror_ids" | "operation" | "retry_after">;

/** The named schema of what every error body has. */
export const problemSchema: Schema = objectLike<Base>("An error: RFC 9457, with members of its own.", {
	type: text("Always so: `code` tells the problems apart.", { const: "about:blank" }),
	title: text("The name of the status."),
	status: integer("The HTTP status."),
	detail: text("What went wrong, for people. It may improve at any time."),
	code: text(
		`What went wrong, for programs: ${Object.entries(meanings)
			.map(([code, meaning]) => `\`${code}\` (${meaning})`)
			.join("; ")}.`,
		{ enum: Object.keys(meanings) },
	),
	error: text("The detail again."),
	message: text("The detail again."),
});

/** The header with which a status comes. */
const headers: Readonly<Record<number, Schema>> = {
	401: { "WWW-Authenticate": { description: "How to ask.", schema: { type: "string", const: "Bearer" } } },
	429: { "Retry-After": { description: "Seconds until an export is possible.", schema: integer("Seconds.") } },
};

/** What a status has beside the usual members. */
const members: Readonly<Record<number, { readonly properties: Schema; readonly required: readonly string[] }>> = {
	401: { properties: { errors: text("The detail again.") }, required: ["errors"] },
	429: { properties: { retry_after: integer("Seconds until an export is possible.") }, required: ["retry_after"] },
};

const mirrorIds = listOf(named("NodeId"), "With `has_mirrors`: the mirrors that stand in the way.");
const place = integer("The place of the operation that failed, from 0, if one did.", { minimum: 0 });

/**
 * The error response with a status, which has one of these codes.
 *
 * @param inBatch - whether it says which of several operations has failed
 */
export function problemResponse(status: number, codes: readonly ProblemCode[], inBatch: boolean): Schema {
	const own = members[status];
	const properties = {
		status: { const: status },
		title: { const: titles[status] },
		code: { enum: codes },
		...own?.properties,
		...(codes.includes("has_mirrors") && { mirror_ids: mirrorIds }),
		...(inBatch && { operation: place }),
	};
	const schema = { allOf: [named("Problem"), { type: "object", properties, required: own?.required ?? [] }] };
	const description = codes.map((code) => `\`${code}\`: ${meanings[code]}`).join("; ");
	return {
		description: `${description}.`,
		...(headers[status] !== undefined && { headers: headers[status] }),
		content: { "application/problem+json": { schema } },
	};
}

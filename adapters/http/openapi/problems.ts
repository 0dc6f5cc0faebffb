import { type Problem, type ProblemCode, titles } from "../server/problem.js";
import { integer, listOf, named, objectLike, type Schema, text } from "./schema.js";

/** The meaning of each code, for people. */
const meanings: Readonly<Record<ProblemCode, string>> = {
	invalid_argument: "a value has the wrong type, or is out of the allowed range",
	invalid_reference: "the text can't be a reference: empty, a date that doesn't exist, an address of another host",
	unsupported_reference: "a valid reference, but in a form that this parameter doesn't accept",
	reserved_key: "a shortcut can't have this key, because the outline uses the key itself",
	unauthorized: "there is no API key, or it is unknown",
	forbidden: "the API key allows access to only a part of the outline, or only reading",
	not_found: "no node has the reference, or this outline has no such endpoint",
	method_not_allowed: "the path has other methods; `Allow` lists them",
	request_timeout: "the body arrived too slowly",
	has_mirrors: "the node, or a node below it, is the origin of mirrors that would stay: `mirror_ids`",
	not_a_mirror: "the node is no mirror",
	would_create_cycle: "the node would be below itself or below its own mirror",
	undo_blocked: "a later change prevents the undo",
	conflict: "other writers changed the outline during each attempt",
	edit_conflict:
		"another edit changed the same words, or both together are too long: `node` has the texts as they are stored",
	wrong_outline: "the device belongs to another outline",
	sync_forked: "two devices use one id: `last` and `digests` have the entries that the server knows",
	sync_reset: "the server lacks history that the device has, or the image can't be continued; load a new image",
	sync_upgrade: "the push has another version of the protocol",
	changes_expired:
		"deletions since the revision can't be read any more; begin again with revision 0, or with the image",
	payload_too_large: "the body is longer than the host accepts",
	too_large: "the operation would write or create more than one commit may have",
	unsupported_media_type: "the endpoint doesn't accept a body of this type",
	refused: "a rule of the host forbids the change; the detail says which",
	idempotency_mismatch: "an earlier, different request had the same `Idempotency-Key`",
	rate_limited: "too many exports or images; `Retry-After` and `retry_after` have the seconds to wait",
	internal: "the server failed",
	storage_corrupt: "the stored data is damaged",
	load_failed: "a part of the server's code couldn't be loaded",
	storage_unavailable: "the outline can't be reached at the moment",
	closed: "the outline has been closed",
	quota_exceeded: "the storage is full",
};

type Base = Omit<Problem, "errors" | "mirror_ids" | "node" | "operation" | "retry_after" | "last" | "digests">;

/** The named schema of the members that all error bodies have. */
export const problemSchema: Schema = objectLike<Base>("An error: a problem of RFC 9457 with further members.", {
	type: text("A constant; `code` distinguishes the problems.", { const: "about:blank" }),
	title: text("The name of the status."),
	status: integer("The HTTP status."),
	detail: text("A message for people. It may improve at any time."),
	code: text(
		`The error code for programs: ${Object.entries(meanings)
			.map(([code, meaning]) => `\`${code}\` (${meaning})`)
			.join("; ")}.`,
		{ enum: Object.keys(meanings) },
	),
	error: text("The same text as `detail`."),
	message: text("The same text as `detail`."),
});

/** The headers of some statuses. */
const headers: Readonly<Record<number, Schema>> = {
	401: { "WWW-Authenticate": { description: "The scheme to use.", schema: { type: "string", const: "Bearer" } } },
	429: { "Retry-After": { description: "Seconds until the request is possible.", schema: integer("Seconds.") } },
};

/** The further members of some statuses. */
const members: Readonly<Record<number, { readonly properties: Schema; readonly required: readonly string[] }>> = {
	401: { properties: { errors: text("The same text as `detail`.") }, required: ["errors"] },
	429: { properties: { retry_after: integer("Seconds until the request is possible.") }, required: ["retry_after"] },
};

const mirrorIds = listOf(named("NodeId"), "With `has_mirrors`: the mirrors that prevent the deletion.");
const storedNode = { allOf: [named("Node")], description: "With `edit_conflict`: the node as it is stored." };
const knownLast = integer("With `sync_forked`: the number of the device's last entry that the server has.", {
	minimum: 0,
});
const knownDigests = listOf(
	{ type: "array", prefixItems: [integer("The number of an entry."), text("Its digest.")], minItems: 2, maxItems: 2 },
	"With `sync_forked`: the last 4,096 entries of the device that the server has, in order.",
);
const operationIndex = integer("The index of the failed operation, from 0, if one failed.", { minimum: 0 });

/**
 * The error response of a status with some codes.
 *
 * @param inBatch - whether the response has the index of the failed operation
 */
export function problemResponse(status: number, codes: readonly ProblemCode[], inBatch: boolean): Schema {
	const own = members[status];
	const properties = {
		status: { const: status },
		title: { const: titles[status] },
		code: { enum: codes },
		...own?.properties,
		...(codes.includes("has_mirrors") && { mirror_ids: mirrorIds }),
		...(codes.includes("edit_conflict") && { node: storedNode }),
		...(codes.includes("sync_forked") && { last: knownLast, digests: knownDigests }),
		...(inBatch && { operation: operationIndex }),
	};
	const schema = { allOf: [named("Problem"), { type: "object", properties, required: own?.required ?? [] }] };
	const description = codes.map((code) => `\`${code}\`: ${meanings[code]}`).join("; ");
	return {
		description: `${description}.`,
		...(headers[status] !== undefined && { headers: headers[status] }),
		content: { "application/problem+json": { schema } },
	};
}

import type { Parameter } from "./operation.js";
import { named, type Schema, text } from "./schema.js";

/** The forms of a reference. */
const forms =
	"a full id, a short id (its last 12 hex digits), a shortcut, `inbox`, or a calendar key (`calendar`, `today`, `tomorrow`, " +
	"`next_week`, `YYYY`, `YYYY-MM`, `YYYY-MM-DD`)";

/** A reference to a node. */
export const reference = text(`A node: ${forms}.`);

/** A reference to a parent, which may be the top level. */
export const parentReference = text(`A node: ${forms}, an address of a node, or \`None\` for the top level.`);

/** The node in the path. */
export const idParameter: Parameter = {
	name: "id",
	in: "path",
	description: `The node: ${forms}.`,
	required: true,
	schema: { type: "string" },
};

/** A parameter of the query. */
export function inQuery(name: string, description: string, schema: Schema): Parameter {
	return { name, in: "query", description, schema };
}

/** The header that makes a repeated request run once. */
export const idempotencyKey: Parameter = {
	name: "Idempotency-Key",
	in: "header",
	description:
		"A text that the client chooses for a request. If the client sends the request again with the same text, the server " +
		"changes nothing and repeats the first answer. A different request with the text is `idempotency_mismatch`.",
	schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
};

/** The policy of a deletion for mirrors of deleted origins. */
export const mirrorsParameter: Parameter = inQuery(
	"mirrors",
	"The policy for mirrors that stay when their origin is deleted. Default `reject`.",
	named("MirrorsOfDeleted"),
);

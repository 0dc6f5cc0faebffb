import type { Parameter } from "./operation.js";
import { named, type Schema, text } from "./schema.js";

/** The forms of a reference. */
const forms =
	"a full id, a short id (its last 12 hex digits), a shortcut, `inbox`, or a calendar key (`calendar`, `today`, `tomorrow`, " +
	"`next_week`, `YYYY`, `YYYY-MM`, `YYYY-MM-DD`)";

/** A reference to a node that an operation works on. */
export const reference = text(`A node: ${forms}.`);

/** A reference to a place where nodes can be. */
export const parentReference = text(`A node: ${forms}, an address of a node, or \`None\` for the top level.`);

/** The node that stands in the path. */
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

/** What makes a request that is sent again happen once. */
export const idempotencyKey: Parameter = {
	name: "Idempotency-Key",
	in: "header",
	description:
		"A text that the client makes up for a request. If the request is sent again with it, nothing happens again and the " +
		"first answer is given again; another request with it is `idempotency_mismatch`.",
	schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
};

/** What a deletion makes of the mirrors of what it deletes. */
export const mirrorsParameter: Parameter = inQuery(
	"mirrors",
	"What becomes of mirrors that stay when their origin goes. Default `reject`.",
	named("MirrorsOfDeleted"),
);

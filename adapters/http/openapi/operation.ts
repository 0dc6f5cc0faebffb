import { type ProblemCode, statuses } from "../server/problem.js";
import { problemResponse } from "./problems.js";
import type { Schema } from "./schema.js";

/** A parameter of the path, of the query or in a header. */
export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly description: string;
	readonly required?: true;
	readonly schema: Schema;
}

/** The description of an operation, from which {@link operationObject} makes an Operation Object. */
export interface Operation {
	readonly operationId: string;
	readonly tag: "nodes" | "reading" | "changes" | "sync" | "files" | "description";
	readonly summary: string;
	readonly description?: string;
	readonly parameters?: readonly Parameter[];
	/** The schemas of request bodies by media type. */
	readonly takes?: Readonly<Record<string, Schema>>;
	/** Whether the request must have a body. */
	readonly bodyRequired?: boolean;
	/** The schemas of successful answers by media type. */
	readonly gives: Readonly<Record<string, Schema>>;
	/** The description of a successful answer. */
	readonly answer: string;
	/** The error codes. */
	readonly codes: readonly ProblemCode[];
	/** Whether an error may be of one operation of a batch. */
	readonly inBatch?: boolean;
	/** Whether the request needs no API key. */
	readonly open?: true;
}

/** The operations of each path, by method. */
export type Paths<O> = Readonly<Record<string, Readonly<Partial<Record<"get" | "post" | "delete", O>>>>>;

/** The error codes of all requests to an outline. */
const everywhere = [
	"unauthorized",
	"conflict",
	"internal",
	"storage_corrupt",
	"load_failed",
	"storage_unavailable",
	"closed",
] as const;
const ofBodies = ["invalid_argument", "request_timeout", "payload_too_large", "unsupported_media_type"] as const;
const ofWrites = ["refused", "forbidden", "quota_exceeded", "too_large"] as const;

/** An operation that reads. Adds the codes that all reading operations have. */
export function reads(operation: Operation): Operation {
	return { ...operation, codes: ["refused", ...operation.codes, ...everywhere] };
}

/** An operation that writes. Adds the codes that all writing operations have. */
export function writes(operation: Operation): Operation {
	const usual = [...everywhere, ...ofWrites, ...(operation.takes === undefined ? [] : ofBodies)];
	return { ...operation, codes: [...operation.codes, ...usual] };
}

/** An Operation Object of OpenAPI. */
export interface OperationObject {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description?: string;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: Schema;
	readonly responses: Readonly<Record<string, Schema>>;
	readonly security?: readonly Schema[];
}

/** Converts the description of an operation. */
export function operationObject(operation: Operation): OperationObject {
	const { tag, takes, bodyRequired = false, gives, answer, codes, inBatch, open, ...said } = operation;
	return {
		...said,
		tags: [tag],
		...(takes !== undefined && { requestBody: { required: bodyRequired, content: contentOf(takes) } }),
		responses: {
			200: { description: answer, content: contentOf(gives) },
			...Object.fromEntries(
				problemsOf(operation).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
			),
		},
		...(open && { security: [] }),
	};
}

/** An error response. Operations with the same codes share it. */
export interface NamedProblem {
	readonly status: number;
	readonly name: string;
	readonly response: Schema;
}

/** The statuses of errors of one operation in a batch. All other statuses are errors of the whole request. */
const statusesOfOperations = new Set([400, 403, 404, 409]);

/** The error responses of an operation, by status. */
export function problemsOf({ codes, inBatch = false }: Operation): NamedProblem[] {
	const statusesOfCodes = [...new Set(codes.map((code) => statuses[code]))].sort((left, right) => left - right);
	return statusesOfCodes.map((status) => {
		const ofStatus = [...new Set(codes.filter((code) => statuses[code] === status))].sort();
		const placed = inBatch && statusesOfOperations.has(status);
		const name = [...(placed ? ["batch"] : []), ...ofStatus].join("-");
		return { status, name, response: problemResponse(status, ofStatus, placed) };
	});
}

function contentOf(schemas: Readonly<Record<string, Schema>>): Schema {
	return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
}

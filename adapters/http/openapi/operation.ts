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

/** An operation as it is described here. */
export interface Operation {
	readonly operationId: string;
	readonly tag: "nodes" | "reading" | "changes" | "files" | "description";
	readonly summary: string;
	readonly description?: string;
	readonly parameters?: readonly Parameter[];
	/** The bodies that it takes, by media type. */
	readonly takes?: Readonly<Record<string, Schema>>;
	/** Whether it must have a body. */
	readonly bodyRequired?: boolean;
	/** The answers it gives, by media type. */
	readonly gives: Readonly<Record<string, Schema>>;
	/** What the answer is. */
	readonly answer: string;
	/** What can go wrong. */
	readonly codes: readonly ProblemCode[];
	/** Whether one of several operations may be what goes wrong. */
	readonly inBatch?: boolean;
	/** Whether it is answered to everybody, without an API key. */
	readonly open?: true;
}

/** The operations of each path, by method. */
export type Paths<O> = Readonly<Record<string, Readonly<Partial<Record<"get" | "post" | "delete", O>>>>>;

/** What goes wrong wherever an outline is asked. */
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
const ofWrites = ["forbidden", "quota_exceeded", "too_large"] as const;

/** An operation that reads the outline; in `codes`, what can go wrong beside what can with all of these. */
export function reads(operation: Operation): Operation {
	return { ...operation, codes: [...operation.codes, ...everywhere] };
}

/** An operation that changes the outline; in `codes`, what can go wrong beside what can with all of these. */
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

/** An operation in the words of OpenAPI. */
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

/** An error response, which all operations share that can fail in the same ways. */
export interface NamedProblem {
	readonly status: number;
	readonly name: string;
	readonly response: Schema;
}

/** The statuses of what an operation of a batch can fail with; the others are of the request as a whole. */
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

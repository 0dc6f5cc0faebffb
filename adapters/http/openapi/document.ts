import { answerSchemas } from "./answer-schemas.js";
import { filePaths } from "./file-paths.js";
import { inputSchemas } from "./input-schemas.js";
import { nodePaths } from "./node-paths.js";
import { nodeSchemas } from "./node-schemas.js";
import { type Operation, type OperationObject, operationObject, type Paths, problemsOf } from "./operation.js";
import { problemSchema } from "./problems.js";
import { readingPaths } from "./reading-paths.js";
import type { Schema } from "./schema.js";
import { syncPaths, syncSchemas } from "./sync-paths.js";

/** An OpenAPI document. */
export interface OpenApiDocument {
	readonly openapi: string;
	readonly info: Readonly<Record<"title" | "version" | "description", string>>;
	readonly servers: readonly { readonly url: string }[];
	readonly security: readonly Schema[];
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly paths: Paths<OperationObject>;
	readonly components: {
		readonly schemas: Readonly<Record<string, Schema>>;
		readonly responses: Readonly<Record<string, Schema>>;
		readonly securitySchemes: Readonly<Record<string, Schema>>;
	};
}

const paths: Paths<Operation> = { ...nodePaths, ...readingPaths, ...syncPaths, ...filePaths };

function ofEach<A, B>(values: Readonly<Record<string, A>>, make: (value: A) => B): Record<string, B> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}

/** The description of all endpoints in OpenAPI 3.1, including the ones that an outline may lack. */
export const openApiDocument: OpenApiDocument = {
	openapi: "3.1.0",
	info: {
		title: "Outline",
		version: "1",
		description: [
			"An outline of nodes in a tree, with mirrors, completion, a calendar and shortcuts.",
			"Each outline has the endpoints of nodes, targets and `nodes-export`. An outline may lack other endpoints: their " +
				"answer is then 404, `not_found`.",
			"The server ignores unknown fields of a body, unknown parameters, and a slash at the end of a path. The answer to " +
				"an unknown path is 404, `not_found`; the answer to another method is 405, `method_not_allowed`. Both have a " +
				"`Problem` as body.",
			"Future versions may add members to answers.",
		].join("\n\n"),
	},
	// Relative to the document's own address, so it is also right if the host mounts the handler under a
	// prefix.
	servers: [{ url: "../.." }],
	security: [{ apiKey: [] }],
	tags: [
		{ name: "nodes", description: "Nodes, and operations on them." },
		{ name: "reading", description: "Requests that read more than one node." },
		{ name: "changes", description: "Changes, for clients that keep a copy." },
		{ name: "sync", description: "Sync, for devices that hold the outline and change it offline." },
		{ name: "files", description: "The outline as a file." },
		{ name: "description", description: "This document." },
	],
	paths: ofEach(paths, (methods) => ofEach(methods, operationObject)),
	components: {
		schemas: { ...nodeSchemas, ...inputSchemas, ...answerSchemas, ...syncSchemas, Problem: problemSchema },
		responses: Object.fromEntries(
			Object.values(paths)
				.flatMap((methods) => Object.values(methods).flatMap(problemsOf))
				.map(({ name, response }) => [name, response]),
		),
		securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "The API key of a user." } },
	},
};

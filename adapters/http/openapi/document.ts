import { answerSchemas } from "./answer-schemas.js";
import { filePaths } from "./file-paths.js";
import { inputSchemas } from "./input-schemas.js";
import { nodePaths } from "./node-paths.js";
import { nodeSchemas } from "./node-schemas.js";
import { type Operation, type OperationObject, operationObject, type Paths, problemsOf } from "./operation.js";
import { problemSchema } from "./problems.js";
import { readingPaths } from "./reading-paths.js";
import type { Schema } from "./schema.js";

/** A document that describes an interface over HTTP. */
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

const paths: Paths<Operation> = { ...nodePaths, ...readingPaths, ...filePaths };

function ofEach<A, B>(values: Readonly<Record<string, A>>, make: (value: A) => B): Record<string, B> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}

/** The interface that the handler serves, with everything that an outline may offer. OpenAPI 3.1. */
export const openApiDocument: OpenApiDocument = {
	openapi: "3.1.0",
	info: {
		title: "Outline",
		version: "1",
		description: [
			"An outline of nodes in a tree, with mirrors, completion, a calendar and shortcuts.",
			"All that an outline may offer is described here. A host may serve one that offers less, beyond the endpoints of nodes, " +
				"of targets and of `nodes-export`: what isn't there is answered with 404, `not_found`.",
			"Unknown fields of a body and unknown parameters are ignored. A slash at the end of a path makes no difference. A path " +
				"that isn't described here is answered with 404, `not_found`, and another method with 405, `method_not_allowed`; " +
				"both come with a `Problem`.",
			"Answers may get further members in the future.",
		].join("\n\n"),
	},
	// From the place of the document to where its paths begin: also right where a host mounts the handler under a prefix.
	servers: [{ url: "../.." }],
	security: [{ apiKey: [] }],
	tags: [
		{ name: "nodes", description: "Nodes, and what can be done with them." },
		{ name: "reading", description: "What reads more than one node." },
		{ name: "changes", description: "What has changed, for those who keep a copy." },
		{ name: "files", description: "The outline as a file." },
		{ name: "description", description: "This document." },
	],
	paths: ofEach(paths, (methods) => ofEach(methods, operationObject)),
	components: {
		schemas: { ...nodeSchemas, ...inputSchemas, ...answerSchemas, Problem: problemSchema },
		responses: Object.fromEntries(
			Object.values(paths)
				.flatMap((methods) => Object.values(methods).flatMap(problemsOf))
				.map(({ name, response }) => [name, response]),
		),
		securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "The API key of a user." } },
	},
};

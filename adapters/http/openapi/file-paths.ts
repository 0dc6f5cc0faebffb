import { fileFormats, fileTypes } from "../server/media-types.js";
import { type Operation, type Paths, reads, writes } from "./operation.js";
import { inQuery, parentReference } from "./parameters.js";
import { named, type Schema, text, word } from "./schema.js";

const format = {
	...inQuery("format", "The format of the file.", word("A format.", Object.keys(fileFormats))),
	required: true,
} as const;

function each(types: readonly string[], schema: Schema): Readonly<Record<string, Schema>> {
	return Object.fromEntries(types.map((type) => [type, schema]));
}

/** The endpoints of exports and imports. */
export const filePaths: Paths<Operation> = {
	"/api/v1/export": {
		get: reads({
			operationId: "exportFile",
			tag: "files",
			summary: "Write the outline, or a node with its subtree, into a file",
			description:
				"Streamed. The limit is one export of the whole outline a minute, unless the host sets another limit.",
			parameters: [format, inQuery("root", "The node to write. Default: the whole outline.", parentReference)],
			gives: each(
				Object.values(fileFormats).map(({ type }) => type),
				text("The file, in UTF-8."),
			),
			answer: "The file.",
			codes: ["invalid_argument", "invalid_reference", "not_found", "rate_limited"],
		}),
	},
	"/api/v1/import": {
		post: writes({
			operationId: "importFile",
			tag: "files",
			summary: "Create all nodes of a file, or none",
			parameters: [
				format,
				inQuery("parent_id", "The parent of the nodes. Default: the top level.", parentReference),
				inQuery("position", "The end of the list of siblings.", word("Default `bottom`.", ["top", "bottom"])),
			],
			takes: each(fileTypes, text("The file.")),
			gives: { "application/json": named("ImportAnswer") },
			answer: "All nodes have been created.",
			codes: ["invalid_argument", "invalid_reference", "unsupported_reference", "not_found"],
		}),
	},
};

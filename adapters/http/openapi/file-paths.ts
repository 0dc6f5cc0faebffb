import { fileFormats, fileTypes } from "../endpoints/exchange.js";
import { type Operation, type Paths, reads, writes } from "./operation.js";
import { inQuery, parentReference } from "./parameters.js";
import { named, type Schema, text, word } from "./schema.js";

const format = {
	...inQuery("format", "What the file is written in.", word("A format.", Object.keys(fileFormats))),
	required: true,
} as const;

function each(types: readonly string[], schema: Schema): Readonly<Record<string, Schema>> {
	return Object.fromEntries(types.map((type) => [type, schema]));
}

/** The endpoints that give and take files. */
export const filePaths: Paths<Operation> = {
	"/api/v1/export": {
		get: reads({
			operationId: "exportFile",
			tag: "files",
			summary: "Write the outline, or a node and all below it, into a file",
			description: "Streamed. The whole outline can be asked for once a minute, unless the host says otherwise.",
			parameters: [format, inQuery("root", "What to write. Default: everything.", parentReference)],
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
			summary: "Create all that is in a file, or nothing",
			parameters: [
				format,
				inQuery("parent_id", "Below which node. Default: at the top level.", parentReference),
				inQuery("position", "At which end.", word("Default `bottom`.", ["top", "bottom"])),
			],
			takes: each(fileTypes, text("The file.")),
			gives: { "application/json": named("ImportAnswer") },
			answer: "All has been created.",
			codes: ["invalid_argument", "invalid_reference", "unsupported_reference", "not_found"],
		}),
	},
};

import type { Command } from "../command.ts";
import { Failure } from "../failure.ts";
import { outlineOptions } from "../shared-options.ts";

const { json: _, ...options } = outlineOptions;

export const mcp: Command = {
	name: "mcp",
	summary: "Serve the outline to a language model, by the Model Context Protocol",
	arguments: [],
	options: {
		root: { value: "node", variable: "OUTLINEKIT_ROOT", help: "serve only this node and all below it" },
		"read-only": { variable: "OUTLINEKIT_READ_ONLY", help: "offer no tools that write; in the environment: 1" },
		...options,
	},
	details:
		"A client starts this program and speaks to it over stdin and stdout. No tool deletes. It needs two packages:\nnpm install @modelcontextprotocol/sdk zod",
	async run(call) {
		const { serveMcp } = await import("../mcp/main.ts").catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
			throw new Failure(
				"missing_package",
				"This command needs two packages. Install them beside outlinekit: npm install @modelcontextprotocol/sdk zod",
			);
		});
		await serveMcp(call);
	},
};

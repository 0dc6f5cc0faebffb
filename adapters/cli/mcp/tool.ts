import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { OutlineError } from "outlinekit";
import type { z } from "zod";

/** The result of a tool: the same for a model to read, and for a program. */
export interface ToolAnswer<Content> {
	readonly text: string;
	readonly content: Content;
}

/** A tool of the server. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
	readonly name: string;
	/** For people. */
	readonly title: string;
	/** For the model. */
	readonly description: string;
	readonly input: Input;
	readonly output: Output;
	readonly annotations: ToolAnnotations;
	run(input: z.output<Input>): Promise<ToolAnswer<z.input<Output>>>;
}

/** Runs the tools of a server, and knows which calls are under way. */
export class Calls {
	readonly #server: McpServer;
	readonly #running = new Set<Promise<CallToolResult>>();

	constructor(server: McpServer) {
		this.#server = server;
	}

	/** Adds a tool. An error of it becomes the answer, for the model to handle: no call ends the server. */
	register<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): void {
		const { name, title, description, input: inputSchema, output: outputSchema } = tool;
		const annotations = { ...tool.annotations, openWorldHint: false };
		const configuration = { title, description, inputSchema: inputSchema as z.ZodObject, outputSchema, annotations };
		this.#server.registerTool(name, configuration, (input) => {
			const call = tool.run(input as z.output<Input>).then(resultOf, errorOf);
			this.#running.add(call);
			return call.finally(() => this.#running.delete(call));
		});
	}

	/** Waits for the calls under way. */
	async settled(): Promise<void> {
		await Promise.all(this.#running);
	}
}

function resultOf({ text, content }: ToolAnswer<object>): CallToolResult {
	return { content: [{ type: "text", text }], structuredContent: { ...content } };
}

function errorOf(error: unknown): CallToolResult {
	if (error instanceof OutlineError) return refusal(`${error.code}: ${error.message}`);
	console.error(error);
	return refusal("internal: The server failed, and has written why to its log.");
}

function refusal(text: string): CallToolResult {
	return { content: [{ type: "text", text }], isError: true };
}

import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
	ErrorCode,
	McpError,
	SubscribeRequestSchema,
	UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type Outline, OutlineError } from "outlinekit";
import { type Live, liveQuery } from "outlinekit/live";
import { lineOf } from "./node.ts";
import { readPage } from "./page.ts";
import type { Part } from "./part.ts";

const scheme = "outline://node/";

/**
 * Adds a resource for each node: its text with its subtree, as the tool `read` returns it. The list has the
 * nodes of targets. Notifies subscribers whenever the text of a resource changes.
 *
 * @param outline - the whole, which tells what is committed
 * @returns what ends all subscriptions
 */
export function registerResources(server: McpServer, part: Part, outline: Outline): () => void {
	const read = async (uri: string) => {
		const { text } = await readPage(part, referenceIn(uri), { depth: 3, limit: 100 });
		return text;
	};
	const list = async () => {
		const targets = await part.outline.targets();
		return {
			resources: targets.flatMap(({ key, name }) =>
				name === null ? [] : [{ uri: scheme + encodeURIComponent(key), name: lineOf(name) }],
			),
		};
	};
	server.registerResource(
		"node",
		new ResourceTemplate(`${scheme}{reference}`, { list }),
		{ description: "A node of the outline with what is below it.", mimeType: "text/markdown" },
		async ({ href }) => ({ contents: [{ uri: href, mimeType: "text/markdown", text: await read(href) }] }),
	);

	const watches = new Map<string, Live<string | undefined>>();
	const end = (uri: string) => {
		watches.get(uri)?.close();
		watches.delete(uri);
	};
	server.server.registerCapabilities({ resources: { subscribe: true } });
	server.server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
		referenceIn(uri);
		end(uri);
		// That a node doesn't exist (yet, or any more) is an answer as well.
		const watch = liveQuery(outline, () => read(uri).catch(codeOf), { onError: console.error });
		watches.set(uri, watch);
		await watch.ready;
		let known = watch.current;
		watch.subscribe(() => {
			if (watch.current === known) return;
			known = watch.current;
			void server.server.sendResourceUpdated({ uri });
		});
		return {};
	});
	server.server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
		end(uri);
		return {};
	});
	return () => {
		for (const uri of watches.keys()) end(uri);
	};
}

/** The reference in the address of a resource. Throws if it is no such address. */
function referenceIn(uri: string): string {
	const unknown = new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`);
	if (!uri.startsWith(scheme)) throw unknown;
	try {
		return decodeURIComponent(uri.slice(scheme.length));
	} catch {
		throw unknown;
	}
}

function codeOf(error: unknown): string {
	if (error instanceof OutlineError) return error.code;
	throw error;
}

import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
	ListResourcesRequestSchema,
	ListResourceTemplatesRequestSchema,
	McpError,
	ReadResourceRequestSchema,
	SubscribeRequestSchema,
	UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type Outline, OutlineError } from "outlinekit";
import { type Live, liveQuery } from "outlinekit/live";
import { lineOf } from "./node.ts";
import { readPage } from "./page.ts";
import type { Part } from "./part.ts";

const scheme = "outline://node/";
const mimeType = "text/markdown";
const description = "A node of the outline with what is below it.";
/** The protocol's code for a resource that isn't found. The SDK has no name for it. */
const resourceNotFound = -32002;
/** The codes of a reference without a node. */
const unresolved = new Set(["not_found", "invalid_reference", "unsupported_reference"]);

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
	// The SDK's own handlers answer an unknown resource with other codes, and announce changes of the list.
	server.server.registerCapabilities({ resources: { subscribe: true } });
	server.server.setRequestHandler(ListResourcesRequestSchema, async () => {
		const targets = await part.outline.targets();
		return {
			resources: targets.flatMap(({ key, name }) =>
				name === null ? [] : [{ uri: scheme + encodeURIComponent(key), name: lineOf(name), mimeType, description }],
			),
		};
	});
	server.server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
		resourceTemplates: [{ name: "node", uriTemplate: `${scheme}{reference}`, mimeType, description }],
	}));
	server.server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
		const text = await read(uri).catch((error) => {
			throw unresolved.has(error.code) ? notFound(uri, error.message) : error;
		});
		return { contents: [{ uri, mimeType, text }] };
	});

	const watches = new Map<string, Live<string | undefined>>();
	const end = (uri: string) => {
		watches.get(uri)?.close();
		watches.delete(uri);
	};
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
	if (!uri.startsWith(scheme)) throw notFound(uri, `There is no resource ${uri}.`);
	try {
		return decodeURIComponent(uri.slice(scheme.length));
	} catch {
		throw notFound(uri, `There is no resource ${uri}.`);
	}
}

function notFound(uri: string, message: string): McpError {
	return new McpError(resourceNotFound, message, { uri });
}

function codeOf(error: unknown): string {
	if (error instanceof OutlineError) return error.code;
	throw error;
}

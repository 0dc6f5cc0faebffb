import { OutlineError, quoted } from "../../src/errors.js";
import type { Call } from "./call.js";
import { offered } from "./options.js";
import { type WireNode, wireNode } from "./wire.js";

/** The most nodes in one answer, and how many there are if the request doesn't say. */
const mostNodes = 10_000;
const usualNodes = 1000;

/**
 * `GET /api/v1/tree`: what is visible in the outline, or of a node (`root`, any reference) and below it; each node before those
 * below it, with its `path`. Further parameters: `depth`, `limit`, `completed`, `mirrors`, and `cursor` to go on.
 */
export async function readTree({ outline, query, signal }: Call): Promise<object> {
	const cursor = query.get("cursor");
	const depth = numberIn(query, "depth");
	const mirrors = query.get("mirrors");
	const walk = offered(outline, "walk")(query.get("root"), {
		budget: limitIn(query),
		completed: flagIn(query, "completed"),
		...(depth !== undefined && { depth }),
		...(mirrors !== null && { mirrors: mirrors as "follow" }),
		...(cursor !== null && { cursor }),
	});
	const nodes: (WireNode & { path: string[] })[] = [];
	for await (const { node, path } of walk) {
		signal.throwIfAborted();
		nodes.push({ ...wireNode(node), path });
	}
	return { nodes, cursor: walk.cursor };
}

/** `GET /api/v1/changes?since=`: the nodes that have changed since a revision, and the ids of those that were deleted. */
export async function listChanges({ outline, query }: Call): Promise<object> {
	const changes = offered(outline, "changes");
	const { nodes, deleted, revision, more } = await changes({
		since: sinceIn(query.get("since")),
		limit: limitIn(query),
	});
	return { nodes: nodes.map(wireNode), deleted, revision, more };
}

/**
 * `GET /api/v1/search?q=`: the nodes that a query finds, the best first, each with its `path` and `score`. Parameters: `within`,
 * a reference to search below, and `limit`, 1 to 1,000.
 */
export async function searchNodes({ outline, query }: Call): Promise<object> {
	const limit = numberIn(query, "limit");
	const hits = await offered(outline, "search")(query.get("q") ?? "", {
		within: query.get("within"),
		...(limit !== undefined && { limit }),
	});
	return { nodes: hits.map(({ node, path, score }) => ({ ...wireNode(node), path, score })) };
}

/** `GET /api/v1/tags`: the tags in names and notes with how many nodes bear each, the most frequent first. */
export async function listTags({ outline }: Call): Promise<object> {
	const tags = await offered(outline, "tags")();
	return { tags: tags.map(({ tag, count }) => ({ tag, count })) };
}

/** `GET /api/v1/nodes/:id/backlinks`: the nodes whose name or note links to a node, each with its `path`. */
export async function listBacklinks({ outline, id }: Call): Promise<object> {
	const hits = await offered(outline, "backlinks")(id);
	return { nodes: hits.map(({ node, path }) => ({ ...wireNode(node), path })) };
}

function limitIn(query: URLSearchParams): number {
	const limit = numberIn(query, "limit") ?? usualNodes;
	if (limit >= 1 && limit <= mostNodes) return limit;
	throw new OutlineError("invalid_argument", `limit is ${limit}. It must be from 1 to ${mostNodes}.`);
}

/** The revision that a client knows; 0 if it says none. @throws `invalid_argument` */
export function sinceIn(text: string | null): number {
	return text === null ? 0 : wholeNumber("since", text);
}

/** A whole number in a query; undefined if there is none. @throws `invalid_argument` */
function numberIn(query: URLSearchParams, name: string): number | undefined {
	const text = query.get(name);
	return text === null ? undefined : wholeNumber(name, text);
}

function wholeNumber(name: string, text: string): number {
	if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw new OutlineError("invalid_argument", `${name} is ${quoted(text)}. It must be a whole number from 0.`);
}

function flagIn(query: URLSearchParams, name: string): boolean {
	const text = query.get(name) ?? "true";
	if (text === "true" || text === "false") return text === "true";
	throw new OutlineError("invalid_argument", `${name} is ${quoted(text)}. It must be true or false.`);
}

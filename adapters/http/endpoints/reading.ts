import { OutlineError, quoted } from "../../../src/errors.js";
import type { OutlineChanges } from "../../../src/read/changes.js";
import type { Occurrence, Walk } from "../../../src/read/walk.js";
import { listOf } from "../server/json-text.js";
import { offered } from "../server/options.js";
import type { Call } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { wholeOrStream } from "../server/text-stream.js";
import { type WireNode, wireNode } from "./wire.js";

/** The most nodes in one answer, and how many there are if the request doesn't say. */
const mostNodes = 10_000;
const usualNodes = 1000;

/** How many characters of JSON the nodes of a tree have at most, unless it is one node. */
const treeLength = 4_194_304;

/** How many characters of texts the nodes of changes have at most, unless it is one commit. With all else it is as much. */
export const changesLength = 1_048_576;

/** About how many characters of JSON a node has besides its texts, and how many are written in one go. */
const usualLength = 400;
const mostInRow = 16_384;

/** How many ids a path has at most. The whole paths of a deep tree would be longer than all else that is in it. */
const pathLength = 32;

/** How many nodes that link to another are given. */
const mostBacklinks = 1000;

/**
 * `GET /api/v1/tree`: what is visible in the outline, or of a node (`root`, any reference) and below it; each node before those
 * below it, with its `path` and `depth`. Further parameters: `depth`, `limit`, `completed`, `mirrors`, and `cursor` to go on.
 */
export async function readTree({ outline, query, signal, report }: Call): Promise<TextBody> {
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
	return new TextBody(await wholeOrStream(treePieces(walk, signal), signal, report), "application/json");
}

/** The JSON text of a tree, as far as there is room for it, and where it goes on. */
async function* treePieces(walk: Walk, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
	let separator = '{"nodes":[';
	let length = 0;
	let row: object[] = [];
	let rowLength = 0;
	for await (const { node, path } of walk) {
		signal.throwIfAborted();
		const item = { ...placed(node, path), depth: path.length - 1 };
		const about = usualLength + node.name.length + (node.note?.length ?? 0);
		// Of a short node it is known well enough how long it is. Many are written in one go, which takes half the time.
		const isLong = about > mostInRow;
		const itemLength = isLong ? JSON.stringify(item).length : about;
		if (length + rowLength > 0 && length + rowLength + itemLength > treeLength) break;
		row.push(item);
		rowLength += itemLength;
		if (rowLength < mostInRow) continue;
		const text = separator + JSON.stringify(row).slice(1, -1);
		separator = ",";
		length += text.length;
		row = [];
		rowLength = 0;
		yield text;
	}
	const rest = row.length === 0 && separator === "," ? "" : separator + JSON.stringify(row).slice(1, -1);
	yield `${rest}],"cursor":${JSON.stringify(walk.cursor)}}`;
}

/** `GET /api/v1/changes?since=`: the nodes that have changed since a revision, and the ids of those that were deleted. */
export async function listChanges({ outline, query }: Call): Promise<object> {
	const since = sinceIn(query.get("since"));
	const changes = offered(outline, "changes");
	return wireChanges(await changes({ since, limit: limitIn(query), characters: changesLength }));
}

/** Changes in the shape of the interface. */
export function wireChanges({ nodes, deleted, revision, more }: OutlineChanges): object {
	return { nodes: listOf(nodes, wireNode), deleted, revision, more };
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
	return { nodes: hits.map(({ node, path, score }) => ({ ...placed(node, path), score })) };
}

/** `GET /api/v1/tags`: the tags in names and notes with how many nodes bear each, the most frequent first. */
export async function listTags({ outline }: Call): Promise<object> {
	const tags = await offered(outline, "tags")();
	return { tags: tags.map(({ tag, count }) => ({ tag, count })) };
}

/**
 * `GET /api/v1/nodes/:id/backlinks`: the nodes whose name or note links to a node, each with its `path`. Where there are too many
 * for an answer, `more` says so.
 */
export async function listBacklinks({ outline, id }: Call): Promise<object> {
	const hits = await offered(outline, "backlinks")(id);
	const nodes = hits.slice(0, mostBacklinks).map(({ node, path }) => placed(node, path));
	return hits.length > mostBacklinks ? { nodes, more: true } : { nodes };
}

/** A node with the innermost part of its path. */
function placed(node: Occurrence["node"], path: Occurrence["path"]): WireNode & { path: string[] } {
	return { ...wireNode(node), path: path.slice(-pathLength) };
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

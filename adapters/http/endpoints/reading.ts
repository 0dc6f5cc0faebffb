import { invalidArgument, OutlineError } from "../../../src/errors.js";
import type { OutlineChanges } from "../../../src/read/changes.js";
import type { SearchHit } from "../../../src/read/search/options.js";
import type { Occurrence, Walk } from "../../../src/read/walk.js";
import { listOf } from "../server/json-text.js";
import { offered } from "../server/options.js";
import type { AuthenticatedRequest } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { wholeOrStream } from "../server/text-stream.js";
import { type WireHit, type WireNode, wireNode } from "../server/wire.js";

/** The most nodes in one answer, and their number if the request has no `limit`. */
const mostNodes = 10_000;
const usualNodes = 1000;

/** The most characters of JSON in the nodes of a tree. One node alone may have more. */
const treeLength = 4_194_304;

/** The most characters of names and notes in an answer with changes. One commit alone may have more. */
export const changesLength = 1_048_576;

/** The approximate characters of JSON in a node without its texts, and in the nodes written at once. */
const usualLength = 400;
const mostInRow = 16_384;

/** The most ids in a path. In a deep tree, whole paths would be longer than everything else. */
const pathLength = 32;

/** The most characters of an ancestor's name, and the most ranges in a text. */
const nameLength = 200;
const mostRanges = 32;

/** The most backlinks in one answer. */
const mostBacklinks = 1000;

/**
 * `GET /api/v1/tree`: the visible nodes of the outline, or a node (`root`, any reference) and the visible
 * nodes below it. Each node comes before its children, with its `path` and `depth`. Further parameters:
 * `depth`, `limit`, `completed`, `mirrors`, and `cursor` to continue an earlier answer.
 */
export async function readTree({ outline, query, signal, report }: AuthenticatedRequest): Promise<TextBody> {
	const cursor = query.get("cursor");
	const depth = numberIn(query, "depth");
	const mirrors = query.get("mirrors");
	const walk = offered(outline, "walk")(query.get("root"), {
		budget: limitIn(query),
		completed: flagIn(query, "completed", true),
		...(depth !== undefined && { depth }),
		...(mirrors !== null && { mirrors: mirrors as "follow" }),
		...(cursor !== null && { cursor }),
	});
	return new TextBody(await wholeOrStream(treePieces(walk, signal), signal, report), "application/json");
}

/** The JSON of a tree, up to {@link treeLength} characters of nodes, and the cursor to continue. */
async function* treePieces(walk: Walk, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
	let separator = '{"nodes":[';
	let length = 0;
	let row: object[] = [];
	let rowLength = 0;
	let path: string[] = [];
	let onPath = new Set<string>();
	for await (const occurrence of walk) {
		signal.throwIfAborted();
		const { node } = occurrence;
		// Below a mirror of one of its ancestors, a node may be on its path twice. Then its id doesn't tell the place.
		const isUnclear = onPath.size < path.length;
		while (!isUnclear && path.length > 0 && path.at(-1) !== node.parentId) onPath.delete(path.pop()!);
		// To ask the walk for each path takes long at great depths.
		if (isUnclear || path.length === 0) {
			path = [...occurrence.path];
			onPath = new Set(path);
		} else {
			path.push(node.id);
			onPath.add(node.id);
		}
		const item = { ...placed(node, path), depth: path.length - 1 };
		const { name, note, properties } = node;
		const about = usualLength + name.length + (note?.length ?? 0) + JSON.stringify(properties).length;
		// The estimate is good enough for a short node. Writing many of them at once takes half the time.
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

/** `GET /api/v1/changes?since=`: the changed nodes, and the ids of the deleted nodes, since a revision. */
export async function listChanges({ outline, query }: AuthenticatedRequest): Promise<object> {
	const since = sinceIn(query.get("since"));
	const changes = offered(outline, "changes");
	return wireChanges(await changes({ since, limit: limitIn(query), characters: changesLength }));
}

/** The JSON value of changes. */
export function wireChanges({ nodes, deleted, keys, revision, more }: OutlineChanges): object {
	const wireKeys = keys.map(({ key, type, nodeId }) => ({ key, type, node_id: nodeId }));
	return { nodes: listOf(nodes, wireNode), deleted, keys: wireKeys, revision, more };
}

/**
 * `GET /api/v1/search?q=`: the nodes that match a query, the best first, each with its `path` and `score`.
 * Parameters: `within` is a reference to the node to search in, `limit` is 1 to 1,000, `order` is `score` or
 * `date`. With `ancestors` and `ranges`, hits have the names above them and the parts of their texts that match.
 */
export async function searchNodes({ outline, query }: AuthenticatedRequest): Promise<object> {
	const limit = numberIn(query, "limit");
	const order = query.get("order");
	const hits = await offered(outline, "search")(query.get("q") ?? "", {
		within: query.get("within"),
		ancestors: flagIn(query, "ancestors", false),
		ranges: flagIn(query, "ranges", false),
		pathLength: pathLength + 1,
		...(limit !== undefined && { limit }),
		...(order !== null && { order: order as "date" }),
	});
	return { nodes: hits.map(wireHit) };
}

function wireHit({ node, path, score, date, ancestors, ranges }: SearchHit): WireHit {
	const hit: WireHit = { ...placed(node, path), score };
	if (date !== undefined) hit.date = date;
	if (ancestors !== undefined) {
		hit.ancestors = ancestors.slice(-pathLength).map(({ id, name }) => ({ id, name: shortName(name) }));
	}
	if (ranges !== undefined) {
		hit.ranges = { name: ranges.name.slice(0, mostRanges), note: ranges.note.slice(0, mostRanges) };
	}
	return hit;
}

/** Returns a name, or the beginning of its text if it is long. Both are fragments. */
function shortName(name: string): string {
	if (name.length <= nameLength) return name;
	const text = name.slice(0, 10 * nameLength).replace(/<[^>]*>?|&\w*$/g, "");
	return text.replace(/^((?:&\w+;|[^&]){199}).+/su, "$1…");
}

/**
 * `GET /api/v1/tags`: the tags in names and notes with the number of their nodes, the most frequent first.
 */
export async function listTags({ outline }: AuthenticatedRequest): Promise<object> {
	const tags = await offered(outline, "tags")();
	return { tags: tags.map(({ tag, count }) => ({ tag, count })) };
}

/**
 * `GET /api/v1/nodes/:id/backlinks`: the nodes whose name or note links to a node, each with its `path`.
 * `more` is true if there are more than 1,000.
 */
export async function listBacklinks({ outline, id }: AuthenticatedRequest): Promise<object> {
	const hits = await offered(outline, "backlinks")(id, { limit: mostBacklinks + 1, pathLength });
	const nodes = hits.slice(0, mostBacklinks).map(({ node, path }) => placed(node, path));
	return hits.length > mostBacklinks ? { nodes, more: true } : { nodes };
}

/** A node with the last {@link pathLength} ids of its path. */
function placed(node: Occurrence["node"], path: Occurrence["path"]): WireNode & { path: string[] } {
	return { ...wireNode(node), path: path.slice(-pathLength) };
}

function limitIn(query: URLSearchParams): number {
	const limit = numberIn(query, "limit") ?? usualNodes;
	if (limit >= 1 && limit <= mostNodes) return limit;
	throw new OutlineError("invalid_argument", `limit is ${limit}. It must be from 1 to ${mostNodes}.`);
}

/** The revision that a client sends; 0 if it sends none. @throws `invalid_argument` */
export function sinceIn(text: string | null): number {
	return text === null ? 0 : wholeNumber("since", text);
}

/** A whole number in the query; undefined if it is absent. @throws `invalid_argument` */
function numberIn(query: URLSearchParams, name: string): number | undefined {
	const text = query.get(name);
	return text === null ? undefined : wholeNumber(name, text);
}

/** A whole number that a client sends. @throws `invalid_argument` */
export function wholeNumber(name: string, text: string): number {
	if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw invalidArgument(name, text, "a whole number from 0");
}

export function flagIn(query: URLSearchParams, name: string, usual: boolean): boolean {
	const text = query.get(name) ?? String(usual);
	if (text === "true" || text === "false") return text === "true";
	throw invalidArgument(name, text, "true or false");
}

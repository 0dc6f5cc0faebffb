import { ask, type Operation } from "../engine/protocol.js";
import { nodeView, type OutlineNode } from "../node.js";
import type { StoredNode } from "../storage.js";

/** The length, in characters of JSON, up to which a receipt keeps the whole result. */
const longestWhole = 4096;

/** The fewest characters of JSON that a node takes, without its texts. */
const nodeLength = 200;

/** The number of nodes in one query. */
const nodesAtOnce = 1000;

/** A node of a result. The nodes of a tree have children. */
interface ResultNode extends OutlineNode {
	children?: ResultNode[];
}

/** The result of an operation that may have an idempotency key: a node, a tree, or the results of a batch. */
type Result = ResultNode | { readonly results: readonly (ResultNode | null)[] };

/** A result whose nodes have ids alone. */
interface ResultById {
	readonly byId: Result;
}

/**
 * Returns the text of a result for a receipt: the whole result if it is short; otherwise its structure with
 * the ids of its nodes. So a receipt is never much longer than its request.
 *
 * @throws RangeError for a tree that is nested too deeply
 */
export function keptResult(result: Result): string {
	if (isShort(result)) {
		const whole = JSON.stringify(result);
		if (whole.length <= longestWhole) return whole;
	}
	return JSON.stringify({ byId: result } satisfies ResultById, (_, value: unknown) => {
		if (!isNode(value)) return value;
		return "children" in value ? { id: value.id, children: value.children } : { id: value.id };
	});
}

/**
 * Returns the result of a receipt. If the receipt has only ids, the nodes are as they are now. A node that
 * has been deleted since has its id and empty fields.
 */
export function* resultOf(kept: string): Operation<Result> {
	const result: Result | ResultById = JSON.parse(kept);
	if (!("byId" in result)) return result;
	const nodes = [...nodesIn(result.byId)];
	for (let start = 0; start < nodes.length; start += nodesAtOnce) {
		const some = nodes.slice(start, start + nodesAtOnce);
		const [related] = yield* ask({ type: "related", ids: some.map(({ id }) => id) });
		const found = new Map(related.map((node) => [node.record.id, node]));
		for (const node of some) Object.assign(node, viewOf(node.id, found.get(node.id)));
	}
	return result.byId;
}

function viewOf(id: string, node: StoredNode | undefined): OutlineNode {
	if (node !== undefined) return nodeView(node);
	return {
		id,
		parentId: null,
		name: "",
		note: null,
		priority: 0,
		layoutMode: "bullets",
		completed: false,
		createdAt: 0,
		modifiedAt: 0,
		completedAt: null,
	};
}

function isShort(result: Result): boolean {
	let length = 0;
	for (const { name, note, properties } of nodesIn(result)) {
		length += nodeLength + name.length + (note?.length ?? 0);
		if (properties !== undefined) length += JSON.stringify(properties).length;
		if (length > longestWhole) return false;
	}
	return true;
}

/** Yields the nodes of a result, with all nodes of a tree. */
function* nodesIn(result: Result): Generator<ResultNode> {
	const waiting: (ResultNode | null)[] = "results" in result ? result.results.toReversed() : [result];
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		if (node === null) continue;
		yield node;
		for (const child of node.children ?? []) waiting.push(child);
	}
}

function isNode(value: unknown): value is ResultNode {
	return typeof value === "object" && value !== null && "layoutMode" in value;
}

import { ask, type Operation } from "../engine/protocol.js";
import { nodeView, type OutlineNode } from "../node.js";
import type { StoredNode } from "../storage.js";
import type { BatchResult } from "./batch.js";
import type { OutlineTree } from "./create-tree.js";

/** The longest result, in characters of JSON, that a receipt keeps whole. */
const longestWhole = 4096;

/** The fewest characters of JSON that a node takes, its texts aside. */
const nodeLength = 200;

/** How many nodes are read at once. */
const nodesAtOnce = 1000;

/** The result of an operation that may have an idempotency key. */
type Result = OutlineNode | OutlineTree | BatchResult;

/** A result without all that its nodes hold besides their ids. */
interface ResultById {
	readonly byId: Result;
}

/**
 * The text that a receipt keeps of a result: the whole of a short one; of a longer one its shape with the ids of its nodes. So
 * a receipt is never much longer than the request that it is about.
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
 * The result that a receipt stands for. Of a long one, the nodes are as they are now; one that has been deleted since has its
 * id, and nothing in its other fields.
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
	for (const { name, note } of nodesIn(result)) {
		length += nodeLength + name.length + (note?.length ?? 0);
		if (length > longestWhole) return false;
	}
	return true;
}

/** The nodes of a result, those below a tree's root included. */
function* nodesIn(result: Result): Generator<OutlineNode> {
	const waiting: (OutlineNode | OutlineTree | null)[] = "results" in result ? result.results.toReversed() : [result];
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		if (node === null) continue;
		yield node;
		if ("children" in node) for (const child of node.children) waiting.push(child);
	}
}

function isNode(value: unknown): value is OutlineNode | OutlineTree {
	return typeof value === "object" && value !== null && "layoutMode" in value;
}

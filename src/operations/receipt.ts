import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { nodeView, type OutlineNode } from "../node.js";
import type { StoredNode } from "../storage.js";
import { isTooLong, oldestReceipts, receiptChanges, receiptIn, receiptQuery } from "./receipt-document.js";
import { requestJson } from "./request-json.js";

/** The shortest lifetime of a receipt, in seconds. */
const lifetime = 24 * 60 * 60;

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

/** The scopes through which a request came. */
export interface Scopes {
	/** Their references. The same key within another scope is another key. */
	readonly refs: readonly string[];
	/** Runs an operation on the nodes that the scopes show. */
	readonly seen: <T>(operation: Operation<T>) => Operation<T>;
}

/** A request with an idempotency key. */
interface Request {
	readonly key: string;
	/** The method and its arguments, as JSON. */
	readonly text: string;
	/** Its time, in Unix seconds. */
	readonly seconds: number;
	readonly scopes: Scopes | undefined;
}

/**
 * Runs an operation unless it has run with the same key before. Then returns the first result.
 *
 * @throws `idempotency_mismatch`; `invalid_argument` for a key that is too long with the references of its scopes
 */
export function* runOnce<T>(
	{ key, text, seconds, scopes }: Request,
	changes: Changes,
	operation: Operation<T>,
): Operation<T> {
	const stored = scopes === undefined ? key : JSON.stringify([...scopes.refs, key]);
	if (isTooLong(stored)) {
		throw new OutlineError("invalid_argument", "The idempotency key and the references of its scopes are too long.");
	}
	const fingerprint = fingerprintOf(text);
	const [found, oldest] = yield* ask(receiptQuery(stored), oldestReceipts);
	const receipt = receiptIn(found, stored);
	if (receipt !== null) {
		if (receipt.request === fingerprint) {
			const first = resultOf(receipt.result) as Operation<T>;
			return yield* scopes === undefined ? first : scopes.seen(first);
		}
		throw new OutlineError(
			"idempotency_mismatch",
			`The idempotency key ${quoted(key)} belongs to another request. Repeat that request exactly, or take a new key.`,
		);
	}
	const result = yield* operation;
	const added = { key: stored, request: fingerprint, createdAt: seconds, result: keptResult(result as Result) };
	changes.changeDocuments(receiptChanges(added, oldest, seconds - lifetime));
	return result;
}

/** Returns a 64-bit fingerprint of a request. It isn't cryptographic: no caller gains from a collision. */
function fingerprintOf(text: string): string {
	let low = 0xdeadbeef;
	let high = 0x41c6ce57;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		low = Math.imul(low ^ unit, 0x9e3779b1);
		high = Math.imul(high ^ unit, 0x5f356495);
	}
	const hex = (half: number) => (half >>> 0).toString(16).padStart(8, "0");
	return `${hex(low ^ (high >>> 15))}${hex(high ^ (low >>> 13))}-${text.length}`;
}

/**
 * Returns the text of a result for a receipt: the whole result if it is short; otherwise its structure with
 * the ids of its nodes. So a receipt is never much longer than its request.
 *
 * @throws `invalid_argument` for a tree that is nested too deeply
 */
function keptResult(result: Result): string {
	if (isShort(result)) {
		const whole = requestJson(result);
		if (whole.length <= longestWhole) return whole;
	}
	return requestJson({ byId: result } satisfies ResultById, (_, value) => {
		if (!isNode(value)) return value;
		return "children" in value ? { id: value.id, children: value.children } : { id: value.id };
	});
}

/**
 * Returns the result of a receipt. If the receipt has only ids, the nodes are as they are now. A node that
 * has been deleted since has its id and empty fields.
 */
function* resultOf(kept: string): Operation<Result> {
	const result: Result | ResultById = JSON.parse(kept);
	if (!("byId" in result)) {
		// Nodes of earlier versions had no properties.
		for (const node of nodesIn(result)) node.properties ??= {};
		return result;
	}
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
		properties: {},
	};
}

function isShort(result: Result): boolean {
	let length = 0;
	for (const { name, note, properties } of nodesIn(result)) {
		length += nodeLength + name.length + (note?.length ?? 0) + JSON.stringify(properties).length;
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

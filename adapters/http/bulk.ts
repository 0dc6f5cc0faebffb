import type { BatchOperation } from "../../src/batch.js";
import { OutlineError, quoted } from "../../src/errors.js";
import type { CreateTreeInput } from "../../src/inputs.js";
import type { OutlineNode } from "../../src/node.js";
import type { OutlineTree } from "../../src/tree-input.js";
import type { JsonObject } from "./body.js";
import type { Call } from "./call.js";
import { idempotent } from "./idempotency.js";
import { offered } from "./options.js";

/** `POST /api/v1/trees`: creates a node with everything below it. `item_ids` has all of them, each before those below it. */
export async function createTree({ outline, body, header }: Call): Promise<object> {
	const input = { ...(fieldsFrom(body) as unknown as CreateTreeInput), ...idempotent(header) };
	return createdTree(await offered(outline, "createTree")(input));
}

/**
 * `POST /api/v1/batch`: several requests as one, all done or none. Each operation has the body of the request that it stands
 * for, with its `type`, and as `id` what that request has in its path; its result is the answer of that request.
 */
export async function batch({ outline, body, header }: Call): Promise<object> {
	const { operations } = body;
	if (!Array.isArray(operations)) {
		throw new OutlineError("invalid_argument", `operations is ${quoted(operations)}. Send an array of operations.`);
	}
	const given = operations.map((operation: unknown) =>
		isObject(operation) ? fieldsFrom(operation) : operation,
	) as BatchOperation[];
	const { results, ids } = await offered(outline, "batch")(given, idempotent(header));
	return { results: results.map((result, place) => answer(given[place]!.type, result)), ids };
}

/** What the request that an operation stands for would have answered. */
function answer(type: BatchOperation["type"], result: OutlineNode | OutlineTree | null): object {
	if (type === "createTree") return createdTree(result as OutlineTree);
	if (type === "create") return { item_id: result!.id };
	return type === "mirror" ? createdMirror(result!) : { status: "ok" };
}

function createdTree(tree: OutlineTree): object {
	const ids: string[] = [];
	for (const upcoming = [tree]; upcoming.length > 0; ) {
		const node = upcoming.pop()!;
		ids.push(node.id);
		for (const child of node.children.toReversed()) upcoming.push(child);
	}
	return { item_id: tree.id, item_ids: ids };
}

/** The answer about a mirror that has been made. Spec §4.7. */
export function createdMirror(node: OutlineNode): object {
	const { mirror } = node;
	return { item_id: node.id, origin_id: mirror !== undefined && "originId" in mirror ? mirror.originId : null };
}

/** The fields of an operation, or of a tree, under the outline's names. A `null` says "not given" where it means nothing. */
function fieldsFrom(given: JsonObject): JsonObject {
	const top = renamed(given);
	const upcoming = [top];
	for (let fields = upcoming.pop(); fields !== undefined; fields = upcoming.pop()) {
		if (!Array.isArray(fields.children)) continue;
		const children = fields.children.map((child) => (isObject(child) ? renamed(child) : child));
		fields.children = children;
		upcoming.push(...children.filter(isObject));
	}
	return top;
}

function renamed(given: JsonObject): { [field: string]: unknown } {
	return Object.fromEntries(
		Object.entries(given)
			.filter(([field, value]) => value !== null || field === "note" || field === "parent_id")
			.map(([field, value]) => [outlineNames.get(field) ?? field, value]),
	);
}

function isObject(value: unknown): value is { [field: string]: unknown } {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

const outlineNames = new Map([
	["parent_id", "parent"],
	["id", "ref"],
]);

import { OutlineError, quoted } from "../../../src/errors.js";
import type { OutlineNode } from "../../../src/node.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { CreateTreeInput, OutlineTree } from "../../../src/operations/create-tree.js";
import { descriptionOf } from "../../../src/operations/description.js";
import { fieldsIn, inputFields, isObject, type OutlineFields, subtreeFields } from "../server/fields.js";
import type { JsonObject } from "../server/json-body.js";
import { offered } from "../server/options.js";
import type { AuthenticatedRequest } from "../server/request-call.js";
import { idempotent } from "./idempotency.js";

/**
 * `POST /api/v1/trees`: creates a node with its subtree. `item_ids` lists the ids of all created nodes, each
 * parent before its children.
 */
export async function createTree({ outline, body, header }: AuthenticatedRequest): Promise<object> {
	const fields = withChildren(body, inputFields("createTree")) as unknown as CreateTreeInput;
	const input = { ...fields, ...idempotent(header) };
	return createdTree(await offered(outline, "createTree")(input));
}

/**
 * `POST /api/v1/batch`: runs several operations as one commit; all succeed or none. Each operation has a
 * `type`, the body of the request of that type, and in `id` the id of that request's path. Its result is the
 * answer of that request.
 *
 * @throws `invalid_argument` if `operations` isn't an array; the error of the first operation that fails
 */
export async function batch({ outline, body, header }: AuthenticatedRequest): Promise<object> {
	const { operations } = body;
	if (!Array.isArray(operations)) {
		throw new OutlineError("invalid_argument", `operations is ${quoted(operations)}. Send an array of operations.`);
	}
	const given = operations.map((operation: unknown) =>
		isObject(operation) ? operationIn(operation) : operation,
	) as BatchOperation[];
	const { results, ids } = await offered(outline, "batch")(given, idempotent(header));
	return { results: results.map((result, index) => answer(given[index]!.type, result)), ids };
}

/** The answer of the request that does the same as the operation. */
function answer(type: BatchOperation["type"], result: OutlineNode | OutlineTree | null): object {
	if (type === "mirror") return createdMirror(result!);
	const { result: kind, creates } = descriptionOf(type)!;
	if (kind === "tree") return createdTree(result as OutlineTree);
	return creates ? { item_id: result!.id } : { status: "ok" };
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

/** The answer for a new mirror. Spec §4.7. */
export function createdMirror(node: OutlineNode): object {
	const { mirror } = node;
	return { item_id: node.id, origin_id: mirror?.originId ?? null };
}

const nullable = ["note", "parent"];

/** Returns an operation with the outline's names of its fields. Ignores unknown fields, as in every body. */
function operationIn(given: JsonObject): OutlineFields {
	const description = descriptionOf(given.type);
	const own = description === undefined ? [] : [...(description.ref ? ["ref"] : []), ...description.fields];
	return withChildren(given, ["type", "as", ...own]);
}

/** Returns a node and its `children` with the outline's names of their fields. */
function withChildren(given: JsonObject, taken: readonly string[]): OutlineFields {
	const top = fieldsIn(given, taken, nullable);
	const upcoming = [top];
	for (let fields = upcoming.pop(); fields !== undefined; fields = upcoming.pop()) {
		if (!Array.isArray(fields.children)) continue;
		const children: unknown[] = [];
		for (const child of fields.children) {
			if (!isObject(child)) {
				children.push(child);
				continue;
			}
			const own = fieldsIn(child, subtreeFields, nullable);
			children.push(own);
			upcoming.push(own);
		}
		fields.children = children;
	}
	return top;
}

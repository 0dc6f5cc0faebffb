import { OutlineError, quoted } from "../../../src/errors.js";
import type { OutlineNode } from "../../../src/node.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { CreateTreeInput, OutlineTree } from "../../../src/operations/create-tree.js";
import { descriptionOf } from "../../../src/operations/description.js";
import type { JsonObject } from "../server/json-body.js";
import { offered } from "../server/options.js";
import type { Call } from "../server/request-call.js";
import { fieldsIn, inputFields, isObject, type OutlineFields, subtreeFields } from "./fields.js";
import { idempotent } from "./idempotency.js";

/** `POST /api/v1/trees`: creates a node with everything below it. `item_ids` has the ids of all, each parent before its children. */
export async function createTree({ outline, body, header }: Call): Promise<object> {
	const fields = withChildren(body, inputFields("createTree")) as unknown as CreateTreeInput;
	const input = { ...fields, ...idempotent(header) };
	return createdTree(await offered(outline, "createTree")(input));
}

/**
 * `POST /api/v1/batch`: several requests as one; all succeed or none. Each operation has the body of the request that it stands
 * for, a `type`, and as `id` the id in the path of that request. Its result is the answer of that request.
 */
export async function batch({ outline, body, header }: Call): Promise<object> {
	const { operations } = body;
	if (!Array.isArray(operations)) {
		throw new OutlineError("invalid_argument", `operations is ${quoted(operations)}. Send an array of operations.`);
	}
	const given = operations.map((operation: unknown) =>
		isObject(operation) ? operationIn(operation) : operation,
	) as BatchOperation[];
	const { results, ids } = await offered(outline, "batch")(given, idempotent(header));
	return { results: results.map((result, place) => answer(given[place]!.type, result)), ids };
}

/** The answer of the request that the operation stands for. */
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

/** Returns an operation of a batch with the names of fields that the outline has. Ignores other fields, as in every body. */
function operationIn(given: JsonObject): OutlineFields {
	const description = descriptionOf(given.type);
	const own = description === undefined ? [] : [...(description.ref ? ["ref"] : []), ...description.fields];
	return withChildren(given, ["type", "as", ...own]);
}

/** Returns a node of a tree with the names of fields that the outline has, with all below it. */
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

import { OutlineError, quoted } from "../../../src/errors.js";
import type { OutlineNode } from "../../../src/node.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { OutlineTree } from "../../../src/operations/create-tree.js";
import type { CreateTreeInput } from "../../../src/operations/inputs.js";
import type { JsonObject } from "../server/json-body.js";
import { offered } from "../server/options.js";
import type { Call } from "../server/request-call.js";
import { fieldsIn, isObject, type OutlineFields } from "./fields.js";
import { idempotent } from "./idempotency.js";

/** `POST /api/v1/trees`: creates a node with everything below it. `item_ids` has all of them, each before those below it. */
export async function createTree({ outline, body, header }: Call): Promise<object> {
	const fields = withChildren(body, operationFields.createTree) as unknown as CreateTreeInput;
	const input = { ...fields, ...idempotent(header) };
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
		isObject(operation) ? operationIn(operation) : operation,
	) as BatchOperation[];
	const { results, ids } = await offered(outline, "batch")(given, idempotent(header));
	return { results: results.map((result, place) => answer(given[place]!.type, result)), ids };
}

/** What the request that an operation stands for would have answered. */
function answer(type: BatchOperation["type"], result: OutlineNode | OutlineTree | null): object {
	if (type === "createTree") return createdTree(result as OutlineTree);
	if (type === "create" || type === "ensure") return { item_id: result!.id };
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
	return { item_id: node.id, origin_id: mirror?.originId ?? null };
}

/** What a node is made with, and what a node of a tree has besides. */
const content = ["name", "note", "layoutMode", "completed", "format"];
const ofTree = [...content, "children"];

/** The fields of each operation, beside its type and a name for what it makes. Others are ignored, as in every body. */
const operationFields: { readonly [T in BatchOperation["type"]]: readonly string[] } = {
	create: [...content, "parent_id", "position"],
	createTree: [...ofTree, "parent_id", "position"],
	update: ["id", ...content],
	ensure: ["id"],
	move: ["id", "parent_id", "position"],
	mirror: ["id", "parent_id", "position"],
	delete: ["id", "mirrors"],
	removeMirror: ["id"],
	complete: ["id"],
	uncomplete: ["id"],
	setShortcut: ["key", "id"],
	deleteShortcut: ["key"],
};

const always = ["type", "as"];
const nullable = ["note", "parent_id"];

/** An operation of a batch as the outline takes it. */
function operationIn(given: JsonObject): OutlineFields {
	const { type } = given;
	const isKnown = typeof type === "string" && Object.hasOwn(operationFields, type);
	const own = isKnown ? operationFields[type as BatchOperation["type"]] : [];
	return withChildren(given, [...always, ...own]);
}

/** A node of a tree as the outline takes it, with all below it. */
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
			const own = fieldsIn(child, ofTree, nullable);
			children.push(own);
			upcoming.push(own);
		}
		fields.children = children;
	}
	return top;
}

import { invalidArgument, OutlineError, quoted } from "../errors.js";
import { isId } from "../id.js";
import { isLayoutMode } from "../layout-mode.js";
import { newRecord, type OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import { groupByForm } from "../reference/key-group.js";
import type { Key, StoredNode } from "../storage.js";
import { type ExportedTree, treeOf } from "./exported-tree.js";
import type { ExportOptions } from "./options.js";

/** The nodes that the caller has, with their keys. */
export interface Given {
	readonly nodes: readonly OutlineNode[];
	readonly keys: NonNullable<ExportOptions["keys"]>;
}

/** The number of nodes processed in a step. */
const nodesInStep = 1024;

const isText = (value: unknown): boolean => typeof value === "string";
const isIdText = (value: unknown): boolean => typeof value === "string" && isId(value);
const orNull = (isAllowed: (value: unknown) => boolean) => (value: unknown) => value === null || isAllowed(value);

/** Whether a value is right for a field of a node. */
const nodeFields: { readonly [field: string]: (value: unknown) => boolean } = {
	id: isIdText,
	parentId: orNull(isIdText),
	name: isText,
	note: orNull(isText),
	priority: Number.isSafeInteger,
	layoutMode: isLayoutMode,
	// A host may have kept the node without them.
	properties: (value) => value === undefined || (typeof value === "object" && value !== null),
	createdAt: Number.isSafeInteger,
	modifiedAt: Number.isSafeInteger,
	completedAt: orNull(Number.isSafeInteger),
};
/** Whether a value is right for a field of a key. A dropped key has no node. */
const keyFields: typeof nodeFields = { key: isText, nodeId: orNull(isIdText) };

/**
 * Returns the tree of nodes that the caller has. A node whose parent isn't among them becomes outermost.
 * Leaves out keys of other nodes.
 *
 * @throws `invalid_argument` if a node or key isn't as the outline returns it, if there are two nodes with one id,
 * or if parents form a circle
 */
export function* treeOfNodes(
	nodes: readonly OutlineNode[],
	keys: readonly Pick<Key, "key" | "nodeId">[],
): Steps<ExportedTree> {
	const ids = new Set<string>();
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		assertFields(`nodes[${index}]`, node, nodeFields);
		const { id } = node;
		if (ids.has(id)) {
			throw new OutlineError("invalid_argument", `nodes has two nodes with the id ${quoted(id)}. Leave one out.`);
		}
		ids.add(id);
	}
	const priorities = rootPriorities(nodes.filter(({ parentId }) => parentId === null || !ids.has(parentId)));
	const stored: StoredNode[] = [];
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const { id, parentId, properties = {} } = node;
		const rootPriority = priorities.get(id);
		const record = newRecord(
			{
				...node,
				parentId: rootPriority === undefined ? parentId : null,
				priority: rootPriority ?? node.priority,
				properties: Object.keys(properties).length === 0 ? null : JSON.stringify(properties),
				originId: node.mirror?.originId ?? null,
			},
			node.createdAt,
		);
		stored.push({ record, origin: null, mirrorIds: [] });
	}
	for (const [index, key] of keys.entries()) assertFields(`keys[${index}]`, key, keyFields);
	const tree = yield* treeOf(
		stored,
		null,
		keys.flatMap(({ key, nodeId }) => (ids.has(nodeId) ? { key, group: groupByForm(key), nodeId } : [])),
	);
	if (tree.size === nodes.length) return tree;
	throw new OutlineError("invalid_argument", "nodes has nodes whose parents form a circle. Leave one of them out.");
}

/** @throws `invalid_argument` if a field has a value that it can't have */
function assertFields(name: string, value: object | null | undefined, fields: typeof nodeFields): void {
	for (const [field, isAllowed] of Object.entries(fields)) {
		const given = (value as { readonly [field: string]: unknown } | null | undefined)?.[field];
		if (isAllowed(given)) continue;
		throw invalidArgument(`${name}.${field}`, given, "as the outline returns it");
	}
}

/** Returns the priorities of outermost nodes: other ones if two are equal, because they had other parents. */
function rootPriorities(roots: readonly OutlineNode[]): ReadonlyMap<string, number> {
	const areUnique = new Set(roots.map(({ priority }) => priority)).size === roots.length;
	return new Map(roots.map(({ id, priority }, index) => [id, areUnique ? priority : index]));
}

import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { type Operation, stepwise } from "../engine/protocol.js";
import type { Fields } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import { type Position, positionArgument } from "../place/priority.js";
import { propertiesIn } from "../properties.js";
import { destinationArgument, type Reference, type ReferenceText } from "../reference/reference.js";
import type { NodeRecord } from "../storage.js";
import { create } from "./create.js";
import type { Draft, DraftNode } from "./draft.js";
import type { IdempotencyInput } from "./idempotency.js";
import { type Prepared, preparedFrom } from "./prepared.js";
import { nodesInStep, type TreeInput, TreeReader } from "./tree-reader.js";

/** The input of `Outline.createTree`. */
export interface CreateTreeInput extends TreeInput, IdempotencyInput {
	/** As in {@link CreateInput}. */
	parent?: ReferenceText | null | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

/** A node with all nodes below it, as they were created. */
export interface OutlineTree extends OutlineNode {
	/** From top to bottom. */
	children: OutlineTree[];
}

/** Checks and prepares a `createTree`. @throws `invalid_argument`, and the errors of a reference */
export function prepareCreateTree(call: Call, fields: Fields): Prepared<OutlineTree> {
	const reference = destinationArgument(fields.parent, call);
	const position = positionArgument(fields.position, call);
	const reader = new TreeReader(fields, call.settings);
	return preparedFrom(
		call,
		function* () {
			const draft = { nodes: yield* reader.read(), position };
			return {
				newIds: () => draft.nodes.length,
				run: (changes) => createTree(call, changes, reference, draft),
			};
		},
		() => reader.copyRest(),
	);
}

function* createTree(
	call: Call,
	changes: Changes,
	parent: Reference | undefined,
	draft: Draft,
): Operation<OutlineTree> {
	const records = yield* create(call, changes, parent, draft, (records) => records);
	return yield* stepwise(treeView(records, draft.nodes));
}

/** Returns the tree of new nodes, as callers see them. */
export function* treeView(records: readonly NodeRecord[], drafts: readonly DraftNode[]): Steps<OutlineTree> {
	/** The last tree at each depth. */
	const path: OutlineTree[] = [];
	for (let index = 0; index < records.length; index++) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const { depth } = drafts[index]!;
		const tree = newTree(records[index]!);
		if (depth > 0) path[depth - 1]!.children.push(tree);
		path[depth] = tree;
	}
	return path[0]!;
}

/**
 * Returns the tree of a new node, without mirrors or an origin. The fields are written out, because a field
 * that is added later takes as much memory as three.
 */
function newTree(record: NodeRecord): OutlineTree {
	return {
		id: record.id,
		parentId: record.parentId,
		name: record.name,
		note: record.note,
		priority: record.priority,
		layoutMode: record.layoutMode,
		completed: record.completedAt !== null,
		createdAt: record.createdAt,
		modifiedAt: record.modifiedAt,
		completedAt: record.completedAt,
		properties: propertiesIn(record.properties),
		children: [],
	};
}

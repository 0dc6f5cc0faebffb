import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { CommitSize } from "../engine/commit-size.js";
import type { LoadingSteps } from "../engine/lazy-module.js";
import { type Operation, stepwise } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import { invalidArgument, OutlineError } from "../errors.js";
import { type Fields, fieldNames, fieldsOf } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import { type OutlineNode, sizeOfRecord } from "../node.js";
import type { Steps } from "../pace.js";
import { type Position, positionArgument } from "../place/priority.js";
import { copyOfProperties, type PropertyChanges, propertiesIn } from "../properties.js";
import { destinationArgument, type Reference, type ReferenceText } from "../reference/reference.js";
import type { NodeRecord } from "../storage.js";
import { completedArgument, create, newProperties } from "./create.js";
import { type Draft, type DraftNode, draftsOf } from "./draft.js";
import type { IdempotencyInput } from "./idempotency.js";
import { formatArgument, plainName, readBlocks, readNote, shortNote, type TextFormat } from "./name.js";
import { type Prepared, preparedFrom } from "./prepared.js";

/** A node to create, with the nodes below it. */
export interface TreeInput {
	/** Text with the Markdown of spec §2.5, as in `create`. Its further blocks come before the `children`. */
	name: string;
	/** Plain text, kept exactly as given. */
	note?: string | null | undefined;
	/** Overrides a layout prefix in the name. */
	layoutMode?: LayoutMode | undefined;
	/** JSON values of the host, as in `create`. */
	properties?: PropertyChanges | undefined;
	/** The format of the name, as in `create`. Default `markdown`. */
	format?: TextFormat | undefined;
	/** Whether the new node is completed. Default: `true` if the name begins with `- [x]`, else `false`. */
	completed?: boolean | undefined;
	/** From top to bottom. */
	children?: readonly TreeInput[] | undefined;
}

/** The input of `Outline.createTree`. */
export interface CreateTreeInput extends TreeInput, IdempotencyInput {
	/** As in {@link CreateInput}. */
	parent?: ReferenceText | null | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

const none: readonly never[] = [];

/** The fields of a node of the input, unchecked. */
type TreeFields = { readonly [F in keyof TreeInput]?: unknown };

const nodeFields = fieldNames<TreeInput>({
	name: true,
	note: true,
	layoutMode: true,
	properties: true,
	format: true,
	completed: true,
	children: true,
});

/** A node with all nodes below it, as they were created. */
export interface OutlineTree extends OutlineNode {
	/** From top to bottom. */
	children: OutlineTree[];
}

/** Checks and prepares a `createTree`. @throws `invalid_argument`, and the errors of a reference */
export function prepareCreateTree(call: Call, fields: Fields): Prepared<OutlineTree> {
	const reference = destinationArgument(fields.parent, call);
	const position = positionArgument(fields.position, call);
	const read = function* (tree: unknown): LoadingSteps<Prepared<OutlineTree>> {
		const draft = { nodes: yield* treeDraft(tree, call.settings), position };
		return {
			newIds: () => draft.nodes.length,
			run: (changes) => createTree(call, changes, reference, draft),
		};
	};
	return preparedFrom(
		call,
		() => read(fields),
		() => read(treeCopy(fields, call.settings)),
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

/** A level of the input that is being read. */
interface Level {
	readonly siblings: readonly unknown[];
	/** The number of siblings already read. */
	next: number;
}

/** The number of nodes that are read or shown in a step. */
const nodesInStep = 512;

/**
 * Reads the nodes of a nested input, in reading order, each with its depth. Any depth is allowed.
 *
 * @throws `invalid_argument` naming the node by its path in the input, such as `children[2].children[0]`;
 * `too_large` if the nodes don't fit into one commit
 */
function* treeDraft(input: unknown, settings: Settings): LoadingSteps<DraftNode[]> {
	const drafts: DraftNode[] = [];
	const size = new CommitSize(settings, "Create it in parts");
	const levels: Level[] = [{ siblings: [input], next: 0 }];
	/** The inputs above the current one. An input within itself would never end. */
	const above = new Set<unknown>();
	for (let count = 1; levels.length > 0; count++) {
		if (count % nodesInStep === 0) yield;
		const level = levels.at(-1)!;
		if (level.next === level.siblings.length) {
			levels.pop();
			const parent = levels.at(-1);
			if (parent !== undefined) above.delete(parent.siblings[parent.next - 1]);
			continue;
		}
		const node = level.siblings[level.next++]!;
		try {
			if (above.has(node)) {
				throw new OutlineError("invalid_argument", "The node is also one of the nodes above it. Give each node once.");
			}
			const depth = levels.length - 1;
			const fields = treeFields(node, depth);
			const first = drafts.length;
			// Most texts are short, and a generator for each takes longer than reading them.
			if (!readAtOnce(fields, depth, settings, drafts)) yield* readInSteps(fields, depth, settings, drafts);
			for (let index = first; index < drafts.length; index++) size.add(sizeOfRecord(drafts[index]!));
			const { children = none } = fields;
			if (!Array.isArray(children)) throw invalidArgument("children", children, "an array");
			if (children.length === 0) continue;
			above.add(node);
			levels.push({ siblings: children, next: 0 });
		} catch (error) {
			throw withPath(error, levels);
		}
	}
	return drafts;
}

/**
 * Copies the part of an input that {@link treeDraft} reads, valid or not, because the caller may change it
 * meanwhile. A node within itself is also within itself in the copy. If the input is too large for one
 * commit, the copy has only enough nodes to show that.
 */
export function treeCopy(input: unknown, { limits }: Settings): unknown {
	/** The copies so far of nodes with children, by the node. */
	const known = new Map<unknown, unknown>();
	const top: unknown[] = [];
	const levels: { readonly siblings: readonly unknown[]; readonly copies: unknown[] }[] = [
		{ siblings: [input], copies: top },
	];
	let left = Math.ceil(limits.commit / sizeOfRecord({ name: "", note: null }));
	for (let level = levels[0]; level !== undefined && left >= 0; level = levels.at(-1)) {
		const { siblings, copies } = level;
		if (copies.length === siblings.length) {
			levels.pop();
			continue;
		}
		const node = siblings[copies.length];
		left -= 1;
		if (typeof node !== "object" || node === null || Array.isArray(node) || known.has(node)) {
			copies.push(known.get(node) ?? node);
			continue;
		}
		const copy = nodeCopy(node);
		copies.push(copy);
		const { children } = copy;
		if (!Array.isArray(children)) continue;
		const copied: unknown[] = [];
		copy.children = copied;
		if (children.length === 0) continue;
		known.set(node, copy);
		levels.push({ siblings: children, copies: copied });
	}
	return top[0];
}

/** Copies a node of an input, with the same children. The copy also has inherited fields. */
function nodeCopy(node: object): { -readonly [F in keyof TreeFields]: TreeFields[F] } {
	if (Object.getPrototypeOf(node) === Object.prototype) {
		return "properties" in node ? { ...node, properties: copyOfProperties(node.properties) } : { ...node };
	}
	const { name, note, layoutMode, properties, format, completed, children }: TreeFields = node;
	const ownProperties = copyOfProperties(properties);
	return { ...node, name, note, layoutMode, properties: ownProperties, format, completed, children };
}

/** Returns a node of the input as an object of known fields. @throws `invalid_argument` */
function treeFields(node: unknown, depth: number): TreeFields {
	if (typeof node !== "object" || node === null || Array.isArray(node)) {
		throw invalidArgument("The node", node, "an object with a name");
	}
	// The fields of the first node are checked already: it takes more fields.
	return depth === 0 ? node : fieldsOf("the node", node, nodeFields);
}

/** Adds the draft of a node with short texts and without markup. Returns false for any other. */
function readAtOnce(fields: TreeFields, depth: number, settings: Settings, drafts: DraftNode[]): boolean {
	const { properties, layoutMode, format, note, completed } = fields;
	const ownProperties = newProperties(properties, settings);
	const mode = layoutModeArgument(layoutMode);
	const name = plainName(fields.name, settings, formatArgument(format, "markdown"));
	const ownNote = note === undefined ? null : shortNote(note, settings);
	if (name === undefined || ownNote === undefined) return false;
	drafts.push({
		name,
		layoutMode: mode ?? "bullets",
		completed: completedArgument(completed) ?? false,
		depth,
		note: ownNote,
		properties: ownProperties,
	});
	return true;
}

/** Adds the drafts of any node. */
function* readInSteps(fields: TreeFields, depth: number, settings: Settings, drafts: DraftNode[]): LoadingSteps<void> {
	const { name, note, layoutMode, properties, format, completed } = fields;
	const ownProperties = newProperties(properties, settings);
	const nameFormat = formatArgument(format, "markdown");
	const blocks = yield* readBlocks(name, layoutModeArgument(layoutMode), settings, nameFormat);
	const ownNote = note === undefined ? null : yield* readNote(note, settings);
	const own = { completed: completedArgument(completed), note: ownNote, properties: ownProperties };
	for (const draft of draftsOf(blocks, own, depth)) drafts.push(draft);
}

/** Returns the tree of new nodes, as callers see them. */
function* treeView(records: readonly NodeRecord[], drafts: readonly DraftNode[]): Steps<OutlineTree> {
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

/** Adds the path of the node in the input to an error. */
function withPath(error: unknown, levels: readonly Level[]): unknown {
	if (!(error instanceof OutlineError)) return error;
	const path = levels
		.slice(1)
		.map(({ next }) => `children[${next - 1}]`)
		.join(".");
	return path === "" ? error : new OutlineError(error.code, `${path}: ${error.message}`, { cause: error });
}

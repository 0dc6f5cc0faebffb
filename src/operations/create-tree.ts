import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { CommitSize } from "../engine/commit-size.js";
import type { LoadingSteps } from "../engine/lazy-module.js";
import { type Operation, stepwise } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import { OutlineError, quoted } from "../errors.js";
import { type Fields, fieldNames, fieldsOf } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import { type OutlineNode, sizeOfRecord } from "../node.js";
import type { Steps } from "../pace.js";
import { type Position, positionArgument } from "../place/priority.js";
import { copyOfProperties, type PropertyChanges, propertiesIn } from "../properties.js";
import { destinationArgument, type Reference, type ReferenceText } from "../reference/reference.js";
import type { NodeRecord } from "../storage.js";
import { create, newProperties } from "./create.js";
import type { Draft, DraftNode } from "./draft.js";
import type { IdempotencyInput } from "./idempotency.js";
import { blockOfName, formatArgument, plainName, readBlocks, readNote, shortNote, type TextFormat } from "./name.js";
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
	let tree: unknown = fields;
	return preparedFrom(
		call,
		function* () {
			const draft = { nodes: yield* treeDraft(tree, call.settings), position };
			return {
				newIds: () => draft.nodes.length,
				run: (changes) => createTree(call, changes, reference, draft),
			};
		},
		() => {
			tree = treeCopy(fields, call.settings);
		},
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
export function* treeDraft(input: unknown, settings: Settings): LoadingSteps<DraftNode[]> {
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
			if (above.has(node)) throw refusal("is also one of the nodes above it", "Give each node once");
			const first = drafts.length;
			const children = yield* draftNode(node, levels.length - 1, settings, drafts);
			for (let index = first; index < drafts.length; index++) size.add(sizeOfRecord(drafts[index]!));
			if (children === undefined || children.length === 0) continue;
			above.add(node);
			levels.push({ siblings: children, next: 0 });
		} catch (error) {
			throw withPath(error, levels);
		}
	}
	return drafts;
}

/** A node that is being copied, and the copies of its children so far. */
interface Copied {
	readonly node: unknown;
	readonly siblings: readonly unknown[];
	readonly copies: unknown[];
}

/**
 * Copies the part of an input that {@link treeDraft} reads, valid or not, because the caller may change it
 * meanwhile. A node within itself is also within itself in the copy. If the input is too large for one
 * commit, the copy has only enough nodes to show that.
 */
export function treeCopy(input: unknown, { limits }: Settings): unknown {
	/** The copies of the nodes above, by the node. */
	const above = new Map<unknown, unknown>();
	const top: Copied = { node: undefined, siblings: [input], copies: [] };
	const levels = [top];
	let left = Math.ceil(limits.commit / sizeOfRecord({ name: "", note: null }));
	for (let level: Copied | undefined = top; level !== undefined && left >= 0; level = levels.at(-1)) {
		const { node: parent, siblings, copies } = level;
		while (copies.length < siblings.length && level === levels.at(-1) && left >= 0) {
			const node = siblings[copies.length];
			left -= 1;
			if (typeof node !== "object" || node === null || Array.isArray(node) || above.has(node)) {
				copies.push(above.has(node) ? above.get(node) : node);
				continue;
			}
			const copy = nodeCopy(node);
			copies.push(copy);
			const { children } = copy;
			if (!Array.isArray(children) || children.length === 0) continue;
			const copied: unknown[] = [];
			copy.children = copied;
			above.set(node, copy);
			levels.push({ node, siblings: children, copies: copied });
		}
		if (level !== levels.at(-1)) continue;
		levels.pop();
		above.delete(parent);
	}
	return top.copies[0];
}

/** Copies a node of an input, with the same children. The copy also has inherited fields. */
function nodeCopy(node: object): { [F in keyof TreeInput]?: unknown } {
	if (Object.getPrototypeOf(node) === Object.prototype) {
		return "properties" in node ? { ...node, properties: copyOfProperties(node.properties) } : { ...node };
	}
	const {
		name,
		note,
		layoutMode,
		properties,
		format,
		completed,
		children,
	}: { readonly [F in keyof TreeInput]?: unknown } = node;
	const ownProperties = copyOfProperties(properties);
	return { ...node, name, note, layoutMode, properties: ownProperties, format, completed, children };
}

/** Adds the drafts of one node of the input, and returns its children. */
function* draftNode(
	node: unknown,
	depth: number,
	settings: Settings,
	drafts: DraftNode[],
): LoadingSteps<readonly unknown[] | undefined> {
	if (typeof node !== "object" || node === null || Array.isArray(node)) {
		throw refusal(`is ${quoted(node)}`, "Give an object with a name, and children if there are any");
	}
	// The fields of the first node are checked already: it takes more fields.
	if (depth > 0) fieldsOf("the node", node, nodeFields);
	const {
		name,
		note,
		layoutMode,
		properties,
		format,
		completed,
		children,
	}: { readonly [F in keyof TreeInput]?: unknown } = node;
	const ownProperties = newProperties(properties, settings);
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "markdown");
	const plain = plainName(name, settings, nameFormat);
	const blocks = plain === undefined ? yield* readBlocks(name, mode, settings, nameFormat) : [blockOfName(plain, mode)];
	const short = note === undefined ? null : shortNote(note, settings);
	const ownNote = short === undefined ? yield* readNote(note, settings) : short;
	for (let index = 0; index < blocks.length; index++) {
		const block = blocks[index]!;
		const own = index === 0;
		drafts.push({
			name: block.name,
			layoutMode: block.layoutMode,
			completed: own && completed !== undefined ? completedArgument(completed) : block.completed,
			depth: depth + block.depth,
			note: own ? ownNote : null,
			properties: own ? ownProperties : null,
		});
	}
	if (children === undefined || Array.isArray(children)) return children;
	throw refusal(`has ${quoted(children)} as children`, "Give an array of nodes");
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

function completedArgument(completed: unknown): boolean {
	if (typeof completed === "boolean") return completed;
	throw refusal(`has ${quoted(completed)} as completed`, "Give true or false");
}

/** Adds the path of the node in the input to an error. */
function withPath(error: unknown, levels: readonly Level[]): unknown {
	if (!(error instanceof OutlineError)) return error;
	const path = levels
		.slice(1)
		.map(({ next }) => `children[${next - 1}]`)
		.join(".");
	if (error instanceof Refusal)
		return new OutlineError(error.code, `${path === "" ? "The tree" : path} ${error.message}`);
	return path === "" ? error : new OutlineError(error.code, `${path}: ${error.message}`, { cause: error });
}

/** An error without the path of its node, which {@link withPath} adds. */
class Refusal extends OutlineError {}

function refusal(what: string, advice: string): Refusal {
	return new Refusal("invalid_argument", `${what}. ${advice}.`);
}

import { CommitSize } from "../engine/commit-size.js";
import type { LoadingSteps } from "../engine/lazy-module.js";
import type { Settings } from "../engine/settings.js";
import { OutlineError, quoted } from "../errors.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { type LayoutMode, layoutModeArgument } from "../layout-mode.js";
import { sizeOfRecord } from "../node.js";
import { copyOfProperties, type PropertyChanges } from "../properties.js";
import { newProperties } from "./create.js";
import type { DraftNode } from "./draft.js";
import { formatArgument, plainName, readBlocks, readNote, shortNote, type TextFormat } from "./name.js";

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

/** What to do about a tree that doesn't fit into one commit. */
const advice = "Create it in parts";

const emptyTexts = { name: "", note: null };

const nodeFields = fieldNames<TreeInput>({
	name: true,
	note: true,
	layoutMode: true,
	properties: true,
	format: true,
	completed: true,
	children: true,
});

/** The number of nodes that are read or shown in a step. */
export const nodesInStep = 512;

type TreeFields = { readonly [F in keyof TreeInput]?: unknown };

/** A node of the input whose texts take longer to read. */
class UnreadNode {
	constructor(
		readonly fields: Pick<TreeFields, "name" | "note" | "completed">,
		readonly layoutMode: LayoutMode | undefined,
		readonly format: TextFormat,
		/** As a record has them. */
		readonly properties: string | null,
		readonly depth: number,
	) {}
}

/** A level of the input that is being read. */
interface Level {
	/** The node of the input above it. */
	readonly parent: unknown;
	siblings: readonly unknown[];
	/** The number of siblings already read. */
	next: number;
}

/** Reads the nodes of a nested input: first their fields, then the texts that take long. Any depth is allowed. */
export class TreeReader {
	readonly #settings: Settings;
	/** The nodes whose fields are read, in reading order. */
	readonly #nodes: (DraftNode | UnreadNode)[] = [];
	#hasUnread = false;
	/** The levels down to the current one. */
	readonly #levels: Level[];
	/** The inputs above the current one. An input within itself would never end. */
	readonly #above = new Set<unknown>();

	constructor(input: unknown, settings: Settings) {
		this.#settings = settings;
		this.#levels = [{ parent: undefined, siblings: [input], next: 0 }];
	}

	/**
	 * Returns the nodes in reading order, each with its depth.
	 *
	 * @throws `invalid_argument` naming the node by its path in the input, such as `children[2].children[0]`;
	 * `too_large` if the nodes don't fit into one commit
	 */
	*read(): LoadingSteps<readonly DraftNode[]> {
		let failure: unknown;
		try {
			yield* this.#readFields();
		} catch (error) {
			failure = withPath(error, this.#nodes, this.#levels.length - 1);
			if (!this.#hasUnread) throw failure;
		}
		if (!this.#hasUnread) return this.#nodes as DraftNode[];
		const drafts = yield* this.#readTexts();
		if (failure !== undefined) throw failure;
		return drafts;
	}

	*#readFields(): LoadingSteps<void> {
		const size = new CommitSize(this.#settings, advice);
		const levels = this.#levels;
		const above = this.#above;
		for (let count = 1; levels.length > 0; count++) {
			if (count % nodesInStep === 0) yield;
			const level = levels.at(-1)!;
			if (level.next === level.siblings.length) {
				levels.pop();
				above.delete(level.parent);
				continue;
			}
			const node = level.siblings[level.next++];
			if (above.has(node)) throw refusal("is also one of the nodes above it", "Give each node once");
			const depth = levels.length - 1;
			const fields = treeFields(node, depth);
			const { children } = fields;
			const given = givenNode(fields, depth, this.#settings);
			if (children !== undefined && !Array.isArray(children)) {
				throw refusal(`has ${quoted(children)} as children`, "Give an array of nodes");
			}
			const isUnread = given instanceof UnreadNode;
			size.add(sizeOfRecord(isUnread ? emptyTexts : given));
			if (isUnread) this.#hasUnread = true;
			this.#nodes.push(given);
			if (children === undefined || children.length === 0) continue;
			above.add(node);
			levels.push({ parent: node, siblings: children, next: 0 });
		}
	}

	*#readTexts(): LoadingSteps<DraftNode[]> {
		const size = new CommitSize(this.#settings, advice);
		const drafts: DraftNode[] = [];
		for (const [index, node] of this.#nodes.entries()) {
			if (index % nodesInStep === nodesInStep - 1) yield;
			const first = drafts.length;
			try {
				if (node instanceof UnreadNode) yield* readTexts(node, this.#settings, drafts);
				else drafts.push(node);
				for (let at = first; at < drafts.length; at++) size.add(sizeOfRecord(drafts[at]!));
			} catch (error) {
				throw withPath(error, this.#nodes.slice(0, index), node.depth);
			}
		}
		return drafts;
	}

	/**
	 * Copies the part of the input that is still to read, valid or not, because the caller may change it
	 * meanwhile. A node within itself is also within itself in the copy. If the input is too large for one
	 * commit, the copy has only enough nodes to show that.
	 */
	copyRest(): void {
		const copies = new Map<unknown, unknown>();
		for (const node of this.#above) copies.set(node, node);
		const left = nodesToCopy(this.#settings);
		for (const level of this.#levels.toReversed()) {
			level.siblings = copiesOf(level.siblings.slice(level.next), copies, left);
			level.next = 0;
			copies.delete(level.parent);
		}
	}
}

/** Copies a tree of the input of a batch, as {@link TreeReader.copyRest} does. */
export function treeCopy(input: unknown, settings: Settings): unknown {
	return copiesOf([input], new Map(), nodesToCopy(settings))[0];
}

/** Returns the number of nodes that are certainly too many for one commit. */
function nodesToCopy({ limits }: Settings): { nodes: number } {
	return { nodes: Math.ceil(limits.commit / sizeOfRecord(emptyTexts)) };
}

/**
 * Copies siblings with all nodes below them, as far as the number of nodes `left` allows.
 *
 * @param copies - the copies so far, by the node
 */
function copiesOf(siblings: readonly unknown[], copies: Map<unknown, unknown>, left: { nodes: number }): unknown[] {
	const top: unknown[] = [];
	const levels = [{ siblings, copied: top }];
	for (let level = levels[0]; level !== undefined && left.nodes >= 0; level = levels.at(-1)) {
		const { siblings, copied } = level;
		if (copied.length === siblings.length) {
			levels.pop();
			continue;
		}
		const node = siblings[copied.length];
		left.nodes -= 1;
		if (typeof node !== "object" || node === null || Array.isArray(node) || copies.has(node)) {
			copied.push(copies.get(node) ?? node);
			continue;
		}
		const copy = nodeCopy(node);
		copied.push(copy);
		const { children } = copy;
		if (!Array.isArray(children)) continue;
		const below: unknown[] = [];
		copy.children = below;
		if (children.length === 0) continue;
		copies.set(node, copy);
		levels.push({ siblings: children, copied: below });
	}
	return top;
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
		throw refusal(`is ${quoted(node)}`, "Give an object with a name, and children if there are any");
	}
	// The fields of the first node are checked already: it takes more fields.
	return depth === 0 ? node : fieldsOf("the node", node, nodeFields);
}

function givenNode(fields: TreeFields, depth: number, settings: Settings): DraftNode | UnreadNode {
	const { name, note, completed } = fields;
	const properties = newProperties(fields.properties, settings);
	const layoutMode = layoutModeArgument(fields.layoutMode);
	const format = formatArgument(fields.format, "markdown");
	const plain = plainName(name, settings, format);
	const short = note === undefined ? null : shortNote(note, settings);
	if (plain === undefined || short === undefined) {
		return new UnreadNode({ name, note, completed }, layoutMode, format, properties, depth);
	}
	return {
		name: plain,
		layoutMode: layoutMode ?? "bullets",
		completed: completedArgument(completed) ?? false,
		depth,
		note: short,
		properties,
	};
}

/** Adds the drafts of a node whose texts take longer. */
function* readTexts(node: UnreadNode, settings: Settings, drafts: DraftNode[]): LoadingSteps<void> {
	const { name, note, completed } = node.fields;
	const blocks = yield* readBlocks(name, node.layoutMode, settings, node.format);
	const ownNote = note === undefined ? null : yield* readNote(note, settings);
	const ownCompleted = completedArgument(completed);
	for (const [index, block] of blocks.entries()) {
		const own = index === 0;
		drafts.push({
			name: block.name,
			layoutMode: block.layoutMode,
			completed: own ? (ownCompleted ?? block.completed) : block.completed,
			depth: node.depth + block.depth,
			note: own ? ownNote : null,
			properties: own ? node.properties : null,
		});
	}
}

function completedArgument(completed: unknown): boolean | undefined {
	if (completed === undefined || typeof completed === "boolean") return completed;
	throw refusal(`has ${quoted(completed)} as completed`, "Give true or false");
}

/**
 * Adds the path of a node in the input to an error, such as `children[2].children[0]`.
 *
 * @param before - the nodes before that node, in reading order
 */
function withPath(error: unknown, before: readonly { readonly depth: number }[], depth: number): unknown {
	if (!(error instanceof OutlineError)) return error;
	const steps: string[] = [];
	let level = depth;
	let siblings = 0;
	for (let at = before.length - 1; level > 0; at--) {
		const { depth } = before[at]!;
		if (depth === level) siblings += 1;
		if (depth >= level) continue;
		steps.push(`children[${siblings}]`);
		level = depth;
		siblings = 0;
	}
	const path = steps.reverse().join(".");
	if (error instanceof Refusal)
		return new OutlineError(error.code, `${path === "" ? "The tree" : path} ${error.message}`);
	return path === "" ? error : new OutlineError(error.code, `${path}: ${error.message}`, { cause: error });
}

/** An error without the path of its node, which {@link withPath} adds. */
class Refusal extends OutlineError {}

function refusal(what: string, advice: string): Refusal {
	return new Refusal("invalid_argument", `${what}. ${advice}.`);
}

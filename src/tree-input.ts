import { OutlineError, quoted } from "./errors.js";
import { type LayoutMode, layoutModeArgument } from "./layout-mode.js";
import type { OutlineNode } from "./node.js";
import type { Settings } from "./settings.js";
import type { NodeRecord } from "./storage.js";
import { blocksArgument, formatArgument, noteArgument, type TextFormat } from "./text.js";
import type { DraftNode } from "./tree.js";

/** A node to be created with what is below it. */
export interface TreeInput {
	/** Text with the Markdown of spec §2.5, as in `create`: its further blocks become children, before the `children`. */
	name: string;
	/** Plain text, kept to the letter. */
	note?: string | null | undefined;
	/** Wins over a layout prefix in the name. */
	layoutMode?: LayoutMode | undefined;
	/** What the name is written in, as in `create`. Default `markdown`. */
	format?: TextFormat | undefined;
	/** Whether it is completed from the start. Default: as the name says (`- [x]`), else no. */
	completed?: boolean | undefined;
	/** From top to bottom. */
	children?: readonly TreeInput[] | undefined;
}

/** A node with all below it, as it was created. */
export interface OutlineTree extends OutlineNode {
	/** From top to bottom. */
	children: OutlineTree[];
}

/** One level of the input that is being read. */
interface Level {
	readonly siblings: readonly unknown[];
	/** How many of them have been read. */
	next: number;
}

/**
 * The nodes of a nested input, in reading order, each with how deep it stands. Any depth will do.
 *
 * @throws `invalid_argument` naming the node by its place in the input, such as `children[2].children[0]`; NotLoaded as
 * `blocksArgument`
 */
export function treeDraft(input: unknown, settings: Settings): DraftNode[] {
	const drafts: DraftNode[] = [];
	const levels: Level[] = [{ siblings: [input], next: 0 }];
	/** The inputs above the one that is being read: one of them within itself would never end. */
	const above = new Set<unknown>();
	while (levels.length > 0) {
		const level = levels.at(-1)!;
		if (level.next === level.siblings.length) {
			levels.pop();
			const parent = levels.at(-1);
			if (parent !== undefined) above.delete(parent.siblings[parent.next - 1]);
			continue;
		}
		const node = level.siblings[level.next++]!;
		try {
			if (above.has(node)) throw refusal("is a node that it stands below itself", "Give each node once");
			const children = draftNode(node, levels.length - 1, settings, drafts);
			if (children === undefined || children.length === 0) continue;
			above.add(node);
			levels.push({ siblings: children, next: 0 });
		} catch (error) {
			throw placed(error, levels);
		}
	}
	return drafts;
}

/** What {@link treeDraft} reads of an input, so that the caller may change it meanwhile: as it is, right or wrong. */
export function treeCopy(input: unknown): unknown {
	/** A node that stands in several places, or within itself, does so in the copy. */
	const copies = new Map<unknown, unknown>();
	const waiting: { siblings: readonly unknown[]; copied: unknown[] }[] = [];
	const copyOf = (node: unknown): unknown => {
		if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
		if (!copies.has(node)) {
			const { name, note, layoutMode, format, completed, children }: { readonly [F in keyof TreeInput]?: unknown } =
				node;
			const copied: unknown[] = [];
			copies.set(node, {
				name,
				note,
				layoutMode,
				format,
				completed,
				children: Array.isArray(children) ? copied : children,
			});
			if (Array.isArray(children)) waiting.push({ siblings: children, copied });
		}
		return copies.get(node);
	};
	const copy = copyOf(input);
	for (let level = waiting.pop(); level !== undefined; level = waiting.pop()) {
		for (const node of level.siblings) level.copied.push(copyOf(node));
	}
	return copy;
}

/** Adds what one node of the input makes, without its children, and gives these. */
function draftNode(
	node: unknown,
	depth: number,
	settings: Settings,
	drafts: DraftNode[],
): readonly unknown[] | undefined {
	if (typeof node !== "object" || node === null || Array.isArray(node)) {
		throw refusal(`is ${quoted(node)}`, "Give an object with a name, and children if there are any");
	}
	const { name, note, layoutMode, format, completed, children }: { readonly [F in keyof TreeInput]?: unknown } = node;
	const blocks = blocksArgument(name, layoutModeArgument(layoutMode), settings, formatArgument(format, "markdown"));
	for (let index = 0; index < blocks.length; index++) {
		const block = blocks[index]!;
		const own = index === 0;
		drafts.push({
			name: block.name,
			layoutMode: block.layoutMode,
			completed: own && completed !== undefined ? completedArgument(completed) : block.completed,
			depth: depth + block.depth,
			note: own && note !== undefined ? noteArgument(note, settings) : null,
		});
	}
	if (children === undefined || Array.isArray(children)) return children;
	throw refusal(`has ${quoted(children)} for children`, "Give an array of nodes");
}

/** Nodes that have just been made, as callers see them: as a tree again. */
export function treeView(records: readonly NodeRecord[], drafts: readonly DraftNode[]): OutlineTree {
	/** By depth, the node that was made last there. */
	const path: OutlineTree[] = [];
	for (let index = 0; index < records.length; index++) {
		const { depth } = drafts[index]!;
		const tree = newTree(records[index]!);
		if (depth > 0) path[depth - 1]!.children.push(tree);
		path[depth] = tree;
	}
	return path[0]!;
}

/** A new node, which has neither mirrors nor an origin. Written out: a field that is added later takes as much as three. */
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
		children: [],
	};
}

function completedArgument(completed: unknown): boolean {
	if (typeof completed === "boolean") return completed;
	throw refusal(`has ${quoted(completed)} for completed`, "Give true or false");
}

/** What a check has thrown, with the place of the node in the input. */
function placed(error: unknown, levels: readonly Level[]): unknown {
	if (!(error instanceof OutlineError)) return error;
	const path = levels
		.slice(1)
		.map(({ next }) => `children[${next - 1}]`)
		.join(".");
	if (error instanceof Refusal)
		return new OutlineError(error.code, `${path === "" ? "The tree" : path} ${error.message}`);
	return path === "" ? error : new OutlineError(error.code, `${path}: ${error.message}`, { cause: error });
}

/** What is wrong with a node, still to be said of which. */
class Refusal extends OutlineError {}

function refusal(what: string, advice: string): Refusal {
	return new Refusal("invalid_argument", `${what}. ${advice}.`);
}

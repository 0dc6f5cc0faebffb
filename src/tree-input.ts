import { OutlineError, quoted } from "./errors.js";
import { type LayoutMode, layoutModeArgument } from "./layout-mode.js";
import type { OutlineNode } from "./node.js";
import type { Settings } from "./settings.js";
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
	/** Where the level stands in the input, for messages. */
	readonly path: string;
	next: number;
}

/**
 * The nodes of a nested input, in reading order, each with how deep it stands. Any depth will do.
 *
 * @throws `invalid_argument` naming the node by its place in the input, such as `children[2].children[0]`
 */
export function treeDraft(input: object, settings: Settings): DraftNode[] {
	const drafts: DraftNode[] = [];
	const levels: Level[] = [{ siblings: [input], path: "", next: 0 }];
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
		const node = level.siblings[level.next]!;
		const path = level.path === "" ? "" : `${level.path}[${level.next}]`;
		level.next += 1;
		if (above.has(node)) throw refusal(path, "is a node that it stands below itself", "Give each node once");
		const { name, note, layoutMode, format, completed, children } = fieldsAt(path, node);
		const depth = levels.length - 1;
		for (const [index, block] of at(path, () =>
			blocksArgument(name, layoutModeArgument(layoutMode), settings, formatArgument(format, "markdown")),
		).entries()) {
			const own = index === 0;
			drafts.push({
				...block,
				depth: depth + block.depth,
				note: own && note !== undefined ? at(path, () => noteArgument(note, settings)) : null,
				completed: own && completed !== undefined ? completedArgument(path, completed) : block.completed,
			});
		}
		if (children === undefined) continue;
		if (!Array.isArray(children)) throw refusal(path, `has ${quoted(children)} for children`, "Give an array of nodes");
		above.add(node);
		levels.push({ siblings: children, path: path === "" ? "children" : `${path}.children`, next: 0 });
	}
	return drafts;
}

/** The nodes as a tree again. */
export function treeView(nodes: readonly OutlineNode[], drafts: readonly DraftNode[]): OutlineTree {
	const path: OutlineTree[] = [];
	for (const [index, node] of nodes.entries()) {
		const tree: OutlineTree = { ...node, children: [] };
		path.length = drafts[index]!.depth;
		path.at(-1)?.children.push(tree);
		path.push(tree);
	}
	return path[0]!;
}

function fieldsAt(path: string, node: unknown): { readonly [F in keyof TreeInput]?: unknown } {
	if (typeof node === "object" && node !== null && !Array.isArray(node)) return node;
	throw refusal(path, `is ${quoted(node)}`, "Give an object with a name, and children if there are any");
}

function completedArgument(path: string, completed: unknown): boolean {
	if (typeof completed === "boolean") return completed;
	throw refusal(path, `has ${quoted(completed)} for completed`, "Give true or false");
}

/** Adds the place in the input to what a check throws. */
function at<T>(path: string, check: () => T): T {
	try {
		return check();
	} catch (error) {
		if (path === "" || !(error instanceof OutlineError)) throw error;
		throw new OutlineError(error.code, `${path}: ${error.message}`, { cause: error });
	}
}

function refusal(path: string, what: string, advice: string): OutlineError {
	return new OutlineError("invalid_argument", `${path === "" ? "The tree" : path} ${what}. ${advice}.`);
}

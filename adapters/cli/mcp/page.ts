import type { WalkOptions } from "outlinekit";
import { linesOf, type PlacedNode, shown } from "./node.ts";
import type { Part } from "./part.ts";

/** One page of a tree. */
export interface NodePage {
	readonly nodes: PlacedNode[];
	/** The same for a model to read. */
	readonly text: string;
	/** Where to go on; null at the end. */
	readonly cursor: string | null;
}

/** The part of a tree to read. */
export interface PageOptions extends Pick<WalkOptions, "completed" | "cursor"> {
	readonly depth: number;
	/** The most nodes. */
	readonly limit: number;
}

/** About how many characters a page has at most, unless its first node alone has more. */
const most = 40_000;

/** The most characters of the text and the note of a node that is read alone. */
const mostAlone = 200_000;

/** Reads a node, or the top level, with its subtree in pages, so that no answer is too long for a model. */
export async function readPage(part: Part, ref: string | undefined, options: PageOptions): Promise<NodePage> {
	const { depth: levels, limit, completed, cursor } = options;
	const walk = part.outline.walk(ref, { depth: levels, budget: limit, completed, cursor });
	const nodes: PlacedNode[] = [];
	const lines: string[] = [];
	let length = 0;
	for await (const { node, path } of walk) {
		const placed = { ...shown(node, part.timeZone, levels === 0 ? mostAlone : undefined), depth: path.length - 1 };
		const own = linesOf(placed, placed.depth);
		length = own.reduce((sum, line) => sum + line.length + 1, length);
		// The walk goes on with this node.
		if (length > most && nodes.length > 0) break;
		nodes.push(placed);
		lines.push(...own);
	}
	if (nodes.length === 0) lines.push("There is nothing.");
	if (walk.cursor !== null) lines.push(`There is more: read on with the cursor ${walk.cursor}`);
	return { nodes, text: lines.join("\n"), cursor: walk.cursor };
}

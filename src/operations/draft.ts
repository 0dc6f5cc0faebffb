import type { Block } from "../markup/block.js";
import { nodeView, type OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import { gap, type Place } from "../place/priority.js";
import type { NodeRecord } from "../storage.js";

/** A node to be created, with its depth below the first. Times are Unix seconds; the default is now. */
export interface DraftNode extends Block {
	readonly note: string | null;
	/** As a record has them. Default: none. */
	readonly properties?: string | null | undefined;
	readonly createdAt?: number | undefined;
	readonly modifiedAt?: number | undefined;
	/** When it was completed, if it is. */
	readonly completedAt?: number | undefined;
}

/** A node to be created, with all below it. */
export interface Draft {
	/** In reading order; the first is the node itself, and the only one at its depth. */
	readonly nodes: readonly DraftNode[];
	readonly position: Place;
}

type OwnFields = Pick<DraftNode, "note" | "properties"> & { readonly completed: boolean | undefined };

/**
 * Returns the drafts of a node, in reading order.
 *
 * @param blocks - the blocks of its name. The first becomes the node itself
 * @param own - fields of the node itself. Default of `completed`: as the block says
 * @param depth - the depth of the node
 */
export function draftsOf(blocks: readonly Block[], own: OwnFields, depth = 0): DraftNode[] {
	return blocks.map((block, index) => draftOf(block, index === 0 ? own : noFields, depth));
}

/** Returns the draft of a block. Parameters as in {@link draftsOf}. */
export function draftOf(block: Block, { note, properties, completed }: OwnFields, depth = 0): DraftNode {
	return {
		name: block.name,
		layoutMode: block.layoutMode,
		completed: completed ?? block.completed,
		depth: depth + block.depth,
		note,
		properties,
	};
}

const noFields = { note: null, properties: null, completed: undefined };

const noMirrors: readonly string[] = [];

/** The number of records made in a step. */
const nodesInStep = 4096;

/** Returns the view of a node that was just created. */
export function newView(record: NodeRecord): OutlineNode {
	return nodeView({ record, origin: null, mirrorIds: noMirrors });
}

/**
 * Makes the records of new nodes.
 *
 * @param nodes - in reading order, each at most one level deeper than the node before
 * @param ids - one for each node
 * @param parentId - the parent of the nodes at depth 0
 * @param priorities - one for each node at depth 0
 */
export function* recordsOf(
	nodes: readonly DraftNode[],
	ids: readonly string[],
	parentId: string | null,
	priorities: readonly number[],
	seconds: number,
): Steps<NodeRecord[]> {
	const records: NodeRecord[] = [];
	/** By depth: the id of the last node made. */
	const lastIds: string[] = [];
	/** By depth: the number of children of the last node made. */
	const childCounts: number[] = [];
	let roots = 0;
	for (let index = 0; index < nodes.length; index++) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const node = nodes[index]!;
		const id = ids[index]!;
		const { depth } = node;
		lastIds[depth] = id;
		childCounts[depth] = 0;
		const parent = depth === 0 ? parentId : lastIds[depth - 1]!;
		const priority = depth === 0 ? priorities[roots++]! : gap * childCounts[depth - 1]!++;
		records.push(recordOf(node, id, parent, priority, seconds));
	}
	return records;
}

/** Returns the record of a new node. */
export function recordOf(
	node: DraftNode,
	id: string,
	parentId: string | null,
	priority: number,
	seconds: number,
): NodeRecord {
	const { name, note, layoutMode, properties = null, completed } = node;
	const { createdAt = seconds, modifiedAt = seconds, completedAt = seconds } = node;
	return {
		id,
		parentId,
		priority,
		name,
		note,
		layoutMode,
		properties,
		createdAt,
		modifiedAt,
		completedAt: completed ? completedAt : null,
		originId: null,
		revision: 0,
	};
}

import type { Outline, OutlineNode } from "outlinekit";

/** A node that is copied, without its place and its times. */
export interface CopiedNode {
	/** 0 for an outermost node. Its descendants follow it. */
	readonly depth: number;
	/** A fragment, as the outline keeps it. */
	readonly name: string;
	readonly note: string | null;
	readonly layoutMode: OutlineNode["layoutMode"];
	readonly completed: boolean;
	readonly properties?: OutlineNode["properties"];
	/** Whether its children show. */
	readonly expanded: boolean;
	/** The id of the node that it is a mirror of; null if it is none. */
	readonly originId: string | null;
}

/** A node of a walk, and its depth; 0 for an outermost one. */
export interface WalkedNode {
	readonly node: OutlineNode;
	readonly depth: number;
}

/**
 * Nodes with their subtrees, in order. Below a mirror are only the nodes that were moved into it.
 *
 * @param ids - of nodes of which none is below another; null for the whole outline
 */
export async function walked(outline: Pick<Outline, "walk">, ids: readonly (string | null)[]): Promise<WalkedNode[]> {
	const nodes: WalkedNode[] = [];
	for (const id of ids) {
		for await (const { node, path } of outline.walk(id, { mirrors: "stop", budget: Number.POSITIVE_INFINITY })) {
			nodes.push({ node, depth: path.length - 1 });
		}
	}
	return nodes;
}

/**
 * Nodes as copies. A mirror has the id of its origin.
 *
 * @param isExpanded - whether the children of a node show
 */
export function copiesOf(nodes: readonly WalkedNode[], isExpanded: (id: string) => boolean): CopiedNode[] {
	return nodes.map(({ node, depth }) => {
		const { id, name, note, layoutMode, completed, properties, mirror } = node;
		const originId = mirror?.originId ?? null;
		return { depth, name, note, layoutMode, completed, properties, expanded: isExpanded(id), originId };
	});
}

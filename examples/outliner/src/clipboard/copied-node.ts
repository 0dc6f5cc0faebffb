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
	/** Whether its children show. */
	readonly expanded: boolean;
	/** The id of the node that it is a mirror of; null if it is none. */
	readonly originId: string | null;
}

/**
 * Nodes with their subtrees, in order. A mirror has the id of its origin, and below it are only the
 * nodes that were moved into it.
 *
 * @param ids - of nodes of which none is below another; null for the whole outline
 * @param isExpanded - whether the children of a node show
 */
export async function copyOf(
	outline: Pick<Outline, "walk">,
	ids: readonly (string | null)[],
	isExpanded: (id: string) => boolean,
): Promise<CopiedNode[]> {
	const copied: CopiedNode[] = [];
	for (const id of ids) {
		for await (const { node, path } of outline.walk(id, { mirrors: "stop", budget: Number.POSITIVE_INFINITY })) {
			const depth = path.length - 1;
			const { name, note, layoutMode, completed, mirror } = node;
			const originId = mirror?.originId ?? null;
			copied.push({ depth, name, note, layoutMode, completed, expanded: isExpanded(node.id), originId });
		}
	}
	return copied;
}

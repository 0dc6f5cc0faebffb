import type { BatchOperation, BatchPosition, BatchReference } from "outlinekit";

/** Where something goes. */
export interface Place {
	/** Null for the top level. */
	readonly parent: BatchReference | null;
	readonly position: BatchPosition;
}

/**
 * The operations that put a mirror of a node in a place, also at the top level, where `mirror` can't create
 * one.
 *
 * @param as - the name of the mirror in the batch
 */
export function mirrorOperations(ref: string, as: string, { parent, position }: Place): BatchOperation[] {
	if (parent !== null) return [{ type: "mirror", ref, as, parent, position }];
	const maker = { as: `${as} is made here` };
	return [
		{ type: "create", name: "", ...maker },
		{ type: "mirror", ref, as, parent: maker },
		{ type: "move", ref: { as }, parent, position },
		{ type: "delete", ref: maker },
	];
}

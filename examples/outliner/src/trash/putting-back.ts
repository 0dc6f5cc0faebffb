import type { ImportOptions, ImportSource, Outline } from "outlinekit";
import { codeOf } from "../text/error-code.js";
import type { Workspace } from "../workspace/workspace.js";

/** The former place of deleted nodes. */
export interface FormerPlace {
	/** Null for the top level. */
	readonly parentId: string | null;
	readonly priority: number;
}

/** Nodes that are back. */
export interface PutBack {
	/** The ids of the outermost nodes. */
	readonly rootIds: readonly string[];
	/** Whether they are at the top level because their parent is gone. */
	readonly isElsewhere: boolean;
}

/**
 * Creates deleted nodes again, with their ids, in their former place, or at the end of the top level if the
 * parent is gone.
 *
 * @param file - returns the nodes as JSON Lines
 */
export async function putBack({ outline }: Workspace, file: () => ImportSource, former: FormerPlace): Promise<PutBack> {
	const create = async (place: Pick<ImportOptions, "parent" | "position">) => {
		const { rootIds } = await outline.import(file(), { format: "json", ...place });
		return rootIds;
	};
	try {
		return { rootIds: await create(await placeNow(outline, former)), isElsewhere: false };
	} catch (error) {
		// The siblings may be gone too by now, or be elsewhere.
		if (codeOf(error) !== "not_found" && codeOf(error) !== "invalid_argument") throw error;
		return { rootIds: await create({ parent: null, position: "bottom" }), isElsewhere: true };
	}
}

/** The place behind the siblings that came before. */
async function placeNow(
	outline: Outline,
	{ parentId, priority }: FormerPlace,
): Promise<Pick<ImportOptions, "parent" | "position">> {
	const { nodes } = await outline.list(parentId);
	const before = nodes.findLast((node) => node.priority < priority);
	return { parent: parentId, position: before === undefined ? "top" : { after: before.id } };
}

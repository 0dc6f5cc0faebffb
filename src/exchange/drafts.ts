import type { DraftNode } from "../tree.js";
import { recordsOf } from "../tree.js";
import type { Arrival } from "./format-module.js";
import { LossCount } from "./loss.js";
import { placeRoots } from "./roots.js";

/**
 * The nodes of a file that names none of them: each gets a new id.
 *
 * @param drafts - in reading order; any number at depth 0, each at most one deeper than the one before
 */
export function arrivalOf(drafts: readonly DraftNode[]): Arrival {
	const roots = drafts.filter(({ depth }) => depth === 0).length;
	return {
		nodes: drafts.length,
		*settle(call, changes, destination) {
			const { ids, parentId, priorities } = yield* placeRoots(call, changes, destination, roots, drafts.length);
			const records = recordsOf(drafts, ids, parentId, priorities, call.seconds);
			for (const record of records) changes.put(null, record);
			const rootIds = records.filter((_, index) => drafts[index]!.depth === 0).map(({ id }) => id);
			return { rootIds, lost: new LossCount() };
		},
	};
}

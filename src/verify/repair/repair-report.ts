import type { Problem } from "../problem.js";

/** One mended problem. */
export interface Repair {
	/** The problem as it was when it was mended. */
	readonly problem: Problem;
	/** The repair in words, for people. */
	readonly action: string;
	/** The current id of the node. Only repairs of `invalid_id` and `duplicate_short_id` change an id. */
	readonly nodeId: string | null;
}

import type { Problem } from "../problem.js";

/** Something that a repair has done. */
export interface Repair {
	/** What was wrong when it was mended. */
	readonly problem: Problem;
	/** What was done, in words, for people. */
	readonly action: string;
	/** The id of the node now. A node is given another one only for `invalid_id` and `duplicate_short_id`. */
	readonly nodeId: string | null;
}

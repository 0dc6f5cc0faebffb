import type { Conflict, RefusedEntry } from "../protocol.js";
import type { Records } from "../record-fields.js";
import type { Changed } from "./foreign-commits.js";
import type { ReplicaState } from "./journal.js";

/**
 * The way in which the server's state continues the one that the device knows:
 *
 * - `changes`: it has sent its changes since then.
 * - `image`: it has sent its whole outline, which continues that state.
 * - `join`: it has sent its whole outline, and the two have never met.
 * - `restored`: it has sent its whole outline, which is older than that state.
 * - `foreign`: it has sent its whole outline, which continues that state, and something else than a replica
 *   has changed the local outline meanwhile.
 */
export type PullMode = "changes" | "image" | "join" | "restored" | "foreign";

/** The answer of the server: its changes, or its whole outline. */
export interface Pulled extends Records {
	readonly mode: PullMode;
	/** The state of the replica afterwards. */
	readonly state: ReplicaState;
	readonly conflicts: readonly Conflict[];
	/** The ids of closed conflicts. */
	readonly closed: readonly string[];
	readonly refused: readonly RefusedEntry[];
	/** Entries up to this number were acknowledged under the earlier id of a device that gets another one. */
	readonly settled?: number;
	/** In the mode `foreign`: what the server has changed since the last exchange, if it knows that. */
	readonly changed?: Changed | undefined;
}

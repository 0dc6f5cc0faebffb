import type { Changes } from "../engine/changes.js";
import type { Operation } from "../engine/protocol.js";
import type { ConflictNote, Delta, SettleOptions } from "./delta.js";

/** Settles the delta of another device on the outline. Run it by `Uncommitted.run`. */
export function* settle(_changes: Changes, _delta: Delta, _options: SettleOptions): Operation<ConflictNote[]> {
	throw new Error("Not written yet.");
}

import type { Call, RunWrite } from "../../engine/call.js";
import type { RunOperation } from "../../engine/protocol.js";
import type { StorageAdapter } from "../../storage.js";

/** The outline that is synchronized, as the server's side of sync uses it. */
export interface SyncHost {
	readonly begin: () => Call;
	readonly read: RunOperation;
	/** Runs an operation as one commit, which isn't in the undo history. */
	readonly write: RunWrite;
	readonly storage: StorageAdapter;
}

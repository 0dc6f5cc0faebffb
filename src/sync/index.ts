/**
 * Synchronization: an outline on several devices, each of which works without a connection. Also merges texts,
 * for a field that shows the edits of others while one types.
 *
 * @module outlinekit/sync
 */
export { editsBetween, mergeEdits, offsetAfter, type TextEdit } from "../markup/edits.js";
export type { ConflictKind, ConflictNote } from "./delta.js";
export type { Conflict, RefusedEntry, SyncAnswer, SyncNode } from "./protocol.js";
export {
	createHttpRemote,
	type FetchOptions,
	type FetchResponse,
	type HttpRemoteOptions,
} from "./replica/http-remote.js";
export type { ReplicaConflict } from "./replica/journal.js";
export type { ImagePlace, Remote, RemoteSignal } from "./replica/remote.js";
export { createReplica, type Replica, type ReplicaOptions } from "./replica/replica.js";
export type { ReplicaPhase, ReplicaStatus } from "./replica/status.js";

import type { Document } from "../../storage.js";
import type { RefusedEntry } from "../protocol.js";

/*
 * The documents of a server, all written in the commits that they are about:
 *
 * - `sync/outline`: the identity of the outline, drawn at the first sync;
 * - `sync/mark/<number>`: a mark of the history (history-mark.ts);
 * - `sync/device/<device>`: the state of a device, as JSON;
 * - `sync/digests/<device>/<number>`: 64 earlier digests of its journal, as JSON;
 * - `sync/conflict/<revision>-<number>`: an open conflict, as JSON. Its id follows `sync/conflict/`;
 * - `sync/closed/<revision>/<id>`: the id of a conflict that was closed by a commit.
 */

/** The key of the document with the identity of the outline. */
export const identityKey = "sync/outline";

/** The beginning of the keys of open conflicts. */
export const conflictPrefix = "sync/conflict/";

/** The beginning of the keys of closed conflicts. */
export const closedPrefix = "sync/closed/";

/** The digests in one document, and the documents of a device: it finds its last common entry among 4,096. */
const digestsInBlock = 64;
const blocks = 64;

/** The number and the digest of an entry. */
export type EntryDigest = readonly [seq: number, digest: string];

/** The state of a device: its last entry here, and what it may not know yet. */
export interface DeviceState {
	/** The number of the last entry; 0 for none. */
	readonly last: number;
	/** The digest of the journal up to that entry. */
	readonly digest: string;
	/** The time of the last push with entries, in Unix seconds. */
	readonly at: number;
	/** The number of full blocks of digests so far. */
	readonly blocks: number;
	/** The last digests, which fill no block yet. */
	readonly recent: readonly EntryDigest[];
	/** The refused entries that the device hasn't acknowledged, after the last ones that it has. */
	readonly refused: readonly RefusedEntry[];
}

const newDevice: DeviceState = { last: 0, digest: "", at: 0, blocks: 0, recent: [], refused: [] };

/** The query for the identity of the outline. */
export const identityQuery = { type: "documents", prefix: identityKey, limit: 1 } as const;

/** Returns the identity of the outline; `null` if there is none yet. */
export function identityIn([document]: readonly Document[]): string | null {
	return document?.key === identityKey ? document.value : null;
}

/** Returns the query for the state of a device. */
export function deviceQuery(device: string) {
	return { type: "documents", prefix: deviceKey(device), limit: 1 } as const;
}

/** Returns the state of a device, from the answer to its {@link deviceQuery}. */
export function deviceIn([document]: readonly Document[], device: string): DeviceState {
	return document?.key === deviceKey(device) ? (JSON.parse(document.value) as DeviceState) : newDevice;
}

/**
 * Returns the documents that store the state of a device with further digests.
 *
 * @param digests - those of the entries since `state`, in order
 */
export function deviceDocuments(
	device: string,
	state: DeviceState,
	digests: readonly EntryDigest[],
): { put: Document[]; dropped: string[] } {
	const put: Document[] = [];
	const dropped: string[] = [];
	let recent = [...state.recent, ...digests];
	let full = state.blocks;
	while (recent.length >= digestsInBlock) {
		put.push({ key: digestsKey(device, full), value: JSON.stringify(recent.slice(0, digestsInBlock)) });
		if (full >= blocks) dropped.push(digestsKey(device, full - blocks));
		recent = recent.slice(digestsInBlock);
		full += 1;
	}
	put.push({ key: deviceKey(device), value: JSON.stringify({ ...state, blocks: full, recent }) });
	// Of very many digests, the first ones are too old already.
	return { put: put.filter(({ key }) => !dropped.includes(key)), dropped };
}

/** Returns the query for the earlier digests of a device. */
export function digestsQuery(device: string) {
	return { type: "documents", prefix: `sync/digests/${device}/` } as const;
}

/** Returns the last digests of a device, in the order of its entries. */
export function digestsIn(documents: readonly Document[], { recent }: DeviceState): EntryDigest[] {
	const earlier = documents.flatMap(({ value }) => JSON.parse(value) as EntryDigest[]);
	return [...earlier, ...recent].slice(-digestsInBlock * blocks);
}

/** Returns a revision with so many digits that the order of the texts is that of the revisions. */
export function revisionText(revision: number): string {
	return String(revision).padStart(16, "0");
}

/** Returns the revision in the key of a conflict, open or closed. */
export function revisionIn(key: string): number {
	return Number(key.split("/")[2]!.slice(0, 16));
}

function deviceKey(device: string): string {
	return `sync/device/${device}`;
}

function digestsKey(device: string, block: number): string {
	return `sync/digests/${device}/${String(block).padStart(12, "0")}`;
}

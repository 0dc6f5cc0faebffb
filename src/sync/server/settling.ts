import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { ask, askAll, Counter, newestQuery, type Operation, pause, revisionOfAnswers } from "../../engine/protocol.js";
import { Uncommitted } from "../../engine/uncommitted.js";
import { OutlineError } from "../../errors.js";
import { shortIdOf } from "../../id.js";
import type { Document, StoredNode } from "../../storage.js";
import type { ConflictNote, Delta, NodeDelta } from "../delta.js";
import type { PushHeader, RefusedEntry } from "../protocol.js";
import { GivenParents } from "../settle/given-parents.js";
import { settle } from "../settle/settle.js";
import { namedIdsOf, type SettleOptions } from "../settle/settlement.js";
import { askAhead } from "./ask-ahead.js";
import {
	closedPrefix,
	conflictPrefix,
	type DeviceState,
	deviceDocuments,
	deviceIn,
	deviceQuery,
	digestsIn,
	digestsQuery,
	type EntryDigest,
	identityIn,
	identityQuery,
	revisionIn,
	revisionText,
} from "./documents.js";
import { parentConflicts } from "./feed.js";
import { completeHistory, type History, includes, markIn, markQuery, wireMark } from "./history-mark.js";
import { expired, forked, reset, tooLarge, wrongOutline } from "./refusal.js";

/** The most refused entries that a device has yet to acknowledge. Later entries wait for that. */
const mostRefused = 256;

/** The most refused entries that stay after the device has acknowledged them, for a device that is set back to a copy. */
const keptRefused = 16;

/** The reason why an entry is refused. */
export type Refusal = Omit<RefusedEntry, "seq">;

/** An entry of a push. */
export interface Entry {
	readonly seq: number;
	readonly digest: string;
	/** With checked fields; the reason why it is refused; or `null` for an entry that the server has. */
	readonly delta: Delta | Refusal | null;
	/** The nodes that are refused, of a delta that has the others. */
	readonly refused?: Refusal;
}

/** Some entries of a push that follow one another. */
export interface Portion {
	/** The entry before the first one, or the header's last. */
	readonly before: EntryDigest;
	readonly entries: readonly Entry[];
}

/** The error if settling an entry fails, so that the entry can be refused. */
export class EntryFailure extends Error {
	readonly seq: number;
	override readonly cause: OutlineError;

	constructor(seq: number, cause: OutlineError) {
		super(cause.message);
		this.seq = seq;
		this.cause = cause;
	}
}

/** The state of a device at the server. */
export interface Settled extends History {
	readonly device: DeviceState;
	/** The horizon of the outline. */
	readonly horizon: number;
}

/**
 * Checks that a push and the server know the same history. Changes nothing.
 *
 * @throws `wrong_outline`; `sync_reset` if the server is behind the device, or lacks its mark; `sync_forked` if two
 * devices use one id; `changes_expired`
 */
export function* checked(header: PushHeader, portion: Portion): Operation<Settled> {
	const [identity, state, newest, marks] = yield* ask(
		identityQuery,
		deviceQuery(header.device),
		newestQuery,
		markQuery,
	);
	const outline = identityIn(identity);
	if (header.outline !== null && header.outline !== outline) throw wrongOutline();
	const device = deviceIn(state, header.device);
	if (header.last > device.last || header.since > newest.revision || portion.before[0] > device.last) throw reset();
	const mark = markIn(marks);
	if (header.mark !== undefined && header.mark !== wireMark(mark) && !(yield* includes(header.mark, mark)))
		throw reset();
	if (!agrees(portion, device)) {
		const [earlier] = yield* ask(digestsQuery(header.device));
		throw forked(device.last, digestsIn(earlier, device));
	}
	const { horizon } = newest;
	if (header.since > 0 && header.since < horizon) throw expired(header.since, horizon);
	return { outline, device, horizon, mark, isMarked: mark.revision === newest.revision };
}

/** Whether the entries of a device continue the ones that the server has. */
function agrees({ before, entries }: Portion, { last, digest }: DeviceState): boolean {
	const digests: EntryDigest[] = [before, ...entries.map(({ seq, digest }): EntryDigest => [seq, digest])];
	const common = digests.find(([seq]) => seq >= last);
	// Without one, all entries are older ones that arrive again.
	return common === undefined || (common[0] === last && common[1] === digest);
}

/**
 * Settles entries on the outline, each on the state that the one before leaves. Skips entries that the server
 * has. The number and digest of the last entry go into the same commit, so each entry is settled exactly once.
 *
 * @param drawn - a random id: the identity of the outline if it has none, and the text of the mark
 * @throws as {@link checked}
 */
export function* settlePortion(
	call: Call,
	changes: Changes,
	header: PushHeader,
	portion: Portion,
	drawn: string,
): Operation<Settled> {
	const found = yield* checked(header, portion);
	const { device, horizon } = found;
	const revision = (yield* revisionOfAnswers()) + 1;
	const entries = portion.entries.filter(({ seq }) => seq > device.last);
	if (entries.length === 0) return { ...found, ...completeHistory(changes, found, revision, drawn) };

	const uncommitted = new Uncommitted();
	const known = device.refused.filter(({ seq }) => seq <= header.last).slice(-keptRefused);
	const refused = device.refused.filter(({ seq }) => seq > header.last);
	const stored = yield* uncommitted.run(lookedUp(entries));
	const holders = yield* holdersOfShortIds(entries, stored);
	yield* askAhead(uncommitted, deltasOf(entries), stored);
	const digests: EntryDigest[] = [];
	const closed = new Set<string>();
	const conflicts: Document[] = [];
	const { names, limits } = call.settings;
	const options = { names, limits, givenParents: new GivenParents(parentConflicts) };
	let size = 0;
	for (const { seq, digest, delta, refused: inPart } of entries) {
		if (delta === null) throw reset();
		const whole = "code" in delta ? delta : yield* takenId(delta, holders);
		const refusal = whole ?? inPart;
		if (refusal !== undefined) {
			if (refused.length === mostRefused) break;
			refused.push({ seq, ...refusal });
		}
		digests.push([seq, digest]);
		if ("code" in delta || whole !== undefined) continue;
		const notes = yield* settledEntry(options, uncommitted, seq, delta);
		for (const note of notes) {
			yield* pause();
			const value = JSON.stringify({ ...note, at: delta.at, device: header.device });
			// A short entry may have many conflicts with one long text, so their size is checked before they fill the memory.
			size += value.length;
			if (size > limits.commit) throw tooLarge(limits.commit);
			conflicts.push({ key: `${conflictPrefix}${revisionText(revision)}-${conflicts.length}`, value });
		}
		for (const id of delta.closed ?? []) closed.add(id);
		yield* pause();
	}
	changes.adopt(uncommitted.changes);
	const [last, digest] = digests.at(-1) ?? [device.last, device.digest];
	const state = { ...device, last, digest, at: call.seconds, refused: [...known, ...refused] };
	if (digests.length > 0) changes.changeDocuments(deviceDocuments(header.device, state, digests));
	const history = completeHistory(changes, { ...found, isMarked: digests.length === 0 }, revision, drawn);
	changes.changeDocuments({ put: conflicts, dropped: [] });
	if (closed.size > 0) changes.changeDocuments(yield* closing([...closed], revision, horizon));
	return { ...found, ...history, device: state };
}

/** Settles an entry. @throws an {@link EntryFailure} in place of an error that another outline would not have */
function* settledEntry(
	options: SettleOptions,
	uncommitted: Uncommitted,
	seq: number,
	delta: Delta,
): Operation<readonly ConflictNote[]> {
	try {
		return yield* uncommitted.run(settle(uncommitted.changes, delta, options));
	} catch (error) {
		if (!(error instanceof OutlineError) || error.code === "storage_corrupt") throw error;
		throw new EntryFailure(seq, error);
	}
}

/** Reads the nodes that some entries name in one round trip, so that settling them takes few more. */
function* lookedUp(entries: readonly Entry[]): Operation<readonly StoredNode[]> {
	const ids = yield* namedIdsOf(nodesOf(entries));
	const [nodes] = yield* ask({ type: "related", ids });
	return nodes;
}

/** The ids by their short ids: of stored nodes, then also of the entries that claim them. */
type Holders = Map<string, string>;

/**
 * Returns the stored nodes that have a short id of a node in some entries.
 *
 * @param stored - the stored nodes that the entries name
 */
function* holdersOfShortIds(entries: readonly Entry[], stored: readonly StoredNode[]): Operation<Holders> {
	const holders: Holders = new Map(stored.map(({ record: { id } }) => [shortIdOf(id), id]));
	const unknown = new Set<string>();
	const counter = new Counter();
	for (const { id, after } of nodesOf(entries)) {
		if (counter.isDue()) yield* pause();
		if (after !== null && !holders.has(shortIdOf(id))) unknown.add(shortIdOf(id));
	}
	if (unknown.size === 0) return holders;
	const [taken] = yield* ask({ type: "taken", shortIds: [...unknown] });
	if (taken.length === 0) return holders;
	const nodes = yield* askAll(taken.map((shortId) => ({ type: "node", at: { shortId } }) as const));
	for (const node of nodes) if (node !== null) holders.set(shortIdOf(node.record.id), node.record.id);
	return holders;
}

/** The nodes of the entries that have a delta. */
function* nodesOf(entries: readonly Entry[]): Generator<NodeDelta, void, undefined> {
	for (const { nodes } of deltasOf(entries)) yield* nodes;
}

function* deltasOf(entries: readonly Entry[]): Generator<Delta, void, undefined> {
	for (const { delta } of entries) if (delta !== null && !("code" in delta)) yield delta;
}

/** Returns the reason to refuse an entry because a node has the short id of another one. */
function* takenId({ nodes }: Delta, holders: Holders): Operation<Refusal | undefined> {
	const counter = new Counter();
	for (const { id, after } of nodes) {
		if (counter.isDue()) yield* pause();
		if (after === null) continue;
		const holder = holders.get(shortIdOf(id));
		if (holder === undefined) holders.set(shortIdOf(id), id);
		else if (holder !== id) {
			return { code: "invalid_argument", message: `The node ${id} has the short id of ${holder}. Give it another id.` };
		}
	}
	return undefined;
}

/**
 * Returns the changes that close conflicts, as far as they are open. Drops marks of closed conflicts from before
 * the horizon, because no device reads the changes from there.
 */
function* closing(
	ids: readonly string[],
	revision: number,
	horizon: number,
): Operation<{ put: Document[]; dropped: string[] }> {
	const [oldest, ...found] = yield* askAll([
		{ type: "documents", prefix: closedPrefix, limit: 100 } as const,
		...ids.map((id) => ({ type: "documents", prefix: conflictPrefix + id, limit: 1 }) as const),
	] as const);
	const open = ids.filter((id, index) => found[index]![0]?.key === conflictPrefix + id);
	const unread = oldest.filter(({ key }) => revisionIn(key) <= horizon);
	return {
		put: open.map((id) => ({ key: `${closedPrefix}${revisionText(revision)}/${id}`, value: "" })),
		dropped: [...open.map((id) => conflictPrefix + id), ...unread.map(({ key }) => key)],
	};
}

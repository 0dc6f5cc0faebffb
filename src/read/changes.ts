import type { Changes } from "../engine/changes.js";
import { type ChangedKey, changedKey } from "../engine/event.js";
import { ask, newestQuery, type Operation, type RunOperation } from "../engine/protocol.js";
import { invalidArgument, OutlineError } from "../errors.js";
import { countArgument, fieldNames, fieldsOf } from "../fields.js";
import { contentOf, nodeView, type OutlineNode, sizeOfRecord } from "../node.js";
import { Pace } from "../pace.js";
import type { ChangedSince, StoredNode } from "../storage.js";

/** The input of {@link Outline.changes}. */
export interface ChangesInput {
	/** A revision, from an earlier answer or event; 0 for none. */
	since: number;
	/** The nodes and ids after which an answer ends, 1 to 10,000; it has whole commits. Default 1,000. */
	limit?: number | undefined;
	/**
	 * The most characters (UTF-16 code units) of names and notes in an answer; each node counts 64 more. The
	 * answer has the commits that fit as a whole, and at least one commit. Default `Infinity`.
	 */
	characters?: number | undefined;
}

/** The names of the fields. */
const changesFields = fieldNames<ChangesInput>({ since: true, limit: true, characters: true });

/** The input of {@link Outline.prune}. */
export interface PruneInput {
	/** The oldest revision from which a reader of the changes can still continue. */
	before: number;
}

/** The changes since a revision. */
export interface OutlineChanges {
	/**
	 * Every existing node that has changed, as it is now (as in `get`), in no order. This includes nodes whose
	 * view has changed with another node: the mirrors of an origin, and an origin that has gained or lost a
	 * mirror.
	 */
	nodes: OutlineNode[];
	/** The ids of the deleted nodes. */
	deleted: string[];
	/** The keys that were set, with their nodes as they are now, and the dropped keys. */
	keys: ChangedKey[];
	/** The revision that the answer reaches. Pass it as `since` the next time. */
	revision: number;
	/** Whether there are more changes, beyond the limits. */
	more: boolean;
}

/** The input of `changes`, checked and complete. */
export type ChangesSettings = { readonly [F in keyof ChangesInput]-?: number };

/** Checks the input of `changes`. @throws `invalid_argument` */
export function changesArgument(input: unknown): ChangesSettings {
	const { since, limit = 1000, characters: most } = fieldsOf("changes", input, changesFields);
	if (typeof since !== "number" || !Number.isSafeInteger(since) || since < 0) {
		throw invalidArgument("since", since, "a revision that an earlier answer gave, or 0 for everything");
	}
	if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > 10_000) {
		throw invalidArgument("limit", limit, "an integer from 1 to 10,000");
	}
	const characters = countArgument("characters", most, Number.POSITIVE_INFINITY, "characters", 1);
	return { since, limit, characters };
}

/** The number of changes in the first query if characters are limited. Their length isn't known yet. */
const firstChanges = 64;

/** The number of nodes in one query, and between two pauses. */
const nodesInARow = 4096;

/**
 * Returns the nodes changed and deleted since a revision. It reads them in parts. If a node changes
 * meanwhile, the answer may have its newer state, and the next answer has it again.
 *
 * @throws `invalid_argument` for a revision that the outline hasn't reached yet; `changes_expired` for one
 * before the horizon
 */
export async function changesSince(
	run: RunOperation,
	{ since, limit, characters }: ChangesSettings,
): Promise<OutlineChanges> {
	const nodes = new Map<string, OutlineNode>();
	const deleted = new Set<string>();
	const keys = new Map<string, ChangedKey>();
	const pace = new Pace();
	let revision = since;
	let more = true;
	let entries = 0;
	let size = 0;
	let horizon = 0;
	// From the beginning, the first answer reaches the horizon, so that a next one can continue from it.
	while (more && ((entries < limit && size < characters) || (since === 0 && revision < horizon))) {
		const asked = { since: revision, limit: nextLimit(entries, size, limit, characters) };
		const [changed, newest] = await run(() => changesAndNewest(asked));
		if (newest.revision < since) throw unknownRevision("since", since, newest.revision);
		if (since > 0 && since < changed.horizon) throw expired(since, changed.horizon);
		if (horizon < changed.horizon && 0 < revision && revision < changed.horizon) {
			// Nodes of the answer so far may have been deleted and pruned meanwhile, so it begins again.
			for (const part of [nodes, deleted, keys]) part.clear();
			[revision, entries, size, horizon] = [0, 0, 0, changed.horizon];
			continue;
		}
		horizon = changed.horizon;
		if (pace.isDue) await pace.turn();
		const concerned = await concernedNodes(run, changed, pace);
		const { last, used } = lastFitting(changed, concerned, characters - size, entries === 0);
		for (const { node, revision } of concerned) {
			if (pace.isDue) await pace.turn();
			if (revision > last) continue;
			nodes.set(node.record.id, nodeView(node));
			deleted.delete(node.record.id);
		}
		for (const { id, revision } of changed.deleted) {
			if (revision > last) continue;
			deleted.add(id);
			nodes.delete(id);
		}
		for (const { key, nodeId, revision } of changed.keys) {
			if (revision <= last) keys.set(key, changedKey(key, nodeId));
		}
		for (const { key, revision } of changed.droppedKeys) {
			if (revision <= last) keys.set(key, changedKey(key, null));
		}
		entries += changed.nodes.length + changed.deleted.length + changed.keys.length + changed.droppedKeys.length;
		size += used;
		revision = last;
		more = newest.revision > last;
		if (last < changed.revision) break;
	}
	return { nodes: [...nodes.values()], deleted: [...deleted], keys: [...keys.values()], revision, more };
}

/** Returns the number of changes in the next query. It estimates from the changes so far how many fit. */
function nextLimit(entries: number, size: number, limit: number, characters: number): number {
	if (characters === Number.POSITIVE_INFINITY) return limit;
	const fitting = entries === 0 ? firstChanges : Math.floor(((characters - size) * entries) / Math.max(size, 1));
	return Math.max(1, Math.min(limit - entries, fitting));
}

function* changesAndNewest(asked: { since: number; limit: number }): Operation<readonly [ChangedSince, ChangedSince]> {
	return yield* ask({ type: "changes", ...asked }, newestQuery);
}

/** A node whose view has changed, and the revision of that change. */
interface Concerned {
	readonly node: StoredNode;
	readonly revision: number;
}

/** Returns the nodes whose views some changes have changed, with the revision of the change. */
async function concernedNodes(run: RunOperation, { nodes }: ChangedSince, pace: Pace): Promise<Concerned[]> {
	const revisions = new Map<string, number>();
	for (const { id, revision } of nodes) revisions.set(id, revision);
	const concerned = new Map<string, Concerned>();
	if (pace.isDue) await pace.turn();
	for (let start = 0; start < nodes.length; start += nodesInARow) {
		const ids = nodes.slice(start, start + nodesInARow).map(({ id }) => id);
		for (const node of await run(() => relatedTo(ids))) {
			const { id, originId } = node.record;
			const own = revisions.get(id) ?? Number.POSITIVE_INFINITY;
			const revision = Math.min(own, (originId === null ? undefined : revisions.get(originId)) ?? own);
			if (revision < Number.POSITIVE_INFINITY) concerned.set(id, { node, revision });
		}
		if (pace.isDue) await pace.turn();
	}
	return [...concerned.values()];
}

function* relatedTo(ids: readonly string[]): Operation<readonly StoredNode[]> {
	const [related] = yield* ask({ type: "related", ids });
	return related;
}

/**
 * Returns the last commit that fits in with the commits before it, and the number of their characters. If
 * `isFirst`, the first commit counts even if it doesn't fit.
 */
function lastFitting(
	{ revision }: ChangedSince,
	concerned: readonly Concerned[],
	room: number,
	isFirst: boolean,
): { last: number; used: number } {
	const sizes = new Map<number, number>();
	for (const { node, revision } of concerned) {
		sizes.set(revision, (sizes.get(revision) ?? 0) + sizeOfRecord(contentOf(node)));
	}
	let used = 0;
	let last: number | undefined;
	for (const commit of [...sizes.keys()].sort((left, right) => left - right)) {
		const size = sizes.get(commit)!;
		// Deletions have no text, so the earlier commits with deletions alone fit in too.
		if (used + size > room && !(isFirst && last === undefined)) return { last: commit - 1, used };
		used += size;
		last = commit;
	}
	return { last: revision, used };
}

/** Checks the input of `prune`. @throws `invalid_argument` */
export function pruneArgument(input: unknown): number {
	const { before } = fieldsOf("prune", input, ["before"]);
	if (typeof before === "number" && Number.isSafeInteger(before) && before >= 0) return before;
	throw invalidArgument("before", before, "a revision: the oldest one from which a reader of the changes may continue");
}

/**
 * Drops the tombstones of commits before a revision. If they are gone already, it writes nothing.
 *
 * @throws `invalid_argument` for a revision that the outline hasn't reached yet
 */
export function* prune(changes: Changes, before: number): Operation<void> {
	const [newest] = yield* ask(newestQuery);
	if (before > newest.revision) throw unknownRevision("before", before, newest.revision);
	if (before - 1 > newest.horizon) changes.prune(before - 1);
}

function expired(since: number, horizon: number): OutlineError {
	return new OutlineError(
		"changes_expired",
		`since is ${since}, and the outline has pruned the deletions up to revision ${horizon}. Begin again with 0, in place of what you have.`,
	);
}

function unknownRevision(name: string, revision: number, newest: number): OutlineError {
	return new OutlineError(
		"invalid_argument",
		`${name} is ${revision}, and the outline is at revision ${newest}: it is another outline, or was restored from a copy. Begin again with 0.`,
	);
}

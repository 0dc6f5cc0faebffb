import { addTo } from "../../engine/lists.js";
import { ask, Counter, type Operation, pause, revisionOfAnswers, stepwise } from "../../engine/protocol.js";
import { usualLimits } from "../../engine/settings.js";
import { differs, rewritten } from "../../node.js";
import type { ChangedSince, KeyChange, NodeChange, NodeRecord, StorageAdapter } from "../../storage.js";
import type { Delta, DeltaFields, NodeDelta } from "../delta.js";
import { type Records, recordOfFields } from "../record-fields.js";
import { mergedContent } from "../settle/content.js";
import { keyDeltaOf, nodeDeltaOf, surroundingsOf } from "./commit-delta.js";
import type { Entry } from "./exchange-documents.js";
import type { ReplicaState } from "./journal.js";
import { NodeKeys } from "./node-keys.js";

/*
 * Something else than a replica may write to the local storage, for example an `Outline` directly on it. Its commits
 * have no entry in the journal, so a gap in the numbers of the entries shows them.
 */

const none: readonly never[] = [];

/** The numbers of the entries in the journal, and the revision of the local storage that they belong to. */
export interface JournalNumbers {
	/** In ascending order. */
	readonly numbers: readonly number[];
	readonly revision: number;
}

/** The ids of nodes and the keys that commits have changed or deleted. */
export interface Changed {
	readonly nodes: ReadonlySet<string>;
	readonly keys: ReadonlySet<string>;
}

/** The first and the last of the revisions without an entry. */
export interface Gaps {
	readonly first: number;
	readonly last: number;
}

/** Returns the revisions after another one that have no entry; undefined if there are none. */
export function gapsAfter(known: number | undefined, { numbers, revision }: JournalNumbers): Gaps | undefined {
	if (known === undefined) return undefined;
	const own = new Set(numbers);
	let first = known + 1;
	while (own.has(first)) first += 1;
	if (first > revision) return undefined;
	let last = revision;
	while (own.has(last)) last -= 1;
	return { first, last };
}

/**
 * Whether something else than a replica may have changed the outline since the last exchange. A gap alone doesn't
 * show it, because a commit without changes of nodes and keys has no entry. Changes after a gap may hide those of it.
 */
export async function hasForeignCommits(
	local: Pick<StorageAdapter, "read">,
	{ revision }: ReplicaState,
	journal: JournalNumbers,
): Promise<boolean> {
	const gaps = gapsAfter(revision, journal);
	if (gaps === undefined) return false;
	const { results } = await local.read([{ type: "changes", since: gaps.first - 1, limit: 1 }]);
	const [{ nodes, deleted, keys, droppedKeys }] = results;
	return nodes.length + deleted.length + keys.length + droppedKeys.length > 0;
}

/** Reads all local changes after a revision. Of long texts, a storage returns only a part at once. */
export function* changesAfter(revision: number): Operation<ChangedSince[]> {
	const answers: ChangedSince[] = [];
	for (let since = revision; ; yield* pause()) {
		const [answer] = yield* ask({ type: "changes", since, limit: Number.MAX_SAFE_INTEGER });
		answers.push(answer);
		// A storage that doesn't go on would keep the replica here for ever.
		if (answer.revision >= (yield* revisionOfAnswers()) || answer.revision <= since) return answers;
		since = answer.revision;
	}
}

/** Returns what the local commits from a revision on have changed. */
export function* changedFrom(revision: number): Operation<Changed> {
	const answers = yield* changesAfter(revision - 1);
	return {
		nodes: new Set(answers.flatMap(({ nodes, deleted }) => [...nodes, ...deleted].map(({ id }) => id))),
		keys: new Set(answers.flatMap(({ keys, droppedKeys }) => [...keys, ...droppedKeys].map(({ key }) => key))),
	};
}

/**
 * Returns which nodes can be created on an outline, because it or these nodes have their parents and origins.
 *
 * @param before - the outline
 * @param after - the outline with the nodes
 * @param except - the ids of nodes that something else creates
 */
export function* creatableOn(
	before: Records,
	after: Records,
	ids: ReadonlySet<string>,
	except: ReadonlySet<string>,
): Operation<ReadonlySet<string>> {
	const creatable = new Set<string>();
	/** The nodes that wait for another one, by its id. */
	const waiting = new Map<string, string[]>();
	const counter = new Counter();
	for (const first of ids) {
		if (counter.isDue()) yield* pause();
		for (const ready = [first]; ready.length > 0; ) {
			const id = ready.pop()!;
			const record = after.nodes.get(id);
			if (!record || before.nodes.has(id) || except.has(id)) continue;
			const needs = [record.parentId, record.originId];
			const missing = needs.find((need) => need !== null && !before.nodes.has(need) && !creatable.has(need));
			if (missing != null) {
				addTo(waiting, missing, id);
				continue;
			}
			creatable.add(id);
			for (const other of waiting.get(id) ?? none) ready.push(other);
		}
	}
	return creatable;
}

/** Returns the outline of the server with the changes of entries, as if the server had changed nothing else. */
export function* withEntries({ nodes, keys }: Records, entries: readonly Entry[]): Operation<Records> {
	const found: Records = { nodes: new Map(nodes), keys: new Map(keys) };
	const counter = new Counter();
	for (const { delta } of entries) {
		for (const { id, before, after } of delta.nodes) {
			if (counter.isDue()) yield* pause();
			const record = found.nodes.get(id);
			if (after === null) found.nodes.delete(id);
			else if (record) found.nodes.set(id, yield* edited(record, before, after));
			else if (before === null) found.nodes.set(id, recordOfFields(id, after));
		}
		for (const { key, group, after } of delta.keys ?? []) {
			found.keys.set(key, after === null ? null : { key, group, nodeId: after });
		}
	}
	return found;
}

/**
 * Returns a node of the server after a change. The change may follow foreign commits that the server doesn't
 * have yet. So its content is merged, as on the server.
 */
function* edited(record: NodeRecord, before: DeltaFields | null, after: DeltaFields): Operation<NodeRecord> {
	const { record: merged } = yield* stepwise(mergedContent(record, before ?? {}, after, usualLimits));
	return rewritten({ ...record, ...after }, merged, merged.modifiedAt);
}

/**
 * Returns the delta of foreign commits, for the nodes and keys that they may have changed. If the server has changed
 * one since the last exchange, the state before isn't known: settling keeps what both have, and what is deleted here
 * stays there.
 *
 * @param here - the nodes and keys
 * @param there - what the server has changed since the last exchange; undefined if it doesn't know any more
 * @param server - the outline of the server, with the earlier entries
 * @param local - the local outline after the commits
 */
export function* foreignDelta(
	here: Changed,
	there: Changed | undefined,
	server: Records,
	local: Records,
): Operation<Pick<Delta, "nodes" | "keys" | "known">> {
	const counter = new Counter();
	const nodes: NodeChange[] = [];
	for (const id of here.nodes) {
		if (counter.isDue()) yield* pause();
		const change = { before: server.nodes.get(id) ?? null, after: local.nodes.get(id) ?? null };
		if (differs(change.before, change.after) && (change.after !== null || isUnchanged(there?.nodes, id)))
			nodes.push(change);
	}
	const keys: KeyChange[] = [];
	for (const key of here.keys) {
		const [before, after] = [server.keys.get(key) ?? null, local.keys.get(key) ?? null];
		if (before?.nodeId === after?.nodeId) continue;
		const record = after && { ...after, revision: 0 };
		if (isUnchanged(there?.keys, key)) keys.push({ before, after: record });
		else if (record !== null) keys.push({ before: null, after: record });
	}
	const base = yield* revisionOfAnswers();
	const surroundings = yield* surroundingsOf({ base, nodes, keys }, new NodeKeys());
	const deltas: NodeDelta[] = [];
	for (const change of nodes) {
		if (counter.isDue()) yield* pause();
		const delta = nodeDeltaOf(change, surroundings, undefined);
		const isKnown = delta.before === null || isUnchanged(there?.nodes, delta.id);
		deltas.push(isKnown ? delta : { ...delta, before: {} });
	}
	return { nodes: deltas, keys: keys.map(keyDeltaOf), known: Object.fromEntries(surroundings.known()) };
}

function isUnchanged(changed: ReadonlySet<string> | undefined, name: string): boolean {
	return changed !== undefined && !changed.has(name);
}

import { Counter, type Operation, pause, revisionOfAnswers } from "../../engine/protocol.js";
import { Uncommitted } from "../../engine/uncommitted.js";
import type { Document, KeyChange, NodeChange } from "../../storage.js";
import type { Delta, DeltaFields } from "../delta.js";
import type { Conflict, RefusedEntry } from "../protocol.js";
import type { Records } from "../record-fields.js";
import { propertyPrefix } from "../settle/content.js";
import {
	baseDocuments,
	conflictDocument,
	deltaDocuments,
	type Entry,
	readBase,
	readConflicts,
	readEntries,
	refusedDocuments,
} from "./exchange-documents.js";
import {
	type Changed,
	changedFrom,
	creatableOn,
	foreignDelta,
	type Gaps,
	gapsAfter,
	withEntries,
} from "./foreign-commits.js";
import { existsAny, joiningDelta } from "./join.js";
import { conflictPrefix, documentsWith, entryKey, type ReplicaState, readState, stateDocument } from "./journal.js";
import { difference, names, settledOn, shadowOf, takenBack, viewOf, wholeView } from "./states.js";

/**
 * The way in which the server's state continues the one that the device knows:
 *
 * - `changes`: it has sent its changes since then.
 * - `image`: it has sent its whole outline, which continues that state.
 * - `join`: it has sent its whole outline, and the two have never met.
 * - `restored`: it has sent its whole outline, which is older than that state.
 * - `foreign`: it has sent its whole outline, which continues that state, and something else than a replica has
 *   changed the local outline meanwhile.
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

/** The changes of a rebase, for one local commit. */
export interface Rebased {
	readonly nodes: NodeChange[];
	readonly keys: KeyChange[];
	readonly documents: { readonly put: Document[]; readonly dropped: string[] };
}

/**
 * Computes the local state again, after the server has answered. The base is the local state with all entries
 * of the journal taken back. The server's changes go on top of it, and then the entries that the server
 * doesn't have yet. The difference to the local state is one commit.
 *
 * @param from - the state at the beginning of the exchange. If another tab has changed it since, the result
 * is undefined
 * @param checked - the local revision up to which no foreign commit is unknown. If there is one after it, the result
 * is undefined
 */
export function* rebase(from: ReplicaState, pulled: Pulled, checked?: number): Operation<Rebased | undefined> {
	const { mode, state } = pulled;
	const revision = yield* revisionOfAnswers();
	const now = yield* readState();
	if (JSON.stringify(now) !== JSON.stringify(from)) return undefined;
	const entries = yield* readEntries();
	const journal = { numbers: entries.map(({ seq }) => seq), revision };
	const continues = mode === "changes" || mode === "image";
	if (continues && gapsAfter(checked, journal) !== undefined) return undefined;
	const stored = yield* readBase();
	const uncommitted = new Uncommitted();
	const view = mode === "changes" ? yield* viewOf(entries, stored, pulled, uncommitted) : yield* wholeView();
	const base = yield* takenBack(entries, (id) => view.nodes.get(id), stored);

	const gaps = gapsAfter(from.revision, journal);
	// A journal that began with an empty outline has all of it, so it needs no joining.
	const joins =
		mode === "restored" || (mode === "join" && (gaps !== undefined || (yield* existsAny(base.nodes, view.nodes))));
	const acknowledged = Math.max(state.last, pulled.settled ?? 0);
	const isRefused = (seq: number) => pulled.refused.some((refused) => refused.seq === seq);
	let remaining = joins ? [] : entries.filter(({ seq }) => seq > acknowledged && !isRefused(seq));
	const dropped = entries.slice(0, entries.length - remaining.length);
	let added: readonly Entry[] = [];
	if (joins) {
		const lost = [...(yield* lostConflicts(entries, pulled)), ...givenNames(view, pulled)];
		added = joiningEntry(revision + 1, yield* joiningDelta(view, pulled, mode === "restored", lost));
	} else if (mode === "foreign" && gaps !== undefined) {
		added = yield* entriesOfForeign(gaps, remaining, view, pulled);
	}
	remaining = [...remaining, ...added].sort((one, other) => one.seq - other.seq);

	yield* putServer(base, view, pulled);
	const after = remaining.length === 0 ? base : yield* settledOn(base, view, remaining, uncommitted, pulled.conflicts);
	const { nodes, keys } = yield* difference(view, after);
	const documents = yield* changedDocuments(yield* shadowOf(base, view, after, remaining), stored, pulled);
	for (const { seq, delta } of added) documents.put.push(...(yield* deltaDocuments(seq, delta)));
	for (const { seq, parts } of dropped) {
		for (let part = 0; part < parts; part++) documents.dropped.push(entryKey(seq, part));
	}
	for (const refused of pulled.refused) {
		const entry = entries.find(({ seq }) => seq === refused.seq);
		if (entry === undefined) continue;
		documents.put.push(...refusedDocuments(refused, refusedPart(entry.delta, refused.nodes), state.device));
	}
	const changes = nodes.length + keys.length + documents.put.length + documents.dropped.length;
	const isOther = from.outline !== state.outline || from.mark !== state.mark || from.device !== state.device;
	if (changes > 0 || mode !== "changes" || isOther) {
		documents.put.push(stateDocument({ ...state, revision: revision + 1 }));
	}
	return { nodes, keys, documents };
}

/** Puts the server's answer into the base. A whole outline takes the place of all that is there. */
function* putServer(base: Records, view: Records, { mode, nodes, keys }: Pulled): Operation<void> {
	const counter = new Counter();
	if (mode !== "changes") {
		base.nodes.clear();
		base.keys.clear();
		for (const id of view.nodes.keys()) {
			if (counter.isDue()) yield* pause();
			base.nodes.set(id, null);
		}
		for (const key of view.keys.keys()) base.keys.set(key, null);
	}
	for (const [id, record] of nodes) {
		if (counter.isDue()) yield* pause();
		base.nodes.set(id, record);
	}
	for (const [key, record] of keys) base.keys.set(key, record);
}

/** Returns an entry that no commit of the outline made; none if it changes nothing. */
function joiningEntry(seq: number, delta: Delta): Entry[] {
	if (delta.nodes.length + (delta.keys?.length ?? 0) === 0) return [];
	return [{ seq, parts: 0, delta: { ...delta, joins: true } }];
}

/**
 * Returns the entries for all foreign commits; none if the server has all of it. One has the number of the last foreign
 * commit, because later entries may need its nodes. Entries between the first and the last foreign commit may need nodes
 * too. So if there are any, an entry with the number of the first one creates what it can.
 *
 * @param gaps - the revisions of the first and of the last foreign commit
 * @param remaining - the entries of the journal, which the server doesn't have yet
 */
function* entriesOfForeign(
	{ first, last }: Gaps,
	remaining: readonly Entry[],
	view: Records,
	pulled: Pulled,
): Operation<Entry[]> {
	const earlier = remaining.filter(({ seq }) => seq < last);
	const later = remaining.slice(earlier.length);
	const back = yield* takenBack(later, (id) => view.nodes.get(id), { nodes: new Map(), keys: new Map() });
	const then: Records = {
		nodes: new Map([...view.nodes, ...back.nodes]),
		keys: new Map([...view.keys, ...back.keys]),
	};
	const { changed: there, state } = pulled;
	const at = state.at ?? 0;
	const here = yield* changedFrom(first);
	const between = earlier.filter(({ seq }) => seq > first);
	let created: Entry[] = [];
	if (between.length > 0) {
		const before = yield* withEntries(pulled, earlier.slice(0, -between.length));
		const own = between.flatMap(({ delta }) => delta.nodes.flatMap((node) => (node.before === null ? node.id : [])));
		const nodes = yield* creatableOn(before, then, here.nodes, new Set(own));
		const delta = yield* foreignDelta({ nodes, keys: new Set() }, there, before, then);
		created = joiningEntry(first, { at, ...delta });
	}
	const before = yield* withEntries(pulled, [...created, ...earlier]);
	return [...created, ...joiningEntry(last, { at, ...(yield* foreignDelta(here, there, before, then)) })];
}

/** Returns the contents that gave way in conflicts that the server has lost, with the ids of their nodes. */
function* lostConflicts(entries: readonly Entry[], pulled: Pulled): Operation<[string, DeltaFields][]> {
	const lost = new Map<string, [string, DeltaFields]>();
	const add = (id: string, other: DeltaFields) => lost.set(JSON.stringify([id, other]), [id, other]);
	// An entry of an earlier joining still has those of that time.
	for (const { delta } of entries)
		for (const { id, others = [] } of delta.nodes) for (const other of others) add(id, other);
	for (const conflict of yield* readConflicts()) {
		if (conflict.kind === "text" && conflict.other !== null) add(conflict.nodeId, otherContentOf(conflict));
	}
	for (const conflict of pulled.conflicts) lost.delete(JSON.stringify([conflict.nodeId, otherContentOf(conflict)]));
	return [...lost.values()];
}

/**
 * Returns the names that users have given to an inbox and a calendar that the server lacks, with the ids of their
 * nodes. Another device may make such a node first. Then the name of this one gives way, and its times show no edit
 * if the node is as old as that.
 */
function givenNames(view: Records, { nodes }: Pulled): [string, DeltaFields][] {
	const given: [string, DeltaFields][] = [];
	for (const [key, usual] of Object.entries(names)) {
		const record = view.nodes.get(view.keys.get(key)?.nodeId ?? "");
		if (record && !nodes.has(record.id) && record.name !== usual) given.push([record.id, { name: record.name }]);
	}
	return given;
}

/** Returns the content that gave way in a conflict of texts. */
function otherContentOf({ field = "", other }: Conflict): DeltaFields {
	if (!field.startsWith(propertyPrefix)) return { [field]: other };
	return { properties: JSON.stringify({ [field.slice(propertyPrefix.length)]: other }) };
}

/** Returns what the server has refused of an entry: all of it, or some nodes with their keys. */
function refusedPart(delta: Delta, nodes: readonly string[] | undefined): Delta {
	if (nodes === undefined) return delta;
	const { joins: _, keys = [], ...rest } = delta;
	const ids = new Set(nodes);
	const ofThese = keys.filter(({ after }) => after !== null && ids.has(after));
	return { ...rest, nodes: rest.nodes.filter(({ id }) => ids.has(id)), keys: ofThese };
}

/** Returns the changes of the documents of the base and of the conflicts. */
function* changedDocuments(shadow: Records, stored: Records, pulled: Pulled): Operation<Rebased["documents"]> {
	const put: Document[] = [];
	const before = new Map<string, string>();
	for (const { key, value } of yield* baseDocuments(stored)) before.set(key, value);
	for (const document of yield* baseDocuments(shadow)) {
		if (before.get(document.key) !== document.value) put.push(document);
		before.delete(document.key);
	}
	const dropped = [...before.keys()];
	const open = new Set(pulled.conflicts.map(({ id }) => id));
	const known = new Map<string, string>();
	if (pulled.mode !== "changes" || open.size + pulled.closed.length > 0) {
		for (const { key, value } of yield* documentsWith(conflictPrefix)) known.set(key, value);
	}
	for (const conflict of pulled.conflicts) {
		const document = conflictDocument(conflict);
		if (known.get(document.key) !== document.value) put.push(document);
	}
	for (const key of known.keys()) {
		const id = key.slice(conflictPrefix.length);
		if (open.has(id)) continue;
		if (pulled.mode !== "changes" || pulled.closed.includes(id)) dropped.push(key);
	}
	return { put, dropped };
}

import { Counter, type Operation, pause, revisionOfAnswers } from "../../engine/protocol.js";
import { Uncommitted } from "../../engine/uncommitted.js";
import type { KeyChange, NodeChange } from "../../storage.js";
import type { Records } from "../record-fields.js";
import type { KeyNames } from "../settle/settlement.js";
import { entriesOfForeign, entryOf } from "./added-entries.js";
import { type Entry, readBase, readEntries } from "./exchange-documents.js";
import { gapsAfter } from "./foreign-commits.js";
import { existsAny, givenNames, joiningDelta, lostConflicts } from "./join.js";
import { type ReplicaState, readState, stateDocument } from "./journal.js";
import type { Pulled } from "./pulled.js";
import { type DocumentChanges, rebasedDocuments } from "./rebased-documents.js";
import { difference, localStateOf, names, settledOn, shadowOf, takenBack, wholeLocalState } from "./states.js";

/** The changes of a rebase, for one local commit. */
export interface Rebased {
	readonly nodes: NodeChange[];
	readonly keys: KeyChange[];
	readonly documents: DocumentChanges;
}

/**
 * Computes the local state again, after the server has answered. The base is the local state with all entries
 * of the journal taken back. The server's changes go on top of it, and then the entries that the server
 * doesn't have yet: that is the merged state. Its difference to the local state is one commit.
 *
 * @param from - the state at the beginning of the exchange. If another tab has changed it since, the result
 * is undefined
 * @param checked - the local revision up to which no foreign commit is unknown. If there is one after it, the result
 * is undefined
 * @param own - the names that this device gives to an inbox and a calendar
 */
export function* rebase(
	from: ReplicaState,
	pulled: Pulled,
	checked?: number,
	own: KeyNames = names,
): Operation<Rebased | undefined> {
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
	const local =
		mode === "changes" ? yield* localStateOf(entries, stored, pulled, uncommitted) : yield* wholeLocalState();
	const base = yield* takenBack(entries, (id) => local.nodes.get(id), stored);

	const gaps = gapsAfter(from.revision, journal);
	// A journal that began with an empty outline has all of it, so it needs no joining.
	const joins =
		mode === "restored" || (mode === "join" && (gaps !== undefined || (yield* existsAny(base.nodes, local.nodes))));
	const acknowledged = Math.max(state.last, pulled.settled ?? 0);
	const isRefused = (seq: number) => pulled.refused.some((refused) => refused.seq === seq);
	const isDone = ({ seq }: Entry) => joins || seq <= acknowledged || isRefused(seq);
	const dropped = entries.filter(isDone);
	let remaining = entries.filter((entry) => !isDone(entry));
	let added: readonly Entry[] = [];
	if (joins) {
		const lost = [...(yield* lostConflicts(entries, pulled.conflicts)), ...givenNames(local, pulled, own)];
		const meeting = { isFirst: mode === "join", usual: own };
		added = entryOf(revision + 1, yield* joiningDelta(local, pulled, meeting, lost));
	} else if (mode === "foreign" && gaps !== undefined) {
		added = yield* entriesOfForeign(gaps, remaining, local, pulled);
	}
	remaining = [...remaining, ...added].sort((one, other) => one.seq - other.seq);

	yield* putServer(base, local, pulled);
	const merged =
		remaining.length === 0 ? base : yield* settledOn(base, local, remaining, uncommitted, pulled.conflicts);
	const { nodes, keys } = yield* difference(local, merged);
	const shadow = yield* shadowOf(base, local, merged, remaining);
	const documents = yield* rebasedDocuments({ former: entries, dropped, added }, stored, shadow, pulled);
	const changes = nodes.length + keys.length + documents.put.length + documents.dropped.length;
	const isOther = from.outline !== state.outline || from.mark !== state.mark || from.device !== state.device;
	if (changes > 0 || mode !== "changes" || isOther) {
		documents.put.push(stateDocument({ ...state, revision: revision + 1 }));
	}
	return { nodes, keys, documents };
}

/** Puts the server's answer into the base. A whole outline takes the place of all that is there. */
function* putServer(base: Records, local: Records, { mode, nodes, keys }: Pulled): Operation<void> {
	const counter = new Counter();
	if (mode !== "changes") {
		base.nodes.clear();
		base.keys.clear();
		for (const id of local.nodes.keys()) {
			if (counter.isDue()) yield* pause();
			base.nodes.set(id, null);
		}
		for (const key of local.keys.keys()) base.keys.set(key, null);
	}
	for (const [id, record] of nodes) {
		if (counter.isDue()) yield* pause();
		base.nodes.set(id, record);
	}
	for (const [key, record] of keys) base.keys.set(key, record);
}

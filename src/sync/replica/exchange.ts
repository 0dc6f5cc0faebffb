import { sleep } from "../../engine/promises.js";
import { peek, read } from "../../engine/protocol.js";
import { isConflict, type KnownJournal, OutlineError } from "../../errors.js";
import { randomId } from "../../id.js";
import { turn } from "../../pace.js";
import { protocolVersion, type RefusedEntry } from "../protocol.js";
import { assertAnswer, ServerChanges, wrongOutline } from "./answers.js";
import { type ExchangeHost, type LocalStorage, withFaults } from "./exchange-host.js";
import { type Changed, hasForeignCommits, type JournalNumbers } from "./foreign-commits.js";
import { ImageTransfer } from "./image.js";
import { beginsEntry, entryPrefix, newState, type ReplicaState, readState, seqOf, stateDocument } from "./journal.js";
import { locked } from "./locks.js";
import { journalPages, nextPortion } from "./portions.js";
import type { Pulled, PullMode } from "./pulled.js";
import { changesAtOnce, Push } from "./push.js";
import { rebase } from "./rebase.js";
import type { RemoteSignal } from "./remote.js";

/** The most changes that an exchange applies in the slice of time in which it has read them. */
const changesInSlice = 100;

/** The most milliseconds to wait for the exchange of another tab. */
const lockPatience = 120_000;

/** The most attempts at an exchange, each after the server or another tab has changed its premise. */
const attemptLimit = 16;

/** The most attempts at a local commit. From the third on, the outline's own commits wait. */
const commitLimit = 100;
const patience = 2;

/**
 * Exchanges the journal for the changes of the server. At the end, the server has all entries from before the
 * call, and this device has all changes. Returns the server's revision that the device has reached. Several
 * tabs may do so at the same time. After one has stored its answer, the answer of another doesn't fit any more,
 * and that tab begins again.
 *
 * @throws the errors of the remote and of the local storage; then nothing is lost
 */
export async function exchange(host: ExchangeHost, signal: RemoteSignal): Promise<number> {
	const noting = withFaults(host);
	const { device } = await stateOf(noting.local);
	return locked(`outlinekit/sync/${device}`, signal, () => exchangeNow(noting, signal), lockPatience);
}

/** Exchanges without regard to other tabs. */
async function exchangeNow(host: ExchangeHost, signal: RemoteSignal): Promise<number> {
	let journal = await numbersOf(host.local);
	const target = journal.numbers.at(-1) ?? 0;
	/** The error of a server that has entries of a copy of this device. */
	let forked: OutlineError | undefined;
	for (let attempt = 0; attempt < attemptLimit; attempt++) {
		const state = await stateOf(host.local);
		try {
			if (state.outline === undefined) {
				await take(host, state, "join", signal);
				continue;
			}
			if (attempt > 0) journal = await numbersOf(host.local);
			if (await hasForeignCommits(host.local, state, journal)) {
				await take(host, state, "foreign", signal);
				continue;
			}
			if (forked !== undefined) {
				const { journal: known } = forked;
				forked = undefined;
				await fork(host, state, known, signal, journal.revision);
				continue;
			}
			const pulled = await new Push(host, state, signal).run();
			const done = await apply(host, state, pulled, journal.revision);
			const { last, since } = pulled.state;
			// A joining may have dropped the entries up to the target.
			const left = Math.min(target, (await numbersOf(host.local)).numbers.at(-1) ?? 0);
			if (done && last >= left) return since;
			if (done && last > state.last) attempt = 0;
		} catch (error) {
			if (!(error instanceof OutlineError)) throw error;
			if (error.code === "changes_expired") await take(host, state, "image", signal, journal.revision);
			else if (error.code === "sync_reset") await take(host, state, "restored", signal);
			else if (error.code === "sync_forked") forked = error;
			else throw error;
		}
	}
	throw new OutlineError(
		"conflict",
		`The server or another tab changed the outline during all ${attemptLimit} attempts. Try again.`,
	);
}

/** Reads the state of the replica. If the storage has none, draws the id of the device. */
export async function stateOf(local: LocalStorage): Promise<ReplicaState> {
	for (;;) {
		const { revision, settled } = await read(local, readState);
		if ("error" in settled) throw settled.error;
		if (settled.value !== undefined) return settled.value;
		await replaceState(local, revision, newState(revision + 1));
	}
}

/** Stores a state, unless another commit came first. */
async function replaceState(local: LocalStorage, base: number, state: ReplicaState): Promise<void> {
	try {
		await local.commit({ base, nodes: [], keys: [], documents: { put: [stateDocument(state)], dropped: [] } });
	} catch (error) {
		if (!isConflict(error)) throw error;
	}
}

/** Returns the numbers of the entries. */
async function numbersOf(local: LocalStorage): Promise<JournalNumbers> {
	const numbers: number[] = [];
	let last = 0;
	for await (const { documents, revision } of journalPages(local, entryPrefix)) {
		for (const { key } of documents) if (beginsEntry(key)) numbers.push(seqOf(key));
		last = revision;
	}
	return { numbers, revision: last };
}

/** Loads the whole outline of the server. */
async function take(
	host: ExchangeHost,
	state: ReplicaState,
	mode: PullMode,
	signal: RemoteSignal,
	checked?: number,
): Promise<void> {
	host.kept.transfer ??= new ImageTransfer();
	const { head, ...image } = await host.kept.transfer.load(host.remote, signal);
	delete host.kept.transfer;
	if (state.outline !== undefined && state.outline !== null && head.outline !== state.outline) throw wrongOutline();
	// After the image, so that nothing in it has changed unknown.
	const changed = mode === "foreign" ? await changedThere(host, state, signal) : undefined;
	const { mark: _, ...known } = state;
	const mark = head.mark === undefined ? {} : { mark: head.mark };
	const place = { outline: head.outline, since: head.revision, at: host.now(), ...mark };
	const next: ReplicaState =
		mode === "image" || mode === "foreign"
			? { ...known, ...place }
			: { device: mode === "restored" ? randomId() : state.device, last: 0, digest: "", ...place };
	await apply(host, state, { mode, state: next, ...image, closed: [], refused: [], changed }, checked);
}

/** Returns the nodes and keys that the server has changed since a state; undefined if it doesn't know any more. */
async function changedThere(
	{ remote }: ExchangeHost,
	state: ReplicaState,
	signal: RemoteSignal,
): Promise<Changed | undefined> {
	const { device, outline = null, last, digest } = state;
	let { since, mark } = state;
	const changes = new ServerChanges();
	for (;;) {
		const head = { protocol: protocolVersion, outline, device, since, last, digest, limit: changesAtOnce };
		try {
			const answer = await remote.push([JSON.stringify({ ...head, mark })], signal);
			assertAnswer(answer);
			await changes.add(answer);
			({ revision: since, mark = mark } = answer);
			if (!answer.more) return { nodes: new Set(changes.nodes.keys()), keys: new Set(changes.keys.keys()) };
		} catch (error) {
			if (error instanceof OutlineError && error.code === "changes_expired") return undefined;
			throw error;
		}
	}
}

/**
 * Gives this device another id, because a copy of it uses the same. The entries that both had in common stay
 * acknowledged; the server gets the later ones under the new id. Changes nothing if the server knows the
 * journal of this device after all: another tab may have sent entries meanwhile.
 */
async function fork(
	host: ExchangeHost,
	state: ReplicaState,
	known: KnownJournal | undefined,
	signal: RemoteSignal,
	checked: number,
): Promise<void> {
	const digests = new Map(known?.digests);
	let { last: common, digest } = state;
	for (let from = common; ; ) {
		const portion = await nextPortion(host.local, from, digest);
		for (const [seq, each] of portion.digests) if (digests.get(seq) === each) common = seq;
		if (!portion.more) break;
		[from, digest] = portion.digests.at(-1)!;
	}
	if (common === known?.last) return;
	// Stored with what the server has made of the common entries: a server restored from an older copy lacks them.
	const renamed = { ...state, device: randomId(), last: 0, digest: "" };
	const pulled = await new Push(host, renamed, signal, Number.MAX_SAFE_INTEGER).run();
	const refused = (await refusedEntries(host, state, signal)).filter(({ seq }) => seq <= common);
	await apply(host, state, { ...pulled, settled: common, refused }, checked);
}

/** Asks the server which entries after a state it has refused: it has told only a copy of this device. */
async function refusedEntries(
	{ remote }: ExchangeHost,
	{ device, outline = null, since, mark, last, digest }: ReplicaState,
	signal: RemoteSignal,
): Promise<readonly RefusedEntry[]> {
	const head = { protocol: protocolVersion, outline, device, since, last, digest, limit: 0 };
	const answer = await remote.push([JSON.stringify({ ...head, mark })], signal);
	assertAnswer(answer);
	return answer.refused;
}

/** Rebases the local state, in one commit. Returns whether the answer still fitted the local state. */
async function apply(host: ExchangeHost, from: ReplicaState, pulled: Pulled, checked?: number): Promise<boolean> {
	for (let attempt = 0; ; attempt++) {
		const work = applyOnce(host, from, pulled, checked);
		if (attempt >= patience) host.hold(work);
		try {
			return await work;
		} catch (error) {
			if (!isConflict(error) || attempt >= commitLimit) throw error;
			await sleep(Math.random() * Math.min(2 ** attempt, 64));
		}
	}
}

async function applyOnce(
	host: ExchangeHost,
	from: ReplicaState,
	pulled: Pulled,
	checked: number | undefined,
): Promise<boolean> {
	const begin = () => rebase(from, pulled, checked, host.names());
	let outcome = pulled.nodes.size > changesInSlice ? undefined : peek(host.local, begin);
	if (outcome === undefined) {
		await turn();
		outcome = await read(host.local, begin);
	}
	const { revision, settled } = outcome;
	if ("error" in settled) throw settled.error;
	if (settled.value === undefined) return false;
	const { nodes, keys, documents } = settled.value;
	if (nodes.length + keys.length + documents.put.length + documents.dropped.length > 0) {
		// Another tab's commit can take the place of one that isn't durable, meanwhile and unnoticed.
		if (nodes.length > changesInSlice && outcome.durable) await turn();
		for (const { after } of [...nodes, ...keys])
			if (after !== null) (after as { revision: number }).revision = revision + 1;
		await host.local.commit({ base: revision, nodes, keys, documents });
	}
	await host.rebased();
	return true;
}

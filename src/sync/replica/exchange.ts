import { pause } from "../../engine/promises.js";
import { peek, read } from "../../engine/protocol.js";
import { isConflict, type KnownJournal, OutlineError } from "../../errors.js";
import { randomId } from "../../id.js";
import { Pace, turn } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import { Digest } from "../digest.js";
import { type Conflict, type PushHeader, protocolVersion, type RefusedEntry, type SyncAnswer } from "../protocol.js";
import { recordOfFields } from "../record-fields.js";
import { afterEntry, isJoining } from "./exchange-documents.js";
import { type ExchangeHost, type LocalStorage, withFaults } from "./exchange-host.js";
import { type Changed, hasForeignCommits, type JournalNumbers } from "./foreign-commits.js";
import { ImageTransfer } from "./image.js";
import {
	beginsEntry,
	entryPrefix,
	firstDocuments,
	limitAfter,
	newState,
	type ReplicaState,
	readState,
	seqOf,
	stateDocument,
} from "./journal.js";
import { locked } from "./locks.js";
import { lineOf } from "./read-line.js";
import { type Pulled, type PullMode, rebase } from "./rebase.js";
import type { RemoteSignal } from "./remote.js";

/** The most entries and about the most characters of one request. A single entry may have more. */
const entriesAtOnce = 1000;
const lengthAtOnce = 1_048_576;

/** A digest that no entry has. */
const noDigest = "0".repeat(16);

/** The most changes of one answer: so many can be read in a slice of time. */
const changesAtOnce = 2000;

/** The most changes that an exchange applies in the slice of time in which it has read them. */
const changesInSlice = 100;

/** The most milliseconds to wait for the exchange of another tab. */
const lockPatience = 120_000;

/** The most attempts at an exchange, each after the server or another tab has changed its premise. */
const attemptLimit = 16;

/** The most attempts at a local commit. From the third on, the outline's own commits wait. */
const commitLimit = 100;
const patience = 2;

/** A part of the journal, as one request sends it. */
interface Portion {
	readonly lines: string[];
	/** The numbers of its entries with their digests. */
	readonly digests: readonly (readonly [seq: number, digest: string])[];
	/** Whether the journal has more entries after it. */
	readonly more: boolean;
}

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
			const pulled = await pushAndPull(host, state, signal);
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

/** Reads the documents of the entries after a key, page by page. Only durable ones: the device may not lose them later. */
async function* journalPages(local: LocalStorage, after: string) {
	const pace = new Pace();
	for (let limit = firstDocuments; ; ) {
		const { revision, results } = await local.read([{ type: "documents", prefix: entryPrefix, after, limit }]);
		const [documents] = results;
		yield { documents, revision };
		if (documents.length < limit) return;
		after = documents.at(-1)!.key;
		limit = limitAfter(documents);
		if (pace.isDue) await pace.turn();
	}
}

/** Sends the entries after a number, and returns what the server answers. */
async function pushAndPull(
	host: ExchangeHost,
	state: ReplicaState,
	signal: RemoteSignal,
	firstFrom = state.last,
): Promise<Pulled> {
	const { device, outline = null } = state;
	let { since, mark, last, digest } = state;
	/** The digests of the journal by the numbers of its entries. */
	const chain = new Map([[last, digest]]);
	const changes = new Changes();
	/** Learns the digests of later entries: the server may have them from an exchange that broke off. */
	const learn = async (until: number) => {
		let more = true;
		while (more) {
			const [learned, before] = [...chain].at(-1)!;
			if (learned >= until) return;
			const portion = await nextPortion(host.local, Math.max(learned, firstFrom), before);
			for (const [seq, each] of portion.digests) chain.set(seq, each);
			more = portion.more;
		}
	};
	const request = async (header: Pick<PushHeader, "last" | "digest" | "limit">, lines: readonly string[]) => {
		const head: PushHeader = {
			protocol: protocolVersion,
			outline: changes.outline ?? outline,
			device,
			since,
			...(mark !== undefined && { mark }),
			...header,
		};
		const answer = await host.remote.push([JSON.stringify(head), ...lines], signal);
		assertAnswer(answer);
		if (!chain.has(answer.last)) await learn(answer.last);
		if (answer.last > head.last && !chain.has(answer.last)) {
			// A copy of this device has sent more. To a wrong digest, the server replies with the digests that it has.
			const asking: PushHeader = { ...head, last: answer.last, digest: noDigest, limit: 0 };
			await host.remote.push([JSON.stringify(asking)], signal);
		}
		assertContinues(answer, { outline: head.outline, since, last: header.last }, chain);
		await changes.add(answer);
		since = answer.revision;
		mark = answer.mark ?? mark;
		return answer;
	};
	let answer: SyncAnswer;
	let room = lengthAtOnce;
	for (let from = firstFrom; ; from = last) {
		const portion = await nextPortion(host.local, from, chain.get(from) ?? "", room);
		for (const [seq, each] of portion.digests) chain.set(seq, each);
		const before = last;
		try {
			answer = await request({ last, digest, limit: portion.more ? 0 : changesAtOnce }, portion.lines);
		} catch (error) {
			if (!(error instanceof OutlineError) || error.code !== "too_large" || portion.digests.length === 0) throw error;
			if (portion.digests.length === 1) {
				// Without an outline that joins, the device would be empty.
				if (isJoining(portion.lines)) throw error;
				// The server hasn't seen its number, so the next entry follows the one before.
				changes.refused.push({ seq: portion.digests[0]![0], code: error.code, message: error.message });
				answer = await request({ last, digest, limit: changesAtOnce }, []);
				break;
			}
			// The server takes less at once.
			const length = portion.lines.reduce((sum, line) => sum + line.length, 0);
			room = Math.min(room, length) / 4;
			continue;
		}
		({ last, digest } = answer);
		if (last === (portion.digests.at(-1)?.[0] ?? last) && !portion.more) break;
		// The next number would acknowledge the refused entries, which aren't stored here yet.
		if (changes.refused.length > 0) break;
		if (last === before) throw new OutlineError("storage_unavailable", "The server took none of the entries.");
	}
	// A pull acknowledges no more than is stored here.
	while (answer.more) answer = await request({ last: state.last, digest: state.digest, limit: changesAtOnce }, []);
	const place = { outline: answer.outline, since, ...(mark !== undefined && { mark }) };
	const next = { device, ...place, last: answer.last, digest: answer.digest, at: host.now() };
	return { mode: "changes", state: next, ...changes };
}

/**
 * Checks that an answer to a push has the form of one: the page of a portal, say, has not.
 *
 * @throws `storage_unavailable`
 */
function assertAnswer(answer: SyncAnswer): void {
	const { outline, revision, more, last, digest } = answer ?? {};
	const lists = ["refused", "nodes", "deleted", "keys", "droppedKeys", "conflicts", "closed"] as const;
	const types = [outline, revision, more, last, digest].map((value) => typeof value).join();
	if (types === "string,number,boolean,number,string" && lists.every((name) => Array.isArray(answer[name]))) return;
	throw new OutlineError(
		"storage_unavailable",
		"The answer isn't that of a server of outlinekit. Check the network and the address.",
	);
}

/**
 * Checks that an answer continues what the device knows.
 *
 * @throws `wrong_outline` `sync_reset` `sync_forked`
 */
function assertContinues(
	answer: SyncAnswer,
	known: { readonly outline: string | null; readonly since: number; readonly last: number },
	chain: ReadonlyMap<number, string>,
): void {
	if (known.outline !== null && answer.outline !== known.outline) throw wrongOutline();
	if (answer.revision < known.since || answer.last < known.last) {
		throw new OutlineError("sync_reset", "The server is behind this device: it was restored from a copy.");
	}
	if (chain.get(answer.last) === answer.digest) return;
	const { last, digest } = answer;
	throw new OutlineError("sync_forked", "The server has entries of this device that this device doesn't have.", {
		journal: { last, digests: [[last, digest]] },
	});
}

function wrongOutline(): OutlineError {
	return new OutlineError(
		"wrong_outline",
		"The server has another outline than this device. Nothing was changed. Check the address, or use an empty local storage.",
	);
}

/** The answers of several requests, together. */
class Changes {
	outline: string | undefined;
	readonly nodes = new Map<string, NodeRecord | null>();
	readonly keys = new Map<string, Key | null>();
	readonly refused: RefusedEntry[] = [];
	conflicts: Conflict[] = [];
	closed: string[] = [];

	/** Adds an answer, in slices of time: a commit, which an answer has whole, may have changed very many nodes. */
	async add(answer: SyncAnswer): Promise<void> {
		this.outline = answer.outline;
		const pace = new Pace();
		for (const { id, ...fields } of answer.nodes) {
			this.nodes.set(id, recordOfFields(id, fields));
			if (pace.isDue) await pace.turn();
		}
		for (const id of answer.deleted) this.nodes.set(id, null);
		for (const key of answer.keys) this.keys.set(key.key, key);
		for (const key of answer.droppedKeys) this.keys.set(key, null);
		for (const refused of answer.refused) {
			if (!this.refused.some(({ seq }) => seq === refused.seq)) this.refused.push(refused);
		}
		const closed = new Set([...this.closed, ...answer.closed]);
		const told = new Set(answer.conflicts.map(({ id }) => id));
		const conflicts = [...this.conflicts.filter(({ id }) => !told.has(id)), ...answer.conflicts];
		this.conflicts = conflicts.filter(({ id }) => !closed.has(id));
		this.closed = [...closed];
	}
}

/** Reads the entries after a number that one request sends. */
async function nextPortion(local: LocalStorage, from: number, digest: string, room = lengthAtOnce): Promise<Portion> {
	const lines: string[] = [];
	const digests: [number, string][] = [];
	let entry: Digest | undefined;
	let length = 0;
	for await (const { documents } of journalPages(local, afterEntry(from))) {
		for (const document of documents) {
			if (entry === undefined && (digests.length >= entriesAtOnce || length >= room))
				return { lines, digests, more: true };
			const line = lineOf(document);
			const text = JSON.stringify(line);
			entry ??= new Digest(digest);
			entry.addLine(text);
			lines.push(text);
			length += text.length;
			if (line.more) continue;
			digest = String(entry);
			digests.push([line.seq, digest]);
			entry = undefined;
		}
	}
	return { lines, digests, more: false };
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
	const changes = new Changes();
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
	const pulled = await pushAndPull(host, renamed, signal, Number.MAX_SAFE_INTEGER);
	await apply(host, state, { ...pulled, settled: common }, checked);
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
			await pause(Math.random() * Math.min(2 ** attempt, 64));
		}
	}
}

async function applyOnce(
	host: ExchangeHost,
	from: ReplicaState,
	pulled: Pulled,
	checked: number | undefined,
): Promise<boolean> {
	const begin = () => rebase(from, pulled, checked);
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

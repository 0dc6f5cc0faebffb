import { OutlineError } from "../../errors.js";
import { randomId } from "../../id.js";
import { htmlModule } from "../../operations/name.js";
import { Pace, paced } from "../../pace.js";
import { onDemandModule } from "../../place/placement.js";
import type { PushHeader, SyncAnswer } from "../protocol.js";
import { admitted } from "./admission.js";
import type { EntryDigest } from "./documents.js";
import { feedSince } from "./feed.js";
import { unlessFull, wireMark } from "./history-mark.js";
import type { SyncHost } from "./host.js";
import { type PushedEntry, PushLines } from "./push-lines.js";
import {
	checked,
	type Entry,
	EntryFailure,
	type Portion,
	type Refusal,
	type Settled,
	settlePortion,
} from "./settling.js";

/** The most entries of one commit, and about the most characters. One entry may have more. */
const entriesAtOnce = 256;
const lengthAtOnce = 1_048_576;

/** The most attempts at a commit of several entries, each ended by a commit of another server. */
const patience = 3;

/**
 * Settles the entries of a push, and returns the changes since the device's last answer. It reads and settles
 * the entries in portions, each in one commit. If it rejects, the portions before stay, and the device may
 * send everything again.
 *
 * @param lines - the header, then the lines of the entries
 * @throws `invalid_argument` `sync_upgrade` `wrong_outline` `sync_reset` `sync_forked` `changes_expired`
 */
export async function sync(host: SyncHost, lines: AsyncIterable<string> | Iterable<string>): Promise<SyncAnswer> {
	await Promise.all([htmlModule.load(), onDemandModule.load()]);
	const push = new PushLines(lines);
	try {
		const header = await push.header();
		const state = await settled(host, header, push);
		const { outline, device, mark } = state;
		const { last, digest } = device;
		const refused = device.refused.filter(({ seq }) => seq > header.last);
		const feed = await feedSince(host.read, header.since, header.limit);
		// An answer that ends before the mark leaves the device with the mark that it has. If a commit has come
		// meanwhile, only a later mark shows that a server was restored to the state before it.
		const newest = feed.revision > mark.revision ? (await marked(host, header, state)).mark : mark;
		const reached = feed.revision < mark.revision ? header.mark : wireMark(newest);
		return { outline: outline!, last, digest, refused, ...feed, ...(reached !== undefined && { mark: reached }) };
	} finally {
		await push.end();
	}
}

/**
 * Writes a mark if the newest commit has none. If that fails, returns the state as it was, because the answer is right
 * without the mark.
 */
function marked(host: SyncHost, header: PushHeader, state: Settled): Promise<Settled> {
	const { last, digest } = state.device;
	const none: Portion = { before: [last, digest], entries: [] };
	const drawn = randomId();
	return host
		.write((call, changes) => settlePortion(call, changes, { ...header, last, digest }, none, drawn))
		.catch(() => state);
}

/** Settles all entries of a push. Ends early if the device must first acknowledge the refused ones. */
async function settled(host: SyncHost, header: PushHeader, push: PushLines): Promise<Settled> {
	const drawn = randomId();
	// A smaller commit takes less time, so that it comes between two commits of another server.
	let mostEntries = entriesAtOnce;
	const write = (portion: Portion) => {
		const { length } = portion.entries;
		let attempts = 0;
		return host.write((call, changes) => {
			attempts += 1;
			if (attempts > patience) mostEntries = Math.max(1, length >> 2);
			if (length > mostEntries) throw new OutlineError("too_large", "Write less at once.");
			return settlePortion(call, changes, header, portion, drawn);
		});
	};
	let state: Settled | undefined;
	for await (const portion of portionsOf(host, header, push, () => state?.device.last ?? header.last)) {
		state = await writtenInParts(portion, write);
		if (state.device.last < portion.entries.at(-1)!.seq) return state;
	}
	if (state !== undefined) return state;
	const none: Portion = { before: [header.last, header.digest], entries: [] };
	state = await host.read(() => checked(header, none));
	if (state.outline === null) return write(none);
	return state.isMarked ? state : write(none).catch((error) => unlessFull(error, state!));
}

/**
 * Writes a portion. If a commit would be too large, if another server keeps coming first, or if the host refuses it,
 * writes each half of the portion. Refuses an entry that fails so alone, or that can't be settled.
 */
async function writtenInParts(portion: Portion, write: (portion: Portion) => Promise<Settled>): Promise<Settled> {
	const { before, entries } = portion;
	try {
		return await write(portion);
	} catch (error) {
		if (error instanceof EntryFailure) return writtenInParts(refusing(portion, error.seq, error.cause), write);
		if (!(error instanceof OutlineError) || !(error.code === "too_large" || error.code === "refused")) throw error;
		if (entries.length === 1) return write(refusing(portion, entries[0]!.seq, error));
		const half = entries.length >> 1;
		const middle = entries[half - 1]!;
		const first = await writtenInParts({ before, entries: entries.slice(0, half) }, write);
		if (first.device.last < middle.seq) return first;
		return writtenInParts({ before: [middle.seq, middle.digest], entries: entries.slice(half) }, write);
	}
}

function refusing({ before, entries }: Portion, seq: number, reason: OutlineError): Portion {
	const refused = entries.map((entry) => (entry.seq === seq ? { ...entry, delta: refusalOf(reason) } : entry));
	return { before, entries: refused };
}

/**
 * Returns the entries in portions, with their fields checked.
 *
 * @param known - returns the number of the last entry that the server has, as far as the caller knows
 */
async function* portionsOf(
	host: SyncHost,
	header: PushHeader,
	push: PushLines,
	known: () => number,
): AsyncGenerator<Portion, void, undefined> {
	const pace = new Pace();
	let before: EntryDigest = [header.last, header.digest];
	let entries: Entry[] = [];
	let length = 0;
	for await (const pushed of push.entries(header)) {
		const isOld = pushed.seq <= known();
		entries.push(isOld ? { ...pushed, delta: null } : await checkedEntry(host, pushed, pace));
		if (pace.isDue) await pace.turn();
		length += isOld ? 0 : pushed.length;
		if (entries.length < entriesAtOnce && length < lengthAtOnce) continue;
		yield { before, entries };
		before = [pushed.seq, pushed.digest];
		entries = [];
		length = 0;
	}
	if (entries.length > 0) yield { before, entries };
}

async function checkedEntry(host: SyncHost, { seq, digest, fields }: PushedEntry, pace: Pace): Promise<Entry> {
	if (fields === null) {
		const message = "A line of the entry is too long, or has too many values. Shorten the texts of its node.";
		return { seq, digest, delta: { code: "too_large", message } };
	}
	try {
		const { delta, refused } = await paced(admitted(fields, host.begin()), pace);
		if (refused.length === 0) return { seq, digest, delta };
		const nodes = refused.map(({ id }) => id);
		return { seq, digest, delta, refused: { ...refusalOf(refused[0]!.error), nodes } };
	} catch (error) {
		if (!(error instanceof OutlineError)) throw error;
		return { seq, digest, delta: refusalOf(error) };
	}
}

/** The most characters of a message that is stored with a refused entry. */
const longestMessage = 300;

function refusalOf({ code, message }: OutlineError): Refusal {
	return { code, message: message.slice(0, longestMessage) };
}

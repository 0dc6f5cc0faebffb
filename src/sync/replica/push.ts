import { OutlineError } from "../../errors.js";
import { type PushHeader, protocolVersion, type SyncAnswer } from "../protocol.js";
import { assertAnswer, assertContinues, ServerChanges } from "./answers.js";
import { isJoining } from "./exchange-documents.js";
import type { ExchangeHost } from "./exchange-host.js";
import type { ReplicaState } from "./journal.js";
import { lengthAtOnce, nextPortion, type Portion } from "./portions.js";
import type { Pulled } from "./pulled.js";
import type { RemoteSignal } from "./remote.js";

/** A digest that no entry has. */
const noDigest = "0".repeat(16);

/** The most changes of one answer: so many can be read in a slice of time. */
export const changesAtOnce = 2000;

/** The entries up to which the server has the journal, and the most changes that it may answer. */
type ServerProgress = Pick<PushHeader, "last" | "digest" | "limit">;

/** Sends the entries of a device, and collects what the server answers. */
export class Push {
	readonly #host: ExchangeHost;
	readonly #state: ReplicaState;
	readonly #signal: RemoteSignal;
	readonly #after: number;
	readonly #changes = new ServerChanges();
	/** The digests of the journal by the numbers of its entries. */
	readonly #chain: Map<number, string>;
	#since: number;
	#mark: string | undefined;

	/** @param after - the number of the entry after which it begins */
	constructor(host: ExchangeHost, state: ReplicaState, signal: RemoteSignal, after = state.last) {
		this.#host = host;
		this.#state = state;
		this.#signal = signal;
		this.#after = after;
		this.#chain = new Map([[state.last, state.digest]]);
		this.#since = state.since;
		this.#mark = state.mark;
	}

	/** Sends the entries, and returns all that the server answers. */
	async run(): Promise<Pulled> {
		const { device, last, digest } = this.#state;
		let answer = await this.#sendEntries();
		// A pull acknowledges no more than is stored here.
		while (answer.more) answer = await this.#request({ last, digest, limit: changesAtOnce });
		const place = { outline: answer.outline, since: this.#since, ...this.#withMark };
		const next = { device, ...place, last: answer.last, digest: answer.digest, at: this.#host.now() };
		return { mode: "changes", state: next, ...this.#changes };
	}

	/** Returns the answer to the last request. */
	async #sendEntries(): Promise<SyncAnswer> {
		let { last, digest } = this.#state;
		let room = lengthAtOnce;
		for (let from = this.#after; ; from = last) {
			const portion = await this.#portion(from, room);
			const { lines, digests, more } = portion;
			let answer: SyncAnswer;
			try {
				answer = await this.#request({ last, digest, limit: more ? 0 : changesAtOnce }, lines);
			} catch (error) {
				if (!(error instanceof OutlineError) || error.code !== "too_large" || digests.length === 0) throw error;
				if (digests.length === 1) return this.#leaveOut(portion, error, { last, digest, limit: changesAtOnce });
				// The server takes less at once.
				const length = lines.reduce((sum, line) => sum + line.length, 0);
				room = Math.min(room, length) / 4;
				continue;
			}
			if (answer.last === (digests.at(-1)?.[0] ?? answer.last) && !more) return answer;
			// The next number would acknowledge the refused entries, which aren't stored here yet.
			if (this.#changes.refused.length > 0) return answer;
			if (answer.last === last) throw new OutlineError("storage_unavailable", "The server took none of the entries.");
			({ last, digest } = answer);
		}
	}

	/** Counts an entry that is too large for the server as refused. Returns the changes of the server without it. */
	#leaveOut({ lines, digests }: Portion, error: OutlineError, progress: ServerProgress): Promise<SyncAnswer> {
		// Without an outline that joins, the device would be empty.
		if (isJoining(lines)) throw error;
		// The server hasn't seen its number, so the next entry follows the one before.
		this.#changes.refused.push({ seq: digests[0]![0], code: error.code, message: error.message });
		return this.#request(progress);
	}

	async #request(progress: ServerProgress, lines: readonly string[] = []): Promise<SyncAnswer> {
		const since = this.#since;
		const outline = this.#changes.outline ?? this.#state.outline ?? null;
		const { device } = this.#state;
		// The order that the phrases for compression have.
		const header: PushHeader = { protocol: protocolVersion, outline, device, since, ...this.#withMark, ...progress };
		const answer = await this.#send(header, lines);
		assertAnswer(answer);
		if (!this.#chain.has(answer.last)) await this.#learn(answer.last);
		if (answer.last > progress.last && !this.#chain.has(answer.last)) {
			// A copy of this device has sent more. To a wrong digest, the server replies with the digests that it has.
			await this.#send({ ...header, last: answer.last, digest: noDigest, limit: 0 });
		}
		assertContinues(answer, header, this.#chain);
		await this.#changes.add(answer);
		this.#since = answer.revision;
		this.#mark = answer.mark ?? this.#mark;
		return answer;
	}

	#send(header: PushHeader, lines: readonly string[] = []): Promise<SyncAnswer> {
		return this.#host.remote.push([JSON.stringify(header), ...lines], this.#signal);
	}

	get #withMark(): Pick<PushHeader, "mark"> {
		return this.#mark === undefined ? {} : { mark: this.#mark };
	}

	async #portion(from: number, room?: number): Promise<Portion> {
		const portion = await nextPortion(this.#host.local, from, this.#chain.get(from) ?? "", room);
		for (const [seq, digest] of portion.digests) this.#chain.set(seq, digest);
		return portion;
	}

	/** Learns the digests of later entries: the server may have them from an exchange that broke off. */
	async #learn(until: number): Promise<void> {
		for (let learned = [...this.#chain.keys()].at(-1)!; learned < until; ) {
			const { digests, more } = await this.#portion(Math.max(learned, this.#after));
			if (!more) return;
			[learned] = digests.at(-1)!;
		}
	}
}

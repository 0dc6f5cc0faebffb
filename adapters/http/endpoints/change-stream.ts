import type { OutlineChanges } from "../../../src/read/changes.js";
import { jsonPieces, pieceLength } from "../server/json-text.js";
import { offered, type ServedOutline } from "../server/options.js";
import { codeOf } from "../server/problem.js";
import type { AuthenticatedRequest } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { after } from "../server/timer.js";
import { inTurn } from "../server/turns.js";
import { changesLength, flagIn, sinceIn, wireChanges } from "./reading.js";

/**
 * The milliseconds without changes after which the server sends a comment, so that proxies keep the
 * connection.
 */
const heartbeat = 15_000;

/**
 * The milliseconds after which a stream asks the host again whether its key is valid, before it tells a change. It
 * asks nothing while nothing changes: a server may have very many streams.
 */
const acceptedFor = 10_000;

/**
 * Without these, an event would wait in a buffer until more have filled it: in middleware that compresses, and in
 * proxies such as nginx.
 */
const unbuffered = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" };

/**
 * `GET /api/v1/changes/stream`: the changes since a revision, then each further change, as server-sent
 * events. The id of an event is its revision. A client that reconnects with `Last-Event-ID` continues after
 * that event; if tombstones since then are gone, with everything and `expired: true`. The stream ends if the
 * host doesn't accept its key any more.
 *
 * With `revisions=true`, the stream has the revisions alone. A replica asks for these: a change of many nodes would
 * reach it twice. A scope has no feed, so its stream always has revisions, after which its nodes may have changed.
 *
 * @throws `not_found` if the outline tells of no commits; `invalid_argument` for a revision that can't exist
 */
export async function streamChanges(call: AuthenticatedRequest): Promise<TextBody> {
	const { outline, query, header, signal, stopping } = call;
	const subscribe = offered(outline, "subscribe");
	const since = sinceIn(header("last-event-id") ?? query.get("since"));
	const revisionsOnly = flagIn(query, "revisions", false);
	const feed =
		outline.changes == null
			? new LiveFeed(undefined, 0)
			: new LiveFeed(offered(outline, "changes"), since, revisionsOnly);
	feed.listen(subscribe, [signal, stopping]);
	// A wrong revision or an unreachable storage is an error response here; later it would break the stream.
	await feed.readFirst();
	return new TextBody(byteStream(feed, call), "text/event-stream", unbuffered);
}

/** The changes of an event, or the revision alone. */
interface StreamedChanges extends Partial<OutlineChanges> {
	readonly revision: number;
	/** Present if the changes begin again with everything, because tombstones since the last event are gone. */
	readonly expired?: true;
}

/** Waits for the changes of an outline. */
class LiveFeed {
	readonly #changes: ServedOutline["changes"];
	readonly #revisionsOnly: boolean;
	#revision: number;
	/** The revision of the last notification. */
	#noticed = 0;
	#first: StreamedChanges | undefined;
	/** Whether the outline may have changed after the last read. */
	#notified = false;
	#wake = () => {};
	#stop: (() => void) | undefined;

	/** @param changes - the feed of the outline, if it has one */
	constructor(changes: ServedOutline["changes"], revision: number, revisionsOnly = false) {
		this.#changes = changes;
		this.#revision = revision;
		this.#revisionsOnly = revisionsOnly;
	}

	/** Whether the feed has stopped listening. */
	get ended(): boolean {
		return this.#stop === undefined;
	}

	/**
	 * Listens for changes until {@link LiveFeed.end} or until a signal aborts. Call it before the first read.
	 */
	listen(subscribe: NonNullable<ServedOutline["subscribe"]>, signals: readonly AbortSignal[]): void {
		const end = () => this.end();
		const unsubscribe = subscribe(({ revision }) => {
			this.#notified = true;
			this.#noticed = revision;
			this.#wake();
		});
		const stops = signals.map((signal) => onAbort(signal, end));
		this.#stop = () => {
			unsubscribe();
			for (const stop of stops) stop();
		};
		if (signals.some(({ aborted }) => aborted)) end();
	}

	/** Stops listening, and ends a wait. */
	end(): void {
		this.#stop?.();
		this.#stop = undefined;
		this.#wake();
	}

	/** Reads the changes that {@link LiveFeed.next} returns first. If that fails, the feed ends. */
	async readFirst(): Promise<void> {
		try {
			this.#first = await this.#read();
		} catch (error) {
			this.end();
			throw error;
		}
	}

	/** The next changes; null if none came for 15 seconds, or if the feed has ended. */
	async next(): Promise<StreamedChanges | null> {
		for (let waited = false; ; waited = true) {
			const found = this.#first ?? (await this.#read());
			this.#first = undefined;
			if (found.revision > this.#revision) {
				this.#revision = found.revision;
				return found;
			}
			if (waited) return null;
			if (!this.#notified && !this.ended) await this.#pause();
			if (this.ended) return null;
		}
	}

	async #read(): Promise<StreamedChanges> {
		this.#notified = false;
		const revision = this.#noticed;
		if (this.#changes == null || (this.#revisionsOnly && revision > this.#revision)) return { revision };
		const found = await this.#readChanges(this.#changes);
		return this.#revisionsOnly ? { revision: found.revision } : found;
	}

	async #readChanges(changes: NonNullable<ServedOutline["changes"]>): Promise<StreamedChanges> {
		try {
			return await changes({ since: this.#revision, characters: changesLength });
		} catch (error) {
			if (codeOf(error) !== "changes_expired") throw error;
			this.#revision = 0;
			return { ...(await changes({ since: 0, characters: changesLength })), expired: true };
		}
	}

	#pause(): Promise<void> {
		return new Promise((resolve) => {
			const stopTimer = after(heartbeat, resolve);
			this.#wake = () => {
				stopTimer();
				resolve();
			};
		});
	}
}

/** The functions that wait for signals. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `end` when the signal aborts. Returns a function that prevents that. All streams of a signal share one
 * listener, because Node warns of a leak if a signal has more than ten.
 */
function onAbort(signal: AbortSignal, end: () => void): () => void {
	const ends = waiting.get(signal) ?? new Set();
	if (!waiting.has(signal)) {
		waiting.set(signal, ends);
		signal.addEventListener("abort", () => {
			for (const each of ends) each();
		});
	}
	ends.add(end);
	return () => void ends.delete(end);
}

/** The events of a feed as bytes. Makes each piece when the reader asks for it. */
function byteStream(feed: LiveFeed, call: AuthenticatedRequest): ReadableStream<Uint8Array> {
	const upcoming = texts(feed, call);
	const encoder = new TextEncoder();
	let cancelled = false;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const text = await upcoming.next();
					if (cancelled) return;
					if (text.done) controller.close();
					else controller.enqueue(encoder.encode(text.value));
				} catch (error) {
					if (!feed.ended) call.report(error);
					feed.end();
					controller.error(new Error("The stream of changes broke off."));
				}
			},
			cancel() {
				cancelled = true;
				feed.end();
			},
		},
		{ highWaterMark: 0 },
	);
}

async function* texts(feed: LiveFeed, call: AuthenticatedRequest): AsyncGenerator<string, void, undefined> {
	let asked = Date.now();
	while (!feed.ended) {
		const found = await feed.next();
		const now = Date.now();
		// A clock that is set back must not put the question off.
		if (found !== null && (now < asked || now - asked >= acceptedFor)) {
			asked = now;
			if (!(await call.isAccepted())) feed.end();
		}
		if (feed.ended) return;
		const pieces = found === null ? comment() : eventOf(found);
		for (;;) {
			// One change wakes all streams at once, so they take turns to make their pieces.
			const turn = inTurn();
			if (turn !== undefined) await turn;
			if (feed.ended) return;
			const piece = pieces.next();
			if (piece.done) break;
			yield piece.value;
		}
	}
}

/** A comment of server-sent events, which clients ignore. */
function* comment(): Generator<string, void, undefined> {
	yield ":\n\n";
}

/** An event with the same JSON as `GET /api/v1/changes`: in one piece, unless it is long. */
function* eventOf(changes: StreamedChanges): Generator<string, void, undefined> {
	const { revision, expired, nodes } = changes;
	const isFeed = nodes !== undefined;
	let text = `id: ${revision}\nevent: ${isFeed ? "changes" : "revision"}\ndata: `;
	const data = isFeed ? { ...wireChanges(changes as OutlineChanges), expired } : { revision };
	for (const piece of jsonPieces(data)) {
		text += piece;
		if (text.length < pieceLength) continue;
		yield text;
		text = "";
	}
	yield `${text}\n\n`;
}

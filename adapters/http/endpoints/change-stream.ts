import type { OutlineChanges } from "../../../src/read/changes.js";
import { jsonPieces, pieceLength } from "../server/json-text.js";
import { offered } from "../server/options.js";
import type { Call } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { after } from "../server/timer.js";
import { inTurn } from "../server/turns.js";
import { changesLength, sinceIn, wireChanges } from "./reading.js";

/** After so many milliseconds without changes a line is sent, so that nobody on the way takes the connection for dead. */
const heartbeat = 15_000;

/**
 * `GET /api/v1/changes/stream`: the changes since a revision, and then each change as it comes, as server-sent events. The id
 * of an event is its revision, so that a client which has lost the connection goes on where it was (`Last-Event-ID`).
 */
export async function streamChanges({ outline, query, header, signal, report }: Call): Promise<TextBody> {
	const changes = offered(outline, "changes");
	const subscribe = offered(outline, "subscribe");
	let revision = sinceIn(header("last-event-id") ?? query.get("since"));
	const encoder = new TextEncoder();
	let wake = () => {};
	let woken = false;
	let ended = false;
	let cancelled = false;

	// Before anything is read, so that nothing is missed in between.
	const unsubscribe = subscribe(() => {
		woken = true;
		wake();
	});
	const end = () => {
		if (ended) return;
		ended = true;
		unsubscribe();
		signal.removeEventListener("abort", end);
		wake();
	};
	signal.addEventListener("abort", end);

	/** What is new; null if nothing has come for a while. */
	async function next(first?: OutlineChanges): Promise<OutlineChanges | null> {
		let found = first;
		for (let waited = false; ; waited = true) {
			woken = false;
			found ??= await changes({ since: revision, characters: changesLength });
			if (found.revision > revision || waited) return found.revision > revision ? found : null;
			found = undefined;
			if (!woken && !ended) await pause();
			if (ended) return null;
		}
	}

	function pause(): Promise<void> {
		return new Promise((resolve) => {
			const stopTimer = after(heartbeat, resolve);
			wake = () => {
				stopTimer();
				resolve();
			};
		});
	}

	let first: OutlineChanges;
	try {
		// A revision that can't be, and a storage that can't be read, are answered as everywhere else.
		first = await changes({ since: revision, characters: changesLength });
	} catch (error) {
		end();
		throw error;
	}
	/** The texts to be sent, each made when it is asked for. */
	async function* texts(): AsyncGenerator<string, void, undefined> {
		for (let known: OutlineChanges | undefined = first; !ended; known = undefined) {
			const found = await next(known);
			if (ended) return;
			if (found !== null) ({ revision } = found);
			const pieces = found === null ? aliveOf() : eventOf(found);
			for (;;) {
				// A change wakes all streams at once.
				const turn = inTurn();
				if (turn !== undefined) await turn;
				if (ended) return;
				const piece = pieces.next();
				if (piece.done) break;
				yield piece.value;
			}
		}
	}

	const upcoming = texts();
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const text = await upcoming.next();
					if (cancelled) return;
					if (text.done) controller.close();
					else controller.enqueue(encoder.encode(text.value));
				} catch (error) {
					if (!ended) report(error);
					end();
					controller.error(new Error("The stream of changes broke off."));
				}
			},
			cancel() {
				cancelled = true;
				end();
			},
		},
		{ highWaterMark: 0 },
	);
	return new TextBody(body, "text/event-stream");
}

/** A comment, which clients pass over. */
function* aliveOf(): Generator<string, void, undefined> {
	yield ":\n\n";
}

/** An event with the answer that `GET /api/v1/changes` would have given: in one piece unless it is long. */
function* eventOf(changes: OutlineChanges): Generator<string, void, undefined> {
	let text = `id: ${changes.revision}\nevent: changes\ndata: `;
	for (const piece of jsonPieces(wireChanges(changes))) {
		text += piece;
		if (text.length < pieceLength) continue;
		yield text;
		text = "";
	}
	yield `${text}\n\n`;
}

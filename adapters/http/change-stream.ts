import type { OutlineChanges } from "../../src/feed.js";
import { StreamedBody } from "./answer.js";
import type { Call } from "./call.js";
import { offered } from "./options.js";
import { sinceIn } from "./reading.js";
import { after } from "./timer.js";
import { wireNode } from "./wire.js";

/** After so many milliseconds without changes a line is sent, so that nobody on the way takes the connection for dead. */
const heartbeat = 15_000;

/**
 * `GET /api/v1/changes/stream`: the changes since a revision, and then each change as it comes, as server-sent events. The id
 * of an event is its revision, so that a client which has lost the connection goes on where it was (`Last-Event-ID`).
 */
export async function streamChanges({ outline, query, header, signal, report }: Call): Promise<StreamedBody> {
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
			found ??= await changes({ since: revision });
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

	let first: OutlineChanges | undefined;
	try {
		// A revision that can't be, and a storage that can't be read, are answered as everywhere else.
		first = await changes({ since: revision });
	} catch (error) {
		end();
		throw error;
	}
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const found = await next(first);
					first = undefined;
					if (cancelled) return;
					if (ended) return controller.close();
					if (found !== null) ({ revision } = found);
					controller.enqueue(encoder.encode(found === null ? ":\n\n" : eventOf(found)));
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
	return new StreamedBody(body, "text/event-stream");
}

/** An event with the answer that `GET /api/v1/changes` would have given. */
function eventOf({ nodes, deleted, revision, more }: OutlineChanges): string {
	const data = JSON.stringify({ nodes: nodes.map(wireNode), deleted, revision, more });
	return `id: ${revision}\nevent: changes\ndata: ${data}\n\n`;
}

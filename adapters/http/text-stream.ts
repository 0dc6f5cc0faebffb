import { after } from "./timer.js";

/** UTF-16 code units; in most outlines about as many bytes. */
const chunkLength = 65_536;

/**
 * After so many chunks others get their turn. Where neither the storage nor the reader has to be waited for, nothing else would
 * happen until the end: neither other requests nor the news that the client has left.
 */
const chunksInARow = 16;

/** Writes values as the pieces of a text. */
export interface TextWriter<T> {
	piece(value: T): string;
	/** What stands behind all pieces. */
	end(): string;
}

/**
 * The bytes of a text that is written from values, in chunks of about 64 KB, each made when the reader asks for it. The first
 * value is read before the promise resolves, so that a storage that can't be read rejects it. A later error goes to `report` and
 * breaks the stream off. When the reader cancels or `signal` aborts, the iteration is ended.
 */
export async function textStream<T>(
	values: AsyncIterable<T>,
	writer: TextWriter<T>,
	signal: AbortSignal,
	report: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
	const iterator = values[Symbol.asyncIterator]();
	let next = await iterator.next();
	let ended = false;
	let sent = 0;
	const encoder = new TextEncoder();

	async function chunk(): Promise<string> {
		let text = "";
		while (!next.done && text.length < chunkLength) {
			text += writer.piece(next.value);
			next = await iterator.next();
		}
		return next.done ? text + writer.end() : text;
	}

	function end(): void {
		ended = true;
		signal.removeEventListener("abort", leave);
	}

	async function leave(): Promise<void> {
		end();
		try {
			await iterator.return?.();
		} catch (error) {
			report(error);
		}
	}

	if (signal.aborted) await leave();
	else signal.addEventListener("abort", leave);
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					if (++sent % chunksInARow === 0) await new Promise<void>((resolve) => after(0, resolve));
					const text = ended ? "" : await chunk();
					// Only a reader that the signal doesn't concern still listens here: it must not take this for the end.
					if (ended) return controller.error(signal.reason);
					controller.enqueue(encoder.encode(text));
					if (!next.done) return;
					end();
					controller.close();
				} catch (error) {
					if (!ended) report(error);
					end();
					// Not the error itself: servers are known to write its message into the response.
					controller.error(new Error("The export broke off."));
				}
			},
			cancel: leave,
		},
		{ highWaterMark: 0 },
	);
}

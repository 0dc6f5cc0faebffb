import { addAbortSignal, type Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/**
 * The milliseconds to wait for a signal after the end of an input. Ctrl+C stops all programs of a pipeline.
 * This program may then see the end of its input before the signal.
 */
const signalDelay = 20;

/**
 * Returns the pieces of an input. If the signal is aborted, they end with an error, also if the input has just
 * ended: it may be cut off. The stream needs a listener for errors.
 */
export async function* piecesOf(input: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
	// An input without an end would keep the program waiting.
	addAbortSignal(signal, input);
	for await (const piece of input) yield piece;
	await pause(signalDelay);
	signal.throwIfAborted();
}

/** Reads up to the first piece that isn't blank. Returns all pieces; undefined if all are blank. */
export async function withoutBlank(
	pieces: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
	const blank: Uint8Array[] = [];
	for (;;) {
		const { done, value } = await pieces.next();
		if (done) return undefined;
		blank.push(value);
		if (value.some((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d))) break;
	}
	return (async function* () {
		yield* blank;
		yield* pieces;
	})();
}

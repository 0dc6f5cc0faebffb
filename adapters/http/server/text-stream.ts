import { pieceLength, wholeLength } from "./json-text.js";
import { inTurn } from "./turns.js";

/** Writes values as the pieces of a text. */
export interface TextWriter<T> {
	piece(value: T): string;
	/** The text after all pieces. */
	end(): string;
}

/** Writes pieces that are text already. */
export const asItIs: TextWriter<string> = { piece: (text) => text, end: () => "" };

/**
 * Writes values as a stream of UTF-8, in chunks of about 64 KB. Makes each chunk when the reader asks for it.
 *
 * The first value is read before the promise resolves, so an unreachable storage rejects the promise. A later
 * error goes to `report` and breaks the stream. If the reader cancels or `signal` aborts, the iteration ends.
 */
export async function textStream<T>(
	values: AsyncIterable<T> | Iterable<T>,
	writer: TextWriter<T>,
	signal: AbortSignal,
	report: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
	const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
	const chunks = chunksOf(await iterator.next(), iterator, writer);
	const encoder = new TextEncoder();
	let ended = false;

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

	async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
		try {
			const turn = inTurn();
			if (turn !== undefined) await turn;
			const chunk = ended ? undefined : await chunks.next();
			// A reader that doesn't know of the signal must not take this for the end of the text.
			if (ended || chunk === undefined) return controller.error(signal.reason);
			if (!chunk.done) return controller.enqueue(encoder.encode(chunk.value));
			end();
			controller.close();
		} catch (error) {
			if (!ended) report(error);
			end();
			// Not the error itself, because some servers write its message into the response.
			controller.error(new Error("The export broke off."));
		}
	}

	if (signal.aborted) await leave();
	else signal.addEventListener("abort", leave);
	return new ReadableStream({ pull, cancel: leave }, { highWaterMark: 0 });
}

/** The text of a first value and of the rest, in chunks of about {@link pieceLength} characters. */
async function* chunksOf<T>(
	first: IteratorResult<T, unknown>,
	rest: AsyncIterator<T> | Iterator<T>,
	writer: TextWriter<T>,
): AsyncGenerator<string, void, undefined> {
	let next = first;
	do {
		let text = "";
		while (!next.done && text.length < pieceLength) {
			text += writer.piece(next.value);
			next = await rest.next();
		}
		yield next.done ? text + writer.end() : text;
	} while (!next.done);
}

/** A text that comes in pieces: as one text if it is short, otherwise as a stream from {@link textStream}. */
export async function wholeOrStream(
	pieces: AsyncIterable<string>,
	signal: AbortSignal,
	report: (error: unknown) => void,
): Promise<string | ReadableStream<Uint8Array>> {
	const iterator = pieces[Symbol.asyncIterator]();
	let start = "";
	while (start.length <= wholeLength) {
		const next = await iterator.next();
		if (next.done) return start;
		start += next.value;
	}
	return textStream(resumed(start, iterator), asItIs, signal, report);
}

async function* resumed(start: string, rest: AsyncIterator<string>): AsyncGenerator<string, void, undefined> {
	try {
		yield start;
		for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
	} finally {
		await rest.return?.();
	}
}

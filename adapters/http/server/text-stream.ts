import { pieceLength, wholeLength } from "./json-text.js";
import { inTurn } from "./turns.js";

/** Writes values as the pieces of a text. */
export interface TextWriter<T> {
	piece(value: T): string;
	/** What stands behind all pieces. */
	end(): string;
}

/** Writes pieces that are text already. */
export const asItIs: TextWriter<string> = { piece: (text) => text, end: () => "" };

/**
 * The bytes of a text that is written from values, in chunks of about 64 KB, each made when the reader asks for it. The first
 * value is read before the promise resolves, so that a storage that can't be read rejects it. A later error goes to `report` and
 * breaks the stream off. When the reader cancels or `signal` aborts, the iteration is ended.
 */
export async function textStream<T>(
	values: AsyncIterable<T> | Iterable<T>,
	writer: TextWriter<T>,
	signal: AbortSignal,
	report: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
	const iterator = Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
	let next = await iterator.next();
	let ended = false;
	const encoder = new TextEncoder();

	async function chunk(): Promise<string> {
		let text = "";
		while (!next.done && text.length < pieceLength) {
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
					const turn = inTurn();
					if (turn !== undefined) await turn;
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

/** A text that comes in pieces: as a whole if it is short, else as {@link textStream} gives it. */
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

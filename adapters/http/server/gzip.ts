import { OutlineError, quoted } from "../../../src/errors.js";
import { refusal, tooLarge } from "./problem.js";
import type { HttpRequest } from "./request.js";

/**
 * Decompresses a body. Reads no further than the consumer asks for, so a small body can't fill the memory.
 *
 * @param encoding - the header `Content-Encoding`
 * @param maxBytes - the most bytes after decompression
 * @throws `unsupported_media_type` for another encoding; during the iteration `payload_too_large`,
 * `invalid_argument` if the body isn't gzip, and the errors of the body
 */
export function decoded(
	body: AsyncIterable<Uint8Array>,
	encoding: string,
	maxBytes: number,
): AsyncIterable<Uint8Array> {
	const name = encoding.trim().toLowerCase();
	if (name === "" || name === "identity") return body;
	if (name === "gzip") return gunzipped(body, maxBytes);
	const detail = `The body has the encoding ${quoted(encoding)}. Send it as gzip, or without an encoding.`;
	throw refusal("unsupported_media_type", detail, { "accept-encoding": "gzip" });
}

async function* gunzipped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
	let size = 0;
	const stream = new DecompressionStream("gzip");
	for await (const piece of through(inParts(body), stream)) {
		size += piece.byteLength;
		if (size > maxBytes) throw tooLarge(maxBytes);
		yield piece;
	}
}

/** The most bytes that are decompressed at once. They become a thousand times as many at most. */
const partSize = 4096;

async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	for await (const piece of body) {
		for (let at = 0; at < piece.length; at += partSize) yield piece.subarray(at, at + partSize);
	}
}

/**
 * Sends a body through a compressor, piece by piece, on demand. It doesn't leave that to `pipeThrough`: Node's
 * compressors would take in the whole body, however slowly their output is read. Nor does it cancel the output. In
 * the turn of a read, Node would throw an error that no program can catch: https://github.com/nodejs/node/issues/64529
 *
 * @throws during the iteration the errors of the body; `invalid_argument` if the compressor refuses a piece
 */
async function* through(
	body: AsyncIterable<Uint8Array>,
	{ readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array> {
	const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
	const writer = writable.getWriter();
	const next = () => {
		const read = reader.read();
		read.catch(() => {});
		return read;
	};
	let output = next();
	/** The output until the compressor has taken in something. */
	async function* during(input: Promise<void>): AsyncGenerator<Uint8Array> {
		for (;;) {
			const found = await Promise.race([output, input]).catch((cause: unknown) => {
				throw new OutlineError("invalid_argument", "The body isn't valid gzip.", { cause });
			});
			if (found === undefined || found.done) return;
			yield found.value;
			output = next();
		}
	}
	try {
		for await (const piece of body) yield* during(writer.write(piece as Uint8Array<ArrayBuffer>));
		yield* during(writer.close().then(() => new Promise(() => {})));
	} finally {
		// Not awaited, because the compressor may wait for a reader of its output.
		writer.abort().catch(() => {});
	}
}

/** Whether the client accepts answers in gzip. */
export function acceptsGzip(header: HttpRequest["header"]): boolean {
	const accepted = (header("accept-encoding") ?? "").toLowerCase().split(",");
	const find = (name: string) => accepted.find((coding) => coding.split(";")[0]!.trim() === name);
	const found = find("gzip") ?? find("*");
	return found !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(found);
}

/** Compresses a stream. */
export function gzipped(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	const pieces = through(body, new CompressionStream("gzip"));
	const source: UnderlyingDefaultSource<Uint8Array> = {
		async pull(controller) {
			const { done, value } = await pieces.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel(reason) {
			await pieces.return(undefined);
			// Before the first read, `pieces` hasn't begun, and doesn't end it.
			await body.cancel(reason);
		},
	};
	return new ReadableStream(source, { highWaterMark: 0 });
}

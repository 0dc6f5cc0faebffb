import { OutlineError, quoted } from "../../../src/errors.js";
import { tooLarge } from "./body-reader.js";
import { refusal } from "./problem.js";
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
	encoding: string | null,
	maxBytes: number,
): AsyncIterable<Uint8Array> {
	const name = encoding?.trim().toLowerCase() ?? "";
	if (name === "" || name === "identity") return body;
	if (name === "gzip") return gunzipped(body, maxBytes);
	const detail = `The body has the encoding ${quoted(encoding)}. Send it as gzip, or without an encoding.`;
	throw refusal("unsupported_media_type", detail, { "accept-encoding": "gzip" });
}

async function* gunzipped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
	const { readable, writable } = new DecompressionStream("gzip");
	let failure: { readonly error: unknown } | undefined;
	const feeding = feed(body, writable).catch((error: unknown) => {
		failure = { error };
	});
	const reader = readable.getReader();
	try {
		for (let size = 0; ; ) {
			const piece = await reader.read().catch(async (cause: unknown) => {
				// If the body failed, its own error has the right status.
				await feeding;
				throw failure?.error instanceof BrokenGzip || failure === undefined ? notGzip(cause) : failure.error;
			});
			if (piece.done) return;
			size += piece.value.byteLength;
			if (size > maxBytes) throw tooLarge(maxBytes);
			yield piece.value;
		}
	} finally {
		// Not awaited, because the rest of the body may never arrive.
		reader.cancel().catch(() => {});
	}
}

/** The decompressor has refused a piece. The reader of its output gets the reason. */
class BrokenGzip extends Error {}

/** Writes a body to a stream, as fast as the stream is read. If the body fails, the stream does too. */
async function feed(body: AsyncIterable<Uint8Array>, writable: WritableStream<BufferSource>): Promise<void> {
	const writer = writable.getWriter();
	const write = (done: Promise<void>) =>
		done.catch(() => {
			throw new BrokenGzip();
		});
	try {
		for await (const piece of body) await write(writer.write(piece as BufferSource));
		await write(writer.close());
	} catch (error) {
		await writer.abort(error).catch(() => {});
		throw error;
	}
}

function notGzip(cause: unknown): Error {
	return new OutlineError("invalid_argument", "The body isn't valid gzip.", { cause });
}

/** Whether the client accepts answers in gzip. */
export function acceptsGzip(header: HttpRequest["header"]): boolean {
	const accepted = header("accept-encoding") ?? "";
	return accepted.split(",").some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}

/** Compresses a stream. */
export function gzipped(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	return body.pipeThrough(new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
}

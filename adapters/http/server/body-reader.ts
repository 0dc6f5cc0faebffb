import { LazyModule } from "../../../src/engine/lazy-module.js";
import { OutlineError, quoted } from "../../../src/errors.js";
import { refusal, tooLarge } from "./problem.js";
import type { BodyReader, HttpRequest, Piece } from "./request.js";
import { after } from "./timer.js";

/** The limits of a body. */
export interface BodyBounds {
	/** The most bytes in the body. */
	readonly maxBytes: number;
	/** The longest wait in milliseconds: for the whole body, or for each piece. */
	readonly timeout: number;
	readonly timed: "whole" | "pieces";
	/** Throws for a content type that the endpoint doesn't accept. Isn't called for an empty body. */
	readonly assertType: (contentType: string | null) => void;
}

/**
 * Reads the body of a request piece by piece, on demand, and decompresses it. When the iteration ends, it releases
 * the body.
 *
 * @throws during the iteration: `payload_too_large`, `request_timeout`, the error of `assertType`,
 * `unsupported_media_type` for an unknown encoding, and `invalid_argument` if the body breaks off, the client
 * disconnects or the body isn't in its encoding
 */
export function bodyPieces(request: HttpRequest, bounds: BodyBounds): AsyncGenerator<Uint8Array> {
	const encoding = request.header("content-encoding");
	const pieces = received(request, bounds);
	return encoding === null ? pieces : decompressed(pieces, encoding, bounds.maxBytes);
}

/** Few bodies are compressed. */
const gzipModule = new LazyModule("The decompressor of bodies", () => import("./gzip.js"));

async function* decompressed(
	pieces: AsyncGenerator<Uint8Array>,
	encoding: string,
	maxBytes: number,
): AsyncGenerator<Uint8Array> {
	const { decoded } = await gzipModule.load();
	yield* decoded(pieces, encoding, maxBytes);
}

async function* received(request: HttpRequest, bounds: BodyBounds): AsyncGenerator<Uint8Array, void, undefined> {
	const { maxBytes, timeout, timed, assertType } = bounds;
	if (Number(request.header("content-length")) > maxBytes) throw tooLarge(maxBytes);
	const reader = request.bodyReader();
	if (reader === null) return;
	let failure: Error | undefined;
	const giveUp = (error: Error) => {
		failure ??= error;
		// Ends the current read. Not awaited, because the rest of the body may never arrive.
		reader.cancel(error).catch(() => {});
	};
	const late = () => giveUp(tooSlow(timeout, timed));
	const gone = () => giveUp(brokenOff(signal!.reason));
	let signal: AbortSignal | undefined;
	let stopTimer: (() => void) | undefined;

	/**
	 * Waits for a piece. Creates the timer and the signal only here, because they cost more than most bodies.
	 */
	async function awaited(): Promise<Piece> {
		if (signal === undefined) {
			({ signal } = request);
			signal.addEventListener("abort", gone);
			if (signal.aborted) gone();
		}
		if (timed === "pieces" || stopTimer === undefined) stopTimer = after(timeout, late);
		const piece = await nextPiece(reader!);
		if (failure !== undefined) throw failure;
		if (timed === "pieces") stopTimer();
		return piece;
	}

	try {
		for (let size = 0; ; ) {
			const piece = reader.arrived?.() ?? (await awaited());
			if (piece.done) return;
			const { value } = piece;
			if (size === 0 && value.byteLength > 0) assertType(request.header("content-type"));
			size += value.byteLength;
			if (size > maxBytes) throw tooLarge(maxBytes);
			yield value;
		}
	} finally {
		stopTimer?.();
		signal?.removeEventListener("abort", gone);
		reader.cancel().catch(() => {});
	}
}

async function nextPiece(reader: BodyReader): Promise<Piece> {
	try {
		return await reader.read();
	} catch (cause) {
		throw brokenOff(cause);
	}
}

function brokenOff(cause: unknown): Error {
	return new OutlineError("invalid_argument", "The body broke off before its end.", { cause });
}

function tooSlow(timeout: number, timed: "whole" | "pieces"): Error {
	const part = timed === "whole" ? "The body" : "The next piece of the body";
	return refusal("request_timeout", `${part} didn't arrive within ${timeout / 1000} s. Send it again, faster.`);
}

/** The media type of a Content-Type header in lower case, without parameters; empty if there is none. */
export function mediaType(contentType: string | null): string {
	return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The error for a body of a type that the endpoint doesn't accept. */
export function unsupportedType(contentType: string | null, advice: string): Error {
	const given = contentType === null ? "no content type" : `the content type ${quoted(contentType)}`;
	return refusal("unsupported_media_type", `The body has ${given}. ${advice}`);
}

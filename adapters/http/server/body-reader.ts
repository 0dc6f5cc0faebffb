import { OutlineError } from "../../../src/errors.js";
import { refusal } from "./problem.js";
import type { BodyReader, HttpRequest, Piece } from "./request.js";
import { after } from "./timer.js";

/** What a body may be. */
export interface UploadBounds {
	/** The most bytes that it may have. */
	readonly maxBytes: number;
	/** How long it may be waited for, in milliseconds: for all of it, or for each piece. */
	readonly timeout: number;
	readonly timed: "whole" | "pieces";
	/** Throws for a content type that isn't taken. An empty body is of any type. */
	readonly assertType: (contentType: string | null) => void;
}

/**
 * The body of a request, piece by piece, each read when it is asked for. However it ends, nothing of the body is held.
 *
 * @throws while it is iterated: `payload_too_large`, `request_timeout`, what `assertType` throws, and `invalid_argument`
 * for a body that breaks off or whose client leaves
 */
export async function* upload(request: HttpRequest, bounds: UploadBounds): AsyncGenerator<Uint8Array, void, undefined> {
	const { maxBytes, timeout, timed, assertType } = bounds;
	if (Number(request.header("content-length")) > maxBytes) throw tooLarge(maxBytes);
	const reader = request.bodyReader();
	if (reader === null) return;
	let failure: Error | undefined;
	const giveUp = (error: Error) => {
		failure ??= error;
		// Ends the read that is under way. Not awaited: the rest of the body is the client's affair, and it may never come.
		reader.cancel(error).catch(() => {});
	};
	const late = () => giveUp(tooSlow(timeout, timed));
	const gone = () => giveUp(brokenOff(signal!.reason));
	let signal: AbortSignal | undefined;
	let stopTimer: (() => void) | undefined;

	/** Waits for a piece. Only then are there a clock and a signal to heed, which cost more than most bodies. */
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

function tooLarge(maxBytes: number): Error {
	return refusal("payload_too_large", `The body is too large. It may have up to ${maxBytes} bytes.`);
}

function tooSlow(timeout: number, timed: "whole" | "pieces"): Error {
	const what = timed === "whole" ? "The body" : "The next piece of the body";
	return refusal("request_timeout", `${what} didn't come within ${timeout / 1000} s. Send it again, faster.`);
}

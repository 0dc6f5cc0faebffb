import { OutlineError, quoted } from "../../../src/errors.js";
import { type BodyBounds, bodyPieces, mediaType, unsupportedType } from "./body-reader.js";
import type { HttpRequest } from "./request.js";

/** The most bytes that fit into one string in every engine. */
const longestText = 2 ** 29 - 25;

/** The fields of a JSON body, unchecked. */
export type JsonObject = { readonly [field: string]: unknown };

/**
 * Reads the JSON object in the body of a request, which may be compressed. Without a body, the object is empty.
 * Holds at most `maxBytes` bytes, for at most `timeout` milliseconds.
 *
 * @throws `payload_too_large`, `request_timeout`, `unsupported_media_type`; `invalid_argument` unless the
 * body is a JSON object in UTF-8
 */
export async function jsonBody(
	request: HttpRequest,
	{ maxBytes, timeout }: Pick<BodyBounds, "maxBytes" | "timeout">,
): Promise<JsonObject> {
	let bytes: Uint8Array = new Uint8Array();
	let size = 0;
	const bounds = {
		maxBytes: Math.min(maxBytes, longestText),
		timeout,
		timed: "whole",
		assertType: assertJson,
	} as const;
	for await (const piece of bodyPieces(request, bounds)) {
		bytes = size === 0 ? piece : appended(bytes, size, piece);
		size += piece.byteLength;
	}
	return size === 0 ? {} : parseObject(textOf(bytes.subarray(0, size)));
}

/**
 * Returns the first `size` bytes and a piece, with room to grow. Copies them, because a piece may keep a much
 * larger buffer of the server in memory.
 */
function appended(bytes: Uint8Array, size: number, piece: Uint8Array): Uint8Array {
	const needed = size + piece.byteLength;
	let room = bytes;
	if (needed > bytes.byteLength) {
		room = new Uint8Array(Math.max(needed, 2 * size));
		room.set(bytes.subarray(0, size));
	}
	room.set(piece, size);
	return room;
}

/**
 * Shared by all requests. It keeps no state, because it decodes each text at once; that is several times
 * faster.
 */
const decoder = new TextDecoder("utf-8", { fatal: true });

function textOf(bytes: Uint8Array): string {
	try {
		return decoder.decode(bytes);
	} catch (cause) {
		throw new OutlineError("invalid_argument", "The body isn't UTF-8. Send JSON in UTF-8.", { cause });
	}
}

function parseObject(text: string): JsonObject {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (cause) {
		throw new OutlineError("invalid_argument", "The body isn't valid JSON. Send a JSON object.", { cause });
	}
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
	throw new OutlineError("invalid_argument", `The body is ${quoted(value)}. Send a JSON object.`);
}

function assertJson(contentType: string | null): void {
	if (/^(application\/json|[^\s/]+\/[^\s/]+\+json)$/.test(mediaType(contentType))) return;
	throw unsupportedType(contentType, "Send JSON with `Content-Type: application/json`.");
}

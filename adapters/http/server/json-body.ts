import { OutlineError, quoted } from "../../../src/errors.js";
import { type UploadBounds, upload } from "./body-reader.js";
import { refusal } from "./problem.js";
import type { HttpRequest } from "./request.js";

/** The most bytes that are sure to fit in one text, in every engine. */
const longestText = 2 ** 29 - 25;

/** The fields of a JSON body, unchecked. */
export type JsonObject = { readonly [field: string]: unknown };

/**
 * The JSON object in the body of a request; an empty one if there is no body. At most `maxBytes` are held, for as long as
 * `timeout` milliseconds.
 *
 * @throws `payload_too_large`, `request_timeout`, `unsupported_media_type`, and `invalid_argument` for what is no JSON object
 * in UTF-8
 */
export async function jsonBody(
	request: HttpRequest,
	{ maxBytes, timeout }: Pick<UploadBounds, "maxBytes" | "timeout">,
): Promise<JsonObject> {
	let bytes: Uint8Array = new Uint8Array();
	let size = 0;
	const bounds = {
		maxBytes: Math.min(maxBytes, longestText),
		timeout,
		timed: "whole",
		assertType: assertJson,
	} as const;
	for await (const piece of upload(request, bounds)) {
		bytes = size === 0 ? piece : appended(bytes, size, piece);
		size += piece.byteLength;
	}
	return size === 0 ? {} : parseObject(decoded(bytes.subarray(0, size)));
}

/**
 * The first `size` bytes with a piece behind them, and room to grow. Copied, as most bodies have one piece, and a server may
 * hold much more than a piece for each that is kept.
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

/** Holds nothing between two texts, as each is decoded in one go: runtimes are several times faster at that. */
const decoder = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Uint8Array): string {
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

/** The media type of a Content-Type header in lower case, without its parameters; empty if there is none. */
export function mediaType(contentType: string | null): string {
	return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The refusal of a body of a type that isn't taken. */
export function unsupportedType(contentType: string | null, advice: string): Error {
	const given = contentType === null ? "no content type" : `the content type ${quoted(contentType)}`;
	return refusal("unsupported_media_type", `The body has ${given}. ${advice}`);
}

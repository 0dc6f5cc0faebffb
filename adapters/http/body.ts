import { OutlineError, quoted } from "../../src/errors.js";
import { refusal } from "./problem.js";

/** The fields of a JSON body, unchecked. */
export type JsonObject = { readonly [field: string]: unknown };

/**
 * The JSON object in the body of a request; an empty one if there is no body. At most `maxBytes` are held.
 * @throws `payload_too_large`, `unsupported_media_type`, and `invalid_argument` for what is no JSON object in UTF-8.
 */
export async function jsonBody(request: Request, maxBytes: number): Promise<JsonObject> {
	if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
	if (request.body === null) return {};
	const reader = request.body.getReader();
	try {
		const text = await readText(reader, maxBytes, request.headers.get("content-type"));
		return text === undefined ? {} : parseObject(text);
	} catch (error) {
		// Not awaited: what is left of the body is the client's affair, and it may never come.
		reader.cancel(error).catch(() => {});
		throw error;
	}
}

/** The text of a body; undefined if it is empty, and then its type doesn't matter. */
async function readText(
	reader: ReadableStreamDefaultReader<Uint8Array>,
	maxBytes: number,
	contentType: string | null,
): Promise<string | undefined> {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	let text = "";
	let size = 0;
	for (let chunk = await nextChunk(reader); chunk !== undefined; chunk = await nextChunk(reader)) {
		if (size === 0 && chunk.byteLength > 0) requireJson(contentType);
		size += chunk.byteLength;
		if (size > maxBytes) throw tooLarge(maxBytes);
		text += decoded(() => decoder.decode(chunk, { stream: true }));
	}
	return size === 0 ? undefined : text + decoded(() => decoder.decode());
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
	try {
		return (await reader.read()).value;
	} catch (cause) {
		throw new OutlineError("invalid_argument", "The body broke off before its end.", { cause });
	}
}

function decoded(decode: () => string): string {
	try {
		return decode();
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

function requireJson(contentType: string | null): void {
	const mediaType = contentType?.split(";", 1)[0]?.trim() ?? "";
	if (/^(application\/json|[^\s/]+\/[^\s/]+\+json)$/i.test(mediaType)) return;
	const given = contentType === null ? "no content type" : `the content type ${quoted(contentType)}`;
	throw refusal("unsupported_media_type", `The body has ${given}. Send JSON with \`Content-Type: application/json\`.`);
}

function tooLarge(maxBytes: number): Error {
	return refusal("payload_too_large", `The body is too large. It may have up to ${maxBytes} bytes.`);
}

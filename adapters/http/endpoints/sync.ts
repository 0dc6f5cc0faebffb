import { OutlineError } from "../../../src/errors.js";
import { mediaType, unsupportedType } from "../server/body-reader.js";
import { acceptsGzip, gzipped } from "../server/gzip.js";
import { fitsIn, jsonPieces } from "../server/json-text.js";
import { linesType } from "../server/media-types.js";
import type { ServedOutline } from "../server/options.js";
import { refusal } from "../server/problem.js";
import { withinLimit } from "../server/rate-limit.js";
import type { AuthenticatedRequest } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { asItIs, textStream } from "../server/text-stream.js";
import { wholeNumber } from "./reading.js";

/** An answer with fewer characters than this isn't worth compressing. */
const shortAnswer = 1024;

/** The most blank lines in a row. A small compressed body could have a hundred million, which take seconds to split. */
const mostBlankLines = 1000;
const tooManyBlankLines = `The body has more than ${mostBlankLines} blank lines in a row. Send one JSON object in each line.`;

/**
 * `POST /api/v1/sync`: takes the changes of a device, and answers with the changes that it doesn't have.
 *
 * @throws `forbidden` for an API key that opens a part of the outline
 */
export async function synchronize(call: AuthenticatedRequest): Promise<object> {
	const { outline, header, signal, report, file, maxSyncBytes } = call;
	const sync = whole(outline, "sync");
	const answer = await sync(linesOf(file(assertLines, maxSyncBytes)));
	if (!acceptsGzip(header) || fitsIn(answer, shortAnswer)) return answer;
	const text = await textStream(jsonPieces(answer), asItIs, signal, report);
	return compressed(text, "application/json");
}

/**
 * `GET /api/v1/sync/image`: the whole outline, for a new device. `after` and `revision` continue an image that
 * broke off.
 *
 * @throws `forbidden` for an API key that opens a part of the outline; `rate_limited`
 */
export async function syncImage(call: AuthenticatedRequest): Promise<TextBody> {
	const { outline, apiKey, query, header, signal, report, imageLimit } = call;
	const image = whole(outline, "syncImage");
	const revision = query.get("revision");
	const input = {
		after: wholeNumber("after", query.get("after") ?? "0"),
		...(revision !== null && { revision: wholeNumber("revision", revision) }),
	};
	const begin = () => textStream(image(input), asItIs, signal, report);
	const text = await withinLimit(imageLimit, outline, apiKey, begin);
	return acceptsGzip(header) ? compressed(text, linesType) : new TextBody(text, linesType);
}

function compressed(text: ReadableStream<Uint8Array>, type: string): TextBody {
	return new TextBody(gzipped(text), type, { "content-encoding": "gzip" });
}

/** Returns a method that only whole outlines have. @throws `forbidden` */
function whole<M extends "sync" | "syncImage">(outline: ServedOutline, member: M): NonNullable<ServedOutline[M]> {
	const found = outline[member];
	if (found != null) return found.bind(outline) as NonNullable<ServedOutline[M]>;
	throw refusal("forbidden", "This API key opens a part of an outline. Only a whole outline can be synchronized.");
}

/**
 * Splits a text in UTF-8 into its lines, without blank ones.
 *
 * @throws `invalid_argument` if it isn't UTF-8, and for too many blank lines in a row
 */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	/** The pieces of a line whose end hasn't arrived. */
	let begun: string[] = [];
	let blank = 0;
	for await (const piece of pieces) {
		const lines = decodedText(decoder, piece).split("\n");
		begun.push(lines[0]!);
		for (let at = 1; at < lines.length; at++) {
			const line = begun.join("");
			blank = line === "" || line === "\r" ? blank + 1 : 0;
			if (blank > mostBlankLines) throw new OutlineError("invalid_argument", tooManyBlankLines);
			if (blank === 0) yield line;
			begun = [lines[at]!];
		}
	}
	begun.push(decodedText(decoder));
	yield begun.join("");
}

function decodedText(decoder: TextDecoder, piece?: Uint8Array): string {
	try {
		return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
	} catch (cause) {
		throw new OutlineError("invalid_argument", "The body isn't UTF-8. Send JSON in UTF-8.", { cause });
	}
}

function assertLines(contentType: string | null): void {
	if (mediaType(contentType) === linesType) return;
	throw unsupportedType(contentType, `Send the push with \`Content-Type: ${linesType}\`.`);
}

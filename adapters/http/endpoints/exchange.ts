import { OutlineError, quoted } from "../../../src/errors.js";
import type { ExchangeFormat } from "../../../src/exchange/formats.js";
import { mediaType, unsupportedType } from "../server/body-reader.js";
import { fileFormats, fileTypes } from "../server/media-types.js";
import { offered } from "../server/options.js";
import { withinLimit } from "../server/rate-limit.js";
import type { AuthenticatedRequest } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { asItIs, textStream } from "../server/text-stream.js";

/**
 * `GET /api/v1/export?format=`: the outline, or the subtree of a node (`root`, any reference), as a file.
 * Exports of the whole outline count against the export limit.
 *
 * @throws `invalid_argument` for an unknown format; `rate_limited`, spec §8
 */
export async function exportFile({
	outline,
	apiKey,
	query,
	signal,
	exportLimit,
	report,
}: AuthenticatedRequest): Promise<TextBody> {
	const exportAs = offered(outline, "exportAs");
	const format = formatIn(query);
	const root = query.get("root");
	const begin = () => textStream(exportAs(format, { root, signal }), asItIs, signal, report);
	const body =
		root === null || root === "None" ? await withinLimit(exportLimit, outline, apiKey, begin) : await begin();
	const { type, ending } = fileFormats[format];
	return new TextBody(body, `${type}; charset=utf-8`, {
		"content-disposition": `attachment; filename="outline.${ending}"`,
	});
}

/**
 * `POST /api/v1/import?format=`: creates all nodes of a file, or none. The body is the file. Parameters:
 * `parent_id` is any reference, `position` is `top` or `bottom`.
 *
 * @throws `invalid_argument` for an unknown format or a malformed file, and for an `Idempotency-Key`
 */
export async function importFile({ outline, query, file, header, signal }: AuthenticatedRequest): Promise<object> {
	if (header("idempotency-key") !== null) {
		throw new OutlineError(
			"invalid_argument",
			"An import can't have an Idempotency-Key, because the server doesn't keep its file. Leave the header out.",
		);
	}
	const begin = offered(outline, "import");
	const parent = query.get("parent_id");
	const position = query.get("position");
	let failure: { readonly error: unknown } | undefined;

	async function* source(): AsyncGenerator<Uint8Array, void, undefined> {
		try {
			yield* file(assertFile);
		} catch (error) {
			failure = { error };
			throw error;
		}
	}

	const options = {
		format: formatIn(query),
		signal,
		...(parent !== null && { parent }),
		...(position !== null && { position: position as "top" }),
	};
	try {
		const { nodes, rootIds, lost } = await begin(source(), options);
		return { report: { nodes, root_ids: rootIds, lost } };
	} catch (error) {
		// If the body failed, its own error has the right status; the outline may have wrapped it.
		throw failure === undefined ? error : failure.error;
	}
}

function formatIn(query: URLSearchParams): ExchangeFormat {
	const format = query.get("format");
	if (format !== null && Object.hasOwn(fileFormats, format)) return format as ExchangeFormat;
	const given = format === null ? "missing" : quoted(format);
	const allowed = Object.keys(fileFormats).join(", ");
	throw new OutlineError("invalid_argument", `format is ${given}. It must be one of ${allowed}.`);
}

function assertFile(contentType: string | null): void {
	if (fileTypes.includes(mediaType(contentType))) return;
	throw unsupportedType(contentType, `Send the file with one of ${fileTypes.join(", ")}.`);
}

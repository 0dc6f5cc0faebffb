import { routedMethods, routes } from "../endpoints/routes.js";
import { bearerKey, unauthorized } from "../server/bearer.js";
import { corsHeaders, isPreflight } from "../server/cors.js";
import { jsonBody } from "../server/json-body.js";
import { fitsIn, jsonPieces, wholeLength } from "../server/json-text.js";
import { type HttpHandlerOptions, type HttpSettings, httpSettings, type ServedOutline } from "../server/options.js";
import { problemOf, statusOf } from "../server/problem.js";
import { createRateLimit } from "../server/rate-limit.js";
import type { HttpRequest } from "../server/request.js";
import { type AuthenticatedRequest, RequestCall } from "../server/request-call.js";
import { type Answer, type AnswerHeaders, answerHeaders, TextBody } from "../server/response.js";
import { asItIs, textStream } from "../server/text-stream.js";
import { decodedId, endpointFor, matchRoute, partsOf } from "./path.js";

/** Answers a request. Never rejects: an error becomes an answer too. */
export type Responder<R> = (request: HttpRequest<R>) => Promise<Answer>;

/**
 * Creates a function that answers the requests of any server.
 *
 * @throws `invalid_argument` for an invalid option
 */
export function createResponder<R>(options: HttpHandlerOptions<R>): Responder<R> {
	const settings = httpSettings(options);
	const limits = {
		exportLimit: createRateLimit(settings.exportsPerMinute, settings.now),
		imageLimit: createRateLimit(settings.syncImagesPerMinute, settings.now, "loaded by a new device"),
	};
	return async (request) => {
		const report = (error: unknown) => void reportError(settings, error, request);
		let found: Answer;
		try {
			found = await answer(request, settings, limits, report);
		} catch (error) {
			if (statusOf(error) >= 500 && !isDeparture(request, error)) report(error);
			const { problem, headers } = problemOf(error);
			found = await jsonAnswer(problem.status, headers, problem, request, report);
		}
		if (settings.cors === false) return found;
		return { ...found, headers: { ...found.headers, ...corsHeaders(settings.cors, request, routedMethods) } };
	};
}

/**
 * Made once, because most answers have these headers, and building them takes longer than many operations.
 */
const jsonHeaders = answerHeaders({ "content-type": "application/json" });

async function answer<R>(
	request: HttpRequest<R>,
	settings: HttpSettings<R>,
	limits: Pick<AuthenticatedRequest, "exportLimit" | "imageLimit">,
	report: (error: unknown) => void,
): Promise<Answer> {
	if (isPreflight(settings.cors, request)) return { status: 204, headers: answerHeaders({}), body: null };
	const { pathname, search } = partsOf(request.url);
	const match = matchRoute(routes, pathname);
	const endpoint = endpointFor(match.route, request.method);
	if (endpoint.kind === "open") return jsonAnswer(200, jsonHeaders, await endpoint.answer(), request, report);
	const apiKey = bearerKey(request);
	const outline = await authenticated(settings, apiKey, request);
	const { maxBodyBytes, bodyTimeout: timeout } = settings;
	const id = decodedId(match);
	const body = endpoint.kind === "json" ? await jsonBody(request, { maxBytes: maxBodyBytes, timeout }) : {};
	const call = new RequestCall(request, settings, { outline, apiKey, id, search, body, ...limits, report });
	const result = await endpoint.handle(call);
	if (!(result instanceof TextBody)) return jsonAnswer(200, jsonHeaders, result, request, report);
	const { body: text, contentType, headers } = result;
	return { status: 200, headers: answerHeaders({ ...headers, "content-type": contentType }), body: text };
}

/** An answer with a value as JSON: one text, or for a long value a stream of pieces made on demand. */
function jsonAnswer(
	status: number,
	headers: AnswerHeaders,
	value: object,
	request: HttpRequest,
	report: (error: unknown) => void,
): Answer | Promise<Answer> {
	if (fitsIn(value, wholeLength)) return { status, headers, body: JSON.stringify(value) };
	const text = textStream(jsonPieces(value), asItIs, request.signal, report);
	return text.then((body) => ({ status, headers, body }));
}

/** Whether an error only means that the client has disconnected. */
function isDeparture({ signal }: HttpRequest, error: unknown): boolean {
	return signal.aborted && error === signal.reason;
}

/** The outline of the key's user. @throws `unauthorized`, and the errors of `authenticate` */
async function authenticated<R>(
	settings: HttpSettings<R>,
	apiKey: string,
	request: HttpRequest<R>,
): Promise<ServedOutline> {
	let outline: ServedOutline | null;
	try {
		outline = await settings.authenticate(apiKey, request.original);
	} catch (error) {
		// Otherwise a `not_found` of the host would look like an error about the node in the path.
		throw statusOf(error) >= 500 ? error : new Error("authenticate failed", { cause: error });
	}
	if (outline == null) throw unauthorized("The API key isn't valid.");
	// The message is for the host's log, so it doesn't repeat a value that may be the key.
	if (typeof outline !== "object") {
		throw new Error(
			`authenticate returned a value of type ${typeof outline}. It must return an Outline, a scope of one, or null.`,
		);
	}
	return outline;
}

/** Never rejects. */
async function reportError<R>(settings: HttpSettings<R>, error: unknown, request: HttpRequest<R>): Promise<void> {
	try {
		await settings.onError(error, request.original);
	} catch {
		// A failing log must not prevent the response.
	}
}

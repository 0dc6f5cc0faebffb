import { bearerKey, unauthorized } from "./bearer.js";
import { jsonBody } from "./body.js";
import { signalOf } from "./body-reader.js";
import { RequestCall } from "./call.js";
import { corsHeaders, isPreflight } from "./cors.js";
import { createExportLimit, type ExportLimit } from "./export-limit.js";
import { type HttpHandlerOptions, type HttpSettings, httpSettings, type ServedOutline } from "./options.js";
import { decodedId, endpointFor, matchRoute, partsOf } from "./path.js";
import { type Answer, problemAnswer, statusOf } from "./problem.js";
import { routedMethods, routes } from "./routes.js";

/**
 * Makes the handler of the interface's twelve endpoints (spec §4), and of those beyond it, for whatever speaks the fetch standard: Node through a
 * server adapter, workers, Deno, Bun. It uses nothing of the runtime but fetch-standard globals.
 *
 * The handler always resolves. It checks, in this order: the path (404), the method (405), the API key (401), the body
 * (413, 415, 400); then it carries the operation out. Success is 200 with JSON; every error is a {@link Problem}.
 *
 * @throws `invalid_argument` for an option that isn't what {@link HttpHandlerOptions} says.
 */
export function createHttpHandler(options: HttpHandlerOptions): (request: Request) => Promise<Response> {
	const settings = httpSettings(options);
	const exportLimit = createExportLimit(settings.exportsPerMinute, settings.now);
	return async (request) => {
		const report = (error: unknown) => reportError(settings, error, request);
		let found: Answer | Response;
		try {
			found = await answer(request, settings, exportLimit, report);
		} catch (error) {
			if (statusOf(error) >= 500 && !isDeparture(error, request)) report(error);
			found = problemAnswer(error);
		}
		const headers = { ...commonHeaders, ...corsHeaders(settings.cors, request, routedMethods) };
		if (found instanceof Response) {
			for (const [name, value] of Object.entries(headers)) found.headers.set(name, value);
			return found;
		}
		// In one go, from plain values: servers write such a response without making headers and a stream of it first.
		return new Response(found.body, { status: found.status, headers: { ...found.headers, ...headers } });
	};
}

const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

async function answer(
	request: Request,
	settings: HttpSettings,
	exportLimit: ExportLimit,
	report: (error: unknown) => void,
): Promise<Answer | Response> {
	if (isPreflight(settings.cors, request)) return { status: 204, headers: {}, body: null };
	const { pathname, search } = partsOf(request.url);
	const match = matchRoute(routes, pathname);
	const endpoint = endpointFor(match.route, request.method);
	if (endpoint.kind === "open") return answerOf(await endpoint.answer());
	const apiKey = bearerKey(request.headers);
	const outline = await authenticated(settings, apiKey, request);
	const { maxBodyBytes, bodyTimeout: timeout } = settings;
	const id = decodedId(match);
	const body = endpoint.kind === "json" ? await jsonBody(request, { maxBytes: maxBodyBytes, timeout }) : {};
	const call = new RequestCall(request, settings, { outline, apiKey, id, search, body, exportLimit, report });
	const result = await endpoint.operation(call);
	return result instanceof Response ? result : answerOf(result);
}

function answerOf(result: object): Answer {
	const body = result instanceof ReadableStream ? result : JSON.stringify(result);
	return { status: 200, headers: { "content-type": "application/json" }, body };
}

/** Whether an error only says that the client has left. */
function isDeparture(error: unknown, request: Request): boolean {
	const signal = signalOf(request);
	return signal.aborted && error === signal.reason;
}

/** The outline of the key's user. @throws `unauthorized`, and what `authenticate` throws */
async function authenticated(settings: HttpSettings, apiKey: string, request: Request): Promise<ServedOutline> {
	let outline: ServedOutline | null;
	try {
		outline = await settings.authenticate(apiKey, request);
	} catch (error) {
		// An error such as `not_found` would otherwise be answered as if it were about the node that was asked for.
		throw statusOf(error) >= 500 ? error : new Error("authenticate failed", { cause: error });
	}
	if (outline == null) throw unauthorized("The API key isn't valid.");
	return outline;
}

function reportError(settings: HttpSettings, error: unknown, request: Request): void {
	try {
		settings.onError(error, request);
	} catch {
		// The response matters more than the log.
	}
}

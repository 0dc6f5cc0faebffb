import { type HttpHandlerOptions, invalid } from "../server/options.js";
import { alreadyRead, type BodyReader, type HttpRequest } from "../server/request.js";
import { createResponder } from "./respond.js";

/**
 * Creates a handler for the endpoints of the interface (spec §4, and further ones). It works in servers that
 * use the fetch standard: workers, Deno, Bun, and frameworks such as Hono. It uses only the globals of that
 * standard. For servers of node:http, {@link createNodeListener} does the same in less time.
 *
 * The handler rejects only if its argument is no `Request` (`invalid_argument`). It checks path (404), method
 * (405), API key (401), id (400) and body (413, 415, 408, 400), in this order. Then it runs the operation.
 * Success is 200 with JSON; each error is a {@link Problem}.
 *
 * @throws `invalid_argument` for an invalid option; see {@link HttpHandlerOptions}
 */
export function createHttpHandler(options: HttpHandlerOptions): (request: Request) => Promise<Response> {
	const answer = createResponder(options);
	return async (request) => {
		if (typeof request?.headers?.get !== "function") {
			throw invalid("The request", request, "a Request. With node:http, use createNodeListener");
		}
		const { status, headers, body } = await answer(new FetchRequest(request));
		// From plain values: servers write such a response without creating headers and a stream first. The
		// headers are copied because some servers add to the object.
		return new Response(body, { status, headers: { ...headers } });
	};
}

/**
 * Reads a standard request. Uses getters because some servers create parts, such as the signal, only on
 * demand.
 */
export class FetchRequest implements HttpRequest<Request> {
	readonly original: Request;

	constructor(original: Request) {
		this.original = original;
	}

	get method(): string {
		return this.original.method;
	}

	get url(): string {
		return this.original.url;
	}

	get signal(): AbortSignal {
		return this.original.signal;
	}

	header(name: string): string | null {
		return this.original.headers.get(name);
	}

	bodyReader(): BodyReader | null {
		if (this.original.bodyUsed) throw alreadyRead();
		return this.original.body === null ? null : this.original.body.getReader();
	}
}

import type { HttpHandlerOptions } from "./options.js";
import { alreadyRead, type BodyReader, type HttpRequest } from "./request.js";
import { createAnswering } from "./respond.js";

/**
 * Makes the handler of the interface's twelve endpoints (spec §4), and of those beyond it, for whatever speaks the fetch
 * standard: workers, Deno, Bun, and frameworks such as Hono. It uses nothing of the runtime but fetch-standard globals. For
 * servers of node:http, {@link createNodeListener} does the same in less time.
 *
 * The handler always resolves. It checks, in this order: the path (404), the method (405), the API key (401), the id in the path
 * (400), the body (413, 415, 408, 400); then it carries the operation out. Success is 200 with JSON; every error is a
 * {@link Problem}.
 *
 * @throws `invalid_argument` for an option that isn't what {@link HttpHandlerOptions} says.
 */
export function createHttpHandler(options: HttpHandlerOptions): (request: Request) => Promise<Response> {
	const answer = createAnswering(options);
	return async (request) => {
		const { status, headers, body } = await answer(new FetchRequest(request));
		// In one go, from plain values: servers write such a response without making headers and a stream of it first. Some add
		// to the object that they are given.
		return new Response(body, { status, headers: { ...headers } });
	};
}

/** A request over a standard one. What servers make only when it is asked for, such as a signal, is passed on in the same way. */
export class FetchRequest implements HttpRequest<Request> {
	constructor(readonly original: Request) {}

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

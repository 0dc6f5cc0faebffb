import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { bodyFromNode } from "outlinekit/http";

/** Lets a handler from `Request` to `Response` answer the requests of a server of `node:http`. */
export function createListener(handler: (request: Request) => Promise<Response>): RequestListener {
	return async (incoming, outgoing) => {
		let request: Request;
		try {
			request = requestOf(incoming, outgoing);
		} catch {
			// Such as `TRACE`, which no Request can be made of.
			outgoing.writeHead(400).end();
			return;
		}
		await send(await handler(request), outgoing);
	};
}

/** A request whose body is read from the message that it came in, and whose signal aborts when the client leaves. */
function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
	const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
		values.map((value): [string, string] => [name, value]),
	);
	const left = new AbortController();
	outgoing.on("close", () => {
		if (!outgoing.writableFinished) left.abort();
	});
	// Only the path of the address matters: whatever the client calls the host can't be relied on.
	const request = new Request(`http://localhost${incoming.url}`, {
		method: incoming.method ?? "GET",
		headers,
		signal: left.signal,
	});
	return bodyFromNode(request, incoming);
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
	outgoing.writeHead(response.status, Object.fromEntries(response.headers));
	if (response.body === null) {
		outgoing.end();
		return;
	}
	// A stream may have nothing to say yet, and its client should know all the same that it has begun.
	outgoing.flushHeaders();
	// Rejects if the client leaves or the body breaks off. By then the connection is closed and the body is cancelled, and what
	// went wrong on this side has been reported to `onError`.
	await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {});
}

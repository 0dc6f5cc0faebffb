import { type HttpHandlerOptions, invalid } from "../server/options.js";
import { alreadyRead, type BodyReader, type HttpRequest, type Piece } from "../server/request.js";
import type { Answer } from "../server/response.js";
import { endOfTurn } from "../server/turns.js";
import { createResponder } from "./respond.js";

/** A request of node:http: the part of an `IncomingMessage` that the listener uses. */
export interface NodeMessage {
	/** The method, such as `GET`. */
	readonly method?: string | undefined;
	/** The address from the path on, unchanged. */
	readonly url?: string | undefined;
	/** The headers by their names in lower case. */
	readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
	/** Whether the server has received the whole request. Over HTTP/2, it is false until the body is read. */
	readonly complete: boolean;
	/** Whether the request broke off before its end was read. */
	readonly readableAborted: boolean;
	/** Whether the body has been read to its end. */
	readonly readableEnded: boolean;
	/** Whether no further data can arrive. */
	readonly destroyed: boolean;
	/** The connection of the request. */
	readonly socket: {
		/** Whether the connection is closed. */
		readonly destroyed: boolean;
		/** Calls a listener when the connection closes. */
		once(event: "close", listener: () => void): unknown;
		/** Stops calling a listener. */
		off(event: "close", listener: () => void): unknown;
	};
	/** Returns all bytes since the last call; null if there are none. */
	read(): unknown;
	/** Discards the rest of the body. */
	resume(): unknown;
	/** Calls a listener when bytes or the end arrive, and when the request breaks off. */
	on(event: "readable" | "end" | "error" | "close", listener: () => void): unknown;
	/** Stops calling a listener. */
	off(event: "readable" | "end" | "error" | "close", listener: () => void): unknown;
}

/** A response of node:http: the part of a `ServerResponse` that the listener uses. */
export interface NodeResponse {
	/** The status to send. */
	statusCode: number;
	/** Whether no further data can be sent. */
	readonly destroyed: boolean;
	/** Whether the headers have been sent. */
	readonly headersSent: boolean;
	/** Whether `end` was called. */
	readonly writableEnded: boolean;
	/** Sets a header to send. */
	setHeader(name: string, value: string): unknown;
	/** Sends the headers before the body. */
	flushHeaders(): void;
	/** Sends a piece of the body. Returns whether the caller may send the next piece at once. */
	write(piece: Uint8Array): boolean;
	/** Sends the rest of the body. */
	end(text?: string): unknown;
	/** Closes the connection before the end of the response. */
	destroy(): unknown;
	/** Calls a listener each time the caller may send more. */
	on(event: "drain", listener: () => void): unknown;
	/** Calls a listener when the response or its connection has ended. */
	once(event: "close", listener: () => void): unknown;
	/** Stops calling a listener. */
	off(event: "drain" | "close", listener: () => void): unknown;
}

/**
 * Creates a listener for the requests of a node:http server, or of a framework on top of it such as Express.
 * It does the same as {@link createHttpHandler} without creating a `Request` and a `Response`, which takes
 * longer than most operations. `authenticate` and `onError` receive the message of node:http.
 *
 * Mount the listener before any body parser, because it reads the body itself. If another reader was first,
 * the answer is 500 and `onError` receives the error. An app that removes a prefix from `url` may mount it
 * anywhere. The listener sends the whole response. Its promise resolves when the response is passed to
 * node:http, and never rejects.
 *
 * @throws `invalid_argument` for an invalid option; see {@link HttpHandlerOptions}
 */
export function createNodeListener<M extends NodeMessage = NodeMessage>(
	options: HttpHandlerOptions<M>,
): (message: M, response: NodeResponse) => Promise<void> {
	const answer = createResponder(options);
	return async (message, response) => {
		if (typeof response?.end !== "function") {
			throw invalid("The response", response, "one of node:http. With a Request, use createHttpHandler");
		}
		const request = new NodeRequest(message, response);
		await endOfTurn();
		await send(await answer(request), response, request);
	};
}

class NodeRequest<M extends NodeMessage> implements HttpRequest<M> {
	readonly original: M;
	readonly #response: NodeResponse;
	#signal: AbortSignal | undefined;

	constructor(original: M, response: NodeResponse) {
		this.original = original;
		this.#response = response;
	}

	get method(): string {
		return this.original.method ?? "";
	}

	get url(): string {
		return this.original.url ?? "";
	}

	get signal(): AbortSignal {
		this.#signal ??= signalOf(this.original, this.#response);
		return this.#signal;
	}

	header(name: string): string | null {
		const value = this.original.headers[name];
		if (value === undefined) return null;
		return typeof value === "string" ? value : value.join(", ");
	}

	bodyReader(): BodyReader {
		const { headers, readableEnded } = this.original;
		const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
		if (hasBody && readableEnded) throw alreadyRead();
		return new NodeReader(this.original);
	}
}

/** Returns a signal that aborts if the connection closes before the end of the response. */
function signalOf({ socket }: NodeMessage, response: NodeResponse): AbortSignal {
	const gone = new AbortController();
	const close = () => {
		// The connection may stay open for further requests.
		socket.off("close", close);
		if (!response.writableEnded) gone.abort();
	};
	if (socket.destroyed || response.destroyed) close();
	// In HTTP/1.1, a response that waits for an earlier one has no event of its own. In HTTP/2, only the
	// response has one.
	socket.once("close", close);
	response.once("close", close);
	return gone.signal;
}

async function send({ status, headers, body }: Answer, response: NodeResponse, request: HttpRequest): Promise<void> {
	// The host may already have sent an answer, for example after its own time limit.
	if (response.headersSent || response.destroyed) {
		if (body instanceof ReadableStream) await body.cancel().catch(() => {});
		return;
	}
	response.statusCode = status;
	for (const name in headers) response.setHeader(name, headers[name]!);
	if (body instanceof ReadableStream) await sendStream(body, response, request.signal);
	else response.end(body ?? undefined);
}

/**
 * Sends pieces as fast as the client accepts them. If the body breaks off, it closes the connection, so that
 * the client knows that the response is incomplete.
 */
async function sendStream(
	body: ReadableStream<Uint8Array>,
	response: NodeResponse,
	signal: AbortSignal,
): Promise<void> {
	const reader = body.getReader();
	let wake = () => {};
	const drained = () => wake();
	const leave = () => {
		reader.cancel().catch(() => {});
		wake();
	};
	// One listener for all pieces, because the middleware `compression` never removes those of `once`.
	response.on("drain", drained);
	signal.addEventListener("abort", leave);
	if (signal.aborted) leave();
	// The first piece may take a while, and the client should learn before that the response has begun.
	response.flushHeaders();
	try {
		for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
			if (response.write(piece.value) || signal.aborted) continue;
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
		response.end();
	} catch {
		// The reason has been reported. The client doesn't get it.
		response.destroy();
	} finally {
		response.off("drain", drained);
		signal.removeEventListener("abort", leave);
	}
}

const end: Piece = { done: true };
const events = ["readable", "end", "error", "close"] as const;

/** Reads the body from its message. Most bodies have already arrived, so they need no wait. */
class NodeReader implements BodyReader {
	readonly #message: NodeMessage;
	/** The number of bytes still to read, which the server enforces; NaN if there is no content length. */
	#left: number;
	#cancelled = false;
	/** Ends the wait of `read` if a piece or the end has arrived. */
	#look = () => {};

	constructor(message: NodeMessage) {
		this.#message = message;
		this.#left = Number(message.headers["content-length"]);
	}

	arrived(): Piece | undefined {
		const message = this.#message;
		if (this.#left === 0) {
			// The event of the end comes after the last byte. This doesn't wait for it, but the server needs it.
			message.resume();
			return end;
		}
		const value = message.read() as Uint8Array | null;
		if (value === null) return message.complete && !message.readableAborted ? end : undefined;
		this.#left -= value.byteLength;
		return { done: false, value };
	}

	read(): Promise<Piece> {
		return new Promise((resolve, reject) => {
			this.#look = () => {
				const piece = this.#cancelled ? end : this.arrived();
				if (piece === undefined && !this.#message.destroyed) return;
				for (const event of events) this.#message.off(event, this.#look);
				this.#look = () => {};
				if (piece === undefined) reject(new Error("The connection was closed."));
				else resolve(piece);
			};
			for (const event of events) this.#message.on(event, this.#look);
			this.#look();
		});
	}

	/** Discards the rest of the body. Otherwise the server wouldn't read the next request of the connection. */
	async cancel(): Promise<void> {
		this.#cancelled = true;
		this.#look();
		if (this.#left !== 0) this.#message.resume();
	}
}

import type { HttpHandlerOptions } from "./options.js";
import { alreadyRead, type BodyReader, type HttpRequest, type Piece } from "./request.js";
import { createAnswering } from "./respond.js";
import type { Answer } from "./response.js";

/** A request as node:http has received it: what is needed of an `IncomingMessage`. */
export interface NodeMessage {
	/** Such as `GET`. */
	readonly method?: string | undefined;
	/** The address as it stands in the request, from its path on. */
	readonly url?: string | undefined;
	/** The headers by their names in lower case. */
	readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
	/** Whether all of it has been received. Over HTTP/2, that is known only when it has been read. */
	readonly complete: boolean;
	/** Whether it broke off before its end was read. */
	readonly readableAborted: boolean;
	/** Whether somebody has read it to its end. */
	readonly readableEnded: boolean;
	/** Whether nothing more comes. */
	readonly destroyed: boolean;
	/** The connection that it comes through. */
	readonly socket: {
		/** Whether it is closed. */
		readonly destroyed: boolean;
		/** Calls a listener when it is closed. */
		once(event: "close", listener: () => void): unknown;
		/** Stops calling a listener. */
		off(event: "close", listener: () => void): unknown;
	};
	/** All bytes that have come since the last time; null if none have. */
	read(): unknown;
	/** Drops what is still to come. */
	resume(): unknown;
	/** Calls a listener when there are bytes, or the end, and when it breaks off. */
	on(event: "readable" | "end" | "error" | "close", listener: () => void): unknown;
	/** Stops calling a listener. */
	off(event: "readable" | "end" | "error" | "close", listener: () => void): unknown;
}

/** What node:http sends for a request: what is needed of a `ServerResponse`. */
export interface NodeResponse {
	/** The status to be sent. */
	statusCode: number;
	/** Whether nothing more can be sent. */
	readonly destroyed: boolean;
	/** Whether the headers have been sent. */
	readonly headersSent: boolean;
	/** Whether all of it has been handed over. */
	readonly writableEnded: boolean;
	/** Sets a header to be sent. */
	setHeader(name: string, value: string): unknown;
	/** Sends the headers before there is anything of the body. */
	flushHeaders(): void;
	/** Sends a piece of the body. Returns whether more can be taken at once. */
	write(piece: Uint8Array): boolean;
	/** Sends the rest of the body. */
	end(text?: string): unknown;
	/** Closes the connection in the middle. */
	destroy(): unknown;
	/** Calls a listener when more can be taken, and when the response or its connection has ended. */
	once(event: "drain" | "close", listener: () => void): unknown;
	/** Stops calling a listener. */
	off(event: "drain" | "close", listener: () => void): unknown;
}

/**
 * Makes a listener for the requests of a server of node:http, and for apps that hand such requests on (Express): what
 * {@link createHttpHandler} does, without a `Request` and a `Response` for each, which take longer than most operations.
 * `authenticate` and `onError` are handed the message of node:http.
 *
 * The body is read from the message: mount the listener before any body parser. A request whose body has been read before is a
 * 500, of which `onError` is told. An app that strips a prefix from `url` may mount
 * it anywhere. The listener sends the whole response; its promise resolves when that is handed over, and never rejects.
 *
 * @throws `invalid_argument` for an option that isn't what {@link HttpHandlerOptions} says.
 */
export function createNodeListener<M extends NodeMessage = NodeMessage>(
	options: HttpHandlerOptions<M>,
): (message: M, response: NodeResponse) => Promise<void> {
	const answer = createAnswering(options);
	return async (message, response) => {
		const request = new NodeRequest(message, response);
		await send(await answer(request), response, request);
	};
}

class NodeRequest<M extends NodeMessage> implements HttpRequest<M> {
	readonly #response: NodeResponse;
	#signal: AbortSignal | undefined;

	constructor(
		readonly original: M,
		response: NodeResponse,
	) {
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

/** Aborts when a connection closes before the response has been handed over. */
function signalOf({ socket }: NodeMessage, response: NodeResponse): AbortSignal {
	const gone = new AbortController();
	const close = () => {
		// The connection may stay open for others.
		socket.off("close", close);
		if (!response.writableEnded) gone.abort();
	};
	if (socket.destroyed || response.destroyed) close();
	// A response that waits for the one before it doesn't hear that they won't be sent any more. In HTTP/2, it alone does.
	socket.once("close", close);
	response.once("close", close);
	return gone.signal;
}

async function send({ status, headers, body }: Answer, response: NodeResponse, request: HttpRequest): Promise<void> {
	// The host may have answered in the meantime, such as after a time limit of its own.
	if (response.headersSent || response.destroyed) {
		if (body instanceof ReadableStream) await body.cancel().catch(() => {});
		return;
	}
	response.statusCode = status;
	for (const name in headers) response.setHeader(name, headers[name]!);
	if (body instanceof ReadableStream) await sendStream(body, response, request.signal);
	else response.end(body ?? undefined);
}

/** Sends pieces as fast as they are taken. One that breaks off closes the connection, so that nobody takes it for whole. */
async function sendStream(
	body: ReadableStream<Uint8Array>,
	response: NodeResponse,
	signal: AbortSignal,
): Promise<void> {
	const reader = body.getReader();
	let wake = () => {};
	const leave = () => {
		reader.cancel().catch(() => {});
		wake();
	};
	signal.addEventListener("abort", leave);
	if (signal.aborted) leave();
	// There may be nothing to send for a while, and the client should know all the same that it has begun.
	response.flushHeaders();
	try {
		for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
			if (response.write(piece.value) || signal.aborted) continue;
			await new Promise<void>((resolve) => {
				wake = resolve;
				response.once("drain", resolve);
			});
			response.off("drain", wake);
		}
		response.end();
	} catch {
		// Why has been reported, and is none of the client's business.
		response.destroy();
	} finally {
		signal.removeEventListener("abort", leave);
	}
}

const end: Piece = { done: true };
const events = ["readable", "end", "error", "close"] as const;

/** Reads the body from its message. Most bodies are there when they are asked for, and take no waiting at all. */
class NodeReader implements BodyReader {
	readonly #message: NodeMessage;
	/** How many bytes are still to come, which the server sees to; NaN if that isn't known beforehand. */
	#left: number;
	#cancelled = false;
	/** Looks whether what is being waited for has come. */
	#look = () => {};

	constructor(message: NodeMessage) {
		this.#message = message;
		this.#left = Number(message.headers["content-length"]);
	}

	arrived(): Piece | undefined {
		const message = this.#message;
		if (this.#left === 0) {
			// The end of a message comes behind its last byte, and isn't waited for. The server wants to see it too.
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

	/** What is still to come of the body is dropped: as long as it waits, no further request of the connection is read. */
	async cancel(): Promise<void> {
		this.#cancelled = true;
		this.#look();
		if (this.#left !== 0) this.#message.resume();
	}
}

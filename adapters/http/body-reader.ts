/** A piece of a body, or that there are no more. */
export type Piece = { readonly done: false; readonly value: Uint8Array } | { readonly done: true };

/** Reads a body piece by piece. */
export interface BodyReader {
	/** The next piece, once it is there. @throws why the body broke off */
	read(): Promise<Piece>;
	/** Ends the read that is under way, and holds nothing any more. */
	cancel(reason?: unknown): Promise<void>;
	/** The next piece if it is there already. Absent where that can't be told. */
	arrived?(): Piece | undefined;
}

/** A request's message as node:http has received it: what is needed of an `IncomingMessage`. */
export interface NodeMessage {
	/** The request's, in lower case. */
	readonly headers: {
		/** How many bytes the body has; undefined if that isn't known beforehand. */
		readonly "content-length"?: string | undefined;
	};
	/** Whether all of it has been received. */
	readonly complete: boolean;
	/** Whether it broke off before its end was read. */
	readonly readableAborted: boolean;
	/** Whether nothing more comes. */
	readonly destroyed: boolean;
	/** The connection that it comes through. */
	readonly socket: {
		/** Whether it is closed. */
		readonly destroyed: boolean;
		/** Calls a listener when it is closed. */
		once(event: "close", listener: () => void): unknown;
	};
	/** All bytes that have come since the last time; null if none have. */
	read(): unknown;
	/** Drops what is still to come. */
	resume(): unknown;
	/** Calls a listener when there are bytes, or the end, and when it breaks off. */
	on(event: "readable" | "error" | "close", listener: () => void): unknown;
	/** Stops calling a listener. */
	off(event: "readable" | "error" | "close", listener: () => void): unknown;
}

/** Where a request keeps its message: a map beside the requests would cost as much as reading most bodies. */
const message = Symbol("message");

type Marked = Request & { [message]?: NodeMessage };

/**
 * Has the handler read the body of a request from the message that a server of node:http received it in, which takes a
 * fraction of the time that a stream over it takes: most bodies are there by then. Nobody else may read the message, neither
 * before nor meanwhile; server adapters do so once they are asked for the request's `body` or `signal`.
 *
 * @returns the request
 */
export function bodyFromNode(request: Request, from: NodeMessage): Request {
	(request as Marked)[message] = from;
	return request;
}

/** A reader of the body of a request; null if it has none. */
export function bodyReader(request: Request): BodyReader | null {
	const from = (request as Marked)[message];
	if (from !== undefined) return new NodeReader(from);
	return request.body === null ? null : request.body.getReader();
}

/** The signals of connections that somebody has asked for. */
const signals = new WeakMap<NodeMessage["socket"], AbortSignal>();

/**
 * Aborts when the client of a request is gone. Where the message is at hand, its connection tells that: a server adapter may
 * make the request's own signal along with a stream of the body, which takes pieces of it away from the {@link NodeReader}.
 */
export function signalOf(request: Request): AbortSignal {
	const socket = (request as Marked)[message]?.socket;
	if (socket === undefined) return request.signal;
	let signal = signals.get(socket);
	if (signal === undefined) {
		const gone = new AbortController();
		if (socket.destroyed) gone.abort();
		else socket.once("close", () => gone.abort());
		signal = gone.signal;
		signals.set(socket, signal);
	}
	return signal;
}

const end: Piece = { done: true };
const events = ["readable", "error", "close"] as const;

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

	/** What of the body is still to come is for the server to drop. */
	async cancel(): Promise<void> {
		this.#cancelled = true;
		this.#look();
	}
}

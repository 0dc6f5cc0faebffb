/** A request, independent of the server that received it. */
export interface HttpRequest<R = unknown> {
	/** The server's own request, which the host's functions receive. */
	readonly original: R;
	readonly method: string;
	/** The whole address, or the address from the path on. */
	readonly url: string;
	/** Aborts when the client disconnects. */
	readonly signal: AbortSignal;
	/** Returns a header by its name in lower case; `null` if it is absent. */
	header(name: string): string | null;
	/**
	 * Returns the only reader of the body; `null` without a body.
	 *
	 * @throws Error if the body has been read before
	 */
	bodyReader(): BodyReader | null;
}

/** A piece of a body, or its end. */
export type Piece = { readonly done: false; readonly value: Uint8Array } | { readonly done: true };

/** Reads a body piece by piece. */
export interface BodyReader {
	/** Waits for the next piece. Rejects if the body breaks off. */
	read(): Promise<Piece>;
	/** Ends the current read and releases the body. */
	cancel(reason?: unknown): Promise<void>;
	/** Returns the next piece if it has already arrived. Absent if the server can't know that. */
	arrived?(): Piece | undefined;
}

/** The error if another reader was first. Without it, the request would seem to have no body. */
export function alreadyRead(): Error {
	return new Error("The body of this request has been read before. Mount the handler before body parsers.");
}

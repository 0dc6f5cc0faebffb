/** A request as the endpoints see it, whatever server it came through. */
export interface HttpRequest<R = unknown> {
	/** What the host's functions are handed. */
	readonly original: R;
	readonly method: string;
	/** The address, whole or from its path on. */
	readonly url: string;
	/** Aborts when the client is gone. */
	readonly signal: AbortSignal;
	/** A header by its name in lower case; `null` if there is none. */
	header(name: string): string | null;
	/** A reader of the body, of which there is to be one; `null` if it has none. @throws Error if somebody has read it before */
	bodyReader(): BodyReader | null;
}

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

/** The host's mistake when somebody has read a body before us: without it, the request would be taken for one without a body. */
export function alreadyRead(): Error {
	return new Error("The body of this request has been read before. Mount the handler before body parsers.");
}

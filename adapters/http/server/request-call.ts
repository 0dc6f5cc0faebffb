import { bodyPieces } from "./body-reader.js";
import type { JsonObject } from "./json-body.js";
import type { HttpSettings, ServedOutline } from "./options.js";
import type { RateLimit } from "./rate-limit.js";
import type { HttpRequest } from "./request.js";

/** An authenticated request, as operations read it. */
export interface AuthenticatedRequest {
	readonly outline: ServedOutline;
	readonly apiKey: string;
	/** The decoded segment at `:id` in the path; empty if the route has no `:id`. */
	readonly id: string;
	readonly query: URLSearchParams;
	/** Returns a header by its name in lower case; `null` if it is absent. */
	readonly header: HttpRequest["header"];
	/** The JSON body; empty if the endpoint has none. */
	readonly body: JsonObject;
	/**
	 * Reads the body as a file in pieces, and decompresses it. `assertType` throws for a content type that the
	 * endpoint doesn't accept. `maxBytes` is the most bytes; by default the limit of an import.
	 */
	readonly file: (assertType: (contentType: string | null) => void, maxBytes?: number) => AsyncIterable<Uint8Array>;
	/** The most bytes of a push of sync. */
	readonly maxSyncBytes: number;
	/** Aborts when the client disconnects. */
	readonly signal: AbortSignal;
	/** Aborts when the server begins to stop. */
	readonly stopping: AbortSignal;
	readonly exportLimit: RateLimit;
	/** The limit for images of sync. */
	readonly imageLimit: RateLimit;
	/**
	 * Asks the host again whether the key is valid. It isn't if it opened the whole outline and now opens only a part.
	 * Rejects with the error of the host.
	 */
	isAccepted(): Promise<boolean>;
	/** Passes an error to the host that occurs too late for the response. */
	readonly report: (error: unknown) => void;
}

/** The settings that operations need. */
type Settings<R> = Pick<HttpSettings<R>, "authenticate" | "maxImportBytes" | "maxSyncBytes" | "bodyTimeout" | "signal">;

/** The parts of a call that the server has read before the operation begins. */
type Known = Pick<
	AuthenticatedRequest,
	"outline" | "apiKey" | "id" | "body" | "exportLimit" | "imageLimit" | "report"
> & {
	readonly search: string;
};

/**
 * A call of a request. Uses getters because servers create some parts, such as the signal, only on demand.
 */
export class RequestCall<R> implements AuthenticatedRequest {
	readonly outline: ServedOutline;
	readonly apiKey: string;
	readonly id: string;
	readonly body: JsonObject;
	readonly exportLimit: RateLimit;
	readonly imageLimit: RateLimit;
	readonly report: (error: unknown) => void;
	readonly #request: HttpRequest<R>;
	readonly #settings: Settings<R>;
	readonly #search: string;

	constructor(request: HttpRequest<R>, settings: Settings<R>, known: Known) {
		this.outline = known.outline;
		this.apiKey = known.apiKey;
		this.id = known.id;
		this.body = known.body;
		this.exportLimit = known.exportLimit;
		this.imageLimit = known.imageLimit;
		this.report = known.report;
		this.#request = request;
		this.#settings = settings;
		this.#search = known.search;
	}

	get query(): URLSearchParams {
		return new URLSearchParams(this.#search);
	}

	get header(): AuthenticatedRequest["header"] {
		return (name) => this.#request.header(name);
	}

	get signal(): AbortSignal {
		return this.#request.signal;
	}

	get stopping(): AbortSignal {
		return this.#settings.signal;
	}

	get file(): AuthenticatedRequest["file"] {
		const { maxImportBytes, bodyTimeout: timeout } = this.#settings;
		return (assertType, maxBytes = maxImportBytes) =>
			bodyPieces(this.#request, { maxBytes, timeout, timed: "pieces", assertType });
	}

	get maxSyncBytes(): number {
		return this.#settings.maxSyncBytes;
	}

	async isAccepted(): Promise<boolean> {
		const opened = await this.#settings.authenticate(this.apiKey, this.#request.original);
		// Only a whole outline has a feed of changes.
		return opened != null && (opened.changes != null || this.outline.changes == null);
	}
}

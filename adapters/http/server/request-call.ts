import { upload } from "./body-reader.js";
import type { ExportLimit } from "./export-limit.js";
import type { JsonObject } from "./json-body.js";
import type { HttpSettings, ServedOutline } from "./options.js";
import type { HttpRequest } from "./request.js";

/** A request that has been let in, as an operation sees it. */
export interface Call {
	readonly outline: ServedOutline;
	readonly apiKey: string;
	/** What stands for `:id` in the path, decoded; empty where the path has none. */
	readonly id: string;
	readonly query: URLSearchParams;
	/** A header by its name in lower case. */
	readonly header: HttpRequest["header"];
	/** Empty where the endpoint takes no JSON. */
	readonly body: JsonObject;
	/** The body as it comes in, of a type that `assertType` doesn't throw for. */
	readonly file: (assertType: (contentType: string | null) => void) => AsyncIterable<Uint8Array>;
	/** Aborts when the client is gone. */
	readonly signal: AbortSignal;
	readonly exportLimit: ExportLimit;
	/** Takes an error that comes too late for the response. */
	readonly report: (error: unknown) => void;
}

/** How much of a file is taken, and how slowly. */
type Bounds = Pick<HttpSettings, "maxImportBytes" | "bodyTimeout">;

/** What is known of a call when its operation begins. */
type Known = Pick<Call, "outline" | "apiKey" | "id" | "body" | "exportLimit" | "report"> & {
	readonly search: string;
};

/** A call over a request. What servers make only when it is asked for, such as a signal, is asked for by whom it concerns. */
export class RequestCall implements Call {
	readonly outline: ServedOutline;
	readonly apiKey: string;
	readonly id: string;
	readonly body: JsonObject;
	readonly exportLimit: ExportLimit;
	readonly report: (error: unknown) => void;
	readonly #request: HttpRequest;
	readonly #settings: Bounds;
	readonly #search: string;

	constructor(request: HttpRequest, settings: Bounds, known: Known) {
		this.outline = known.outline;
		this.apiKey = known.apiKey;
		this.id = known.id;
		this.body = known.body;
		this.exportLimit = known.exportLimit;
		this.report = known.report;
		this.#request = request;
		this.#settings = settings;
		this.#search = known.search;
	}

	get query(): URLSearchParams {
		return new URLSearchParams(this.#search);
	}

	get header(): Call["header"] {
		return (name) => this.#request.header(name);
	}

	get signal(): AbortSignal {
		return this.#request.signal;
	}

	get file(): Call["file"] {
		const { maxImportBytes: maxBytes, bodyTimeout: timeout } = this.#settings;
		return (assertType) => upload(this.#request, { maxBytes, timeout, timed: "pieces", assertType });
	}
}

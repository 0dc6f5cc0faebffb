import type { JsonObject } from "./body.js";
import type { ExportLimit } from "./export-limit.js";
import type { ServedOutline } from "./options.js";

/** A request that has been let in, as an operation sees it. */
export interface Call {
	readonly outline: ServedOutline;
	readonly apiKey: string;
	/** What stands for `:id` in the path, decoded; empty where the path has none. */
	readonly id: string;
	readonly query: URLSearchParams;
	readonly headers: Headers;
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

import { OutlineError, quoted } from "../../../src/errors.js";
import { fieldNames, fieldsOf } from "../../../src/fields.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { Outline } from "../../../src/outline.js";
import type { SearchHit, SearchInput } from "../../../src/read/search/options.js";
import { type CorsOptions, originProblem } from "./cors.js";
import { refusal } from "./problem.js";

/**
 * The methods that the endpoints of spec §4 need.
 *
 * @inline
 */
type Needed =
	| "create"
	| "update"
	| "get"
	| "list"
	| "delete"
	| "move"
	| "mirror"
	| "removeMirror"
	| "complete"
	| "uncomplete"
	| "export"
	| "targets";

/**
 * The optional methods. If the outline lacks one, its endpoints answer `not_found`.
 *
 * @inline
 */
type Further =
	| Exclude<BatchOperation["type"], Needed>
	| "batch"
	| "plan"
	| "walk"
	| "tags"
	| "backlinks"
	| "changes"
	| "subscribe"
	| "exportAs"
	| "import"
	| "sync"
	| "syncImage";

/**
 * The part of an outline that the handler uses: an `Outline`, a scope, or an object of the host with these
 * methods.
 */
export type ServedOutline = Pick<Outline, Needed> &
	Partial<Pick<Outline, Further>> & {
		/** As `outline.search`. The types of its hits don't depend on the options here. */
		search?(query: string, input?: SearchInput): Promise<SearchHit[]>;
	};

/**
 * Returns an optional method of an outline, bound to it.
 *
 * @throws `not_found` if the outline lacks the method
 */
export function offered<M extends Further | "search">(
	outline: ServedOutline,
	member: M,
): NonNullable<ServedOutline[M]> {
	const found = outline[member];
	if (found == null)
		throw refusal(
			"not_found",
			"The outline of this API key has no such endpoint. A key for a part of an outline has fewer endpoints than a key for all of it.",
		);
	return (typeof found === "function" ? found.bind(outline) : found) as NonNullable<ServedOutline[M]>;
}

/** The options of {@link createHttpHandler} and {@link createNodeListener}. */
export interface HttpHandlerOptions<R = Request> {
	/**
	 * Returns the outline of an API key's user, or `null` for an unknown key (401). The handler calls it once
	 * for each request with a key and a known path. For an open change stream it calls it again before it
	 * tells a change, at most every ten seconds; `null` ends the stream, and so does a scope if the key opened the
	 * whole outline before. It may read the request, but not the body. If it throws, or returns anything else, the
	 * answer is 500, or the status of an `OutlineError` from 500, such as 503 for `storage_unavailable`. The handler
	 * waits for its promise without a limit. Spec §5.
	 */
	readonly authenticate: (apiKey: string, request: R) => ServedOutline | null | Promise<ServedOutline | null>;
	/** The most exports of one user within 60 seconds, from 1; `Infinity` for no limit. Default 1. Spec §8. */
	readonly exportsPerMinute?: number | undefined;
	/** The largest JSON body in bytes, from 1. A longer one is answered with 413. Default 1,048,576. */
	readonly maxBodyBytes?: number | undefined;
	/**
	 * The largest file of an import in bytes, from 1. A longer one is answered with 413. Default 16,777,216.
	 */
	readonly maxImportBytes?: number | undefined;
	/**
	 * The largest push of sync in bytes, before and after it is decompressed, from 1. A longer one is answered with
	 * 413. A change in one commit can't be split, so the limit should have room for the largest import and for the
	 * first sync of an existing outline: some 300 bytes a node. Default 67,108,864.
	 */
	readonly maxSyncBytes?: number | undefined;
	/**
	 * The most images of sync of one user within 60 seconds, from 1; `Infinity` for no limit. A device loads one
	 * when it first synchronizes. Default 600.
	 */
	readonly syncImagesPerMinute?: number | undefined;
	/**
	 * The longest wait for a whole JSON body, or for the next piece of a file or push, in milliseconds, 1 to
	 * 2,147,483,647. A slower body is answered with 408. Default 30,000.
	 */
	readonly bodyTimeout?: number | undefined;
	/** The origins whose pages may call the interface from a browser; `false` for none. Default `false`. */
	readonly cors?: false | CorsOptions | undefined;
	/**
	 * Returns the time for the export limit, in milliseconds. The clock may be set back. Default `Date.now`.
	 */
	readonly now?: (() => number) | undefined;
	/**
	 * Receives each error that was answered with a status from 500, and each error that broke a response off.
	 * The host can log it; the client doesn't see its message. The departure of a client is no error. The
	 * handler ignores errors that this function throws, also as a promise. Default `console.error`.
	 */
	readonly onError?: ((error: unknown, request: R) => void) | undefined;
	/**
	 * Ends the change streams when it aborts, so that the server can stop: they have no end of their own. Other
	 * requests go on. Default: the streams stay open.
	 */
	readonly signal?: AbortSignal | undefined;
}

/** With a longer time, the timers of all runtimes call back at once. */
const longestTimeout = 2 ** 31 - 1;

const optionNames = fieldNames<HttpHandlerOptions>({
	authenticate: true,
	exportsPerMinute: true,
	maxBodyBytes: true,
	maxImportBytes: true,
	maxSyncBytes: true,
	syncImagesPerMinute: true,
	bodyTimeout: true,
	cors: true,
	now: true,
	onError: true,
	signal: true,
});

/** The checked options, with defaults. */
export type HttpSettings<R = unknown> = {
	readonly [Option in keyof HttpHandlerOptions<R>]-?: Exclude<HttpHandlerOptions<R>[Option], undefined>;
};

/** Checks the options and adds defaults. @throws `invalid_argument` for an invalid option */
export function httpSettings<R>(options: HttpHandlerOptions<R>): HttpSettings<R> {
	if (typeof options !== "object" || options === null) {
		throw invalid("The options", options, "an object with at least `authenticate`");
	}
	if ("list" in options) {
		throw new OutlineError(
			"invalid_argument",
			"The options are an outline. Give a function that returns the outline of an API key, as in { authenticate: (key) => outline }.",
		);
	}
	fieldsOf("The handler", options, optionNames);
	const { authenticate, exportsPerMinute = 1, maxBodyBytes = 1_048_576, cors = false } = options;
	const { maxSyncBytes = 67_108_864, syncImagesPerMinute = 600 } = options;
	const { maxImportBytes = 16_777_216, bodyTimeout = 30_000 } = options;
	const { now = Date.now, onError = (error: unknown) => console.error(error) } = options;
	const { signal = new AbortController().signal } = options;
	if (typeof authenticate !== "function") throw invalid("authenticate", authenticate, "a function");
	for (const [name, value] of Object.entries({ exportsPerMinute, syncImagesPerMinute })) {
		if (isCount(value) || value === Number.POSITIVE_INFINITY) continue;
		throw invalid(name, value, "an integer from 1, or Infinity for no limit");
	}
	if (!isCount(maxBodyBytes)) throw invalid("maxBodyBytes", maxBodyBytes, "an integer from 1");
	if (!isCount(maxImportBytes)) throw invalid("maxImportBytes", maxImportBytes, "an integer from 1");
	if (!isCount(maxSyncBytes)) throw invalid("maxSyncBytes", maxSyncBytes, "an integer from 1");
	if (!isCount(bodyTimeout) || bodyTimeout > longestTimeout) {
		throw invalid("bodyTimeout", bodyTimeout, "milliseconds, an integer from 1 to 2,147,483,647");
	}
	if (typeof now !== "function") throw invalid("now", now, "a function");
	if (typeof onError !== "function") throw invalid("onError", onError, "a function");
	// Structural, because that of another realm, such as a test environment, is no instance of this one's class.
	if (typeof (signal as AbortSignal | null)?.aborted !== "boolean") throw invalid("signal", signal, "an AbortSignal");
	const limits = { exportsPerMinute, maxBodyBytes, maxImportBytes, maxSyncBytes, syncImagesPerMinute, bodyTimeout };
	return { authenticate, ...limits, cors: corsSetting(cors), now, onError, signal };
}

function corsSetting(cors: false | CorsOptions): false | CorsOptions {
	if (cors === false) return false;
	if (typeof cors !== "object" || cors === null || !Array.isArray(cors.origins)) {
		throw invalid("cors", cors, "false, or { origins } with an array of origins");
	}
	fieldsOf("cors", cors, ["origins"]);
	for (const origin of cors.origins) {
		const problem = originProblem(origin);
		if (problem !== undefined) throw new OutlineError("invalid_argument", problem);
	}
	return { origins: [...cors.origins] };
}

function isCount(value: unknown): boolean {
	return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Returns the error of a value that isn't allowed. */
export function invalid(name: string, value: unknown, allowed: string): OutlineError {
	const [verb, pronoun] = name === "The options" ? ["are", "They"] : ["is", "It"];
	return new OutlineError("invalid_argument", `${name} ${verb} ${quoted(value)}. ${pronoun} must be ${allowed}.`);
}

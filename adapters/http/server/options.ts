import { OutlineError, quoted } from "../../../src/errors.js";
import { fieldNames, fieldsOf } from "../../../src/fields.js";
import type { OperationName } from "../../../src/operations/description.js";
import type { Outline } from "../../../src/outline.js";
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
 * The methods that an outline may have besides. Without a method, its endpoints don't exist.
 *
 * @inline
 */
type Further =
	| Exclude<OperationName, Needed>
	| "batch"
	| "plan"
	| "walk"
	| "search"
	| "tags"
	| "backlinks"
	| "changes"
	| "subscribe"
	| "exportAs"
	| "import";

/** The part of an outline that the handler uses: an `Outline`, or an object of the host that wraps one. */
export type ServedOutline = Pick<Outline, Needed> & Partial<Pick<Outline, Further>>;

/** Returns a method that an outline may have. @throws `not_found` if the outline doesn't have it */
export function offered<M extends Further>(outline: ServedOutline, member: M): NonNullable<ServedOutline[M]> {
	const found = outline[member];
	if (found == null) throw refusal("not_found", "There is no such endpoint for this outline.");
	return (typeof found === "function" ? found.bind(outline) : found) as NonNullable<ServedOutline[M]>;
}

/** What {@link createHttpHandler} takes. */
export interface HttpHandlerOptions<R = Request> {
	/**
	 * The outline of the user that an API key belongs to, or `null` for a key that nobody has: 401. It is called once for
	 * each request that names an endpoint and carries a key; it may read the request, but not its body. What it throws is
	 * answered with 500, or 503 where the error says that a storage is out of reach. Spec §5.
	 */
	readonly authenticate: (apiKey: string, request: R) => ServedOutline | null | Promise<ServedOutline | null>;
	/** Exports that one user may begin within 60 seconds, from 1; `Infinity` for no limit. Default 1. Spec §8. */
	readonly exportsPerMinute?: number | undefined;
	/** The largest JSON body of a request in bytes, from 1; a longer one is 413. Default 1,048,576. */
	readonly maxBodyBytes?: number | undefined;
	/** The largest file that can be imported in bytes, from 1; a longer one is 413. Default 16,777,216. */
	readonly maxImportBytes?: number | undefined;
	/**
	 * How long a body is waited for, in milliseconds, 1 to 2,147,483,647: a JSON body as a whole, a file from one piece to the
	 * next. What takes longer is 408. Default 30,000.
	 */
	readonly bodyTimeout?: number | undefined;
	/** The origins whose pages may call the interface from a browser; `false` for those of no other origin. Default `false`. */
	readonly cors?: false | CorsOptions | undefined;
	/** The clock of the export limit, in milliseconds. It may be set back. Default `Date.now`. */
	readonly now?: (() => number) | undefined;
	/**
	 * Hears of every error that was answered with a status from 500, and of every error that broke an export off, so that a
	 * host can log what the client isn't told. That a client has left is no error. What it throws is dropped. Default
	 * `console.error`.
	 */
	readonly onError?: ((error: unknown, request: R) => void) | undefined;
}

/** Timers of every runtime take a longer time for none at all. */
const longestTimeout = 2 ** 31 - 1;

const optionNames = fieldNames<HttpHandlerOptions>({
	authenticate: true,
	exportsPerMinute: true,
	maxBodyBytes: true,
	maxImportBytes: true,
	bodyTimeout: true,
	cors: true,
	now: true,
	onError: true,
});

/** The options, checked, with the defaults filled in. */
export type HttpSettings<R = unknown> = {
	readonly [Option in keyof HttpHandlerOptions<R>]-?: Exclude<HttpHandlerOptions<R>[Option], undefined>;
};

/** @throws `invalid_argument` for an option that isn't what {@link HttpHandlerOptions} says. */
export function httpSettings<R>(options: HttpHandlerOptions<R>): HttpSettings<R> {
	if (typeof options !== "object" || options === null) {
		throw invalid("The options", options, "an object with at least `authenticate`");
	}
	fieldsOf("The handler", options, optionNames);
	const { authenticate, exportsPerMinute = 1, maxBodyBytes = 1_048_576, cors = false } = options;
	const { maxImportBytes = 16_777_216, bodyTimeout = 30_000 } = options;
	const { now = Date.now, onError = (error: unknown) => console.error(error) } = options;
	if (typeof authenticate !== "function") throw invalid("authenticate", authenticate, "a function");
	if (!isCount(exportsPerMinute) && exportsPerMinute !== Number.POSITIVE_INFINITY) {
		throw invalid("exportsPerMinute", exportsPerMinute, "an integer from 1, or Infinity for no limit");
	}
	if (!isCount(maxBodyBytes)) throw invalid("maxBodyBytes", maxBodyBytes, "an integer from 1");
	if (!isCount(maxImportBytes)) throw invalid("maxImportBytes", maxImportBytes, "an integer from 1");
	if (!isCount(bodyTimeout) || bodyTimeout > longestTimeout) {
		throw invalid("bodyTimeout", bodyTimeout, "milliseconds, an integer from 1 to 2,147,483,647");
	}
	if (typeof now !== "function") throw invalid("now", now, "a function");
	if (typeof onError !== "function") throw invalid("onError", onError, "a function");
	const limits = { exportsPerMinute, maxBodyBytes, maxImportBytes, bodyTimeout };
	return { authenticate, ...limits, cors: corsSetting(cors), now, onError };
}

function corsSetting(cors: false | CorsOptions): false | CorsOptions {
	if (cors === false) return false;
	if (typeof cors !== "object" || cors === null || !Array.isArray(cors.origins)) {
		throw invalid("cors", cors, "false, or an object whose `origins` is an array of origins");
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

function invalid(name: string, value: unknown, allowed: string): OutlineError {
	const [verb, pronoun] = name === "The options" ? ["are", "They"] : ["is", "It"];
	return new OutlineError("invalid_argument", `${name} ${verb} ${quoted(value)}. ${pronoun} must be ${allowed}.`);
}

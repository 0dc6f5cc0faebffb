import { quoted } from "../../../src/errors.js";
import type { HttpRequest } from "./request.js";

/** Which pages of other origins may call the interface from a browser. */
export interface CorsOptions {
	/**
	 * Origins as browsers send them (`https://example.org`, `http://localhost:5173`, `capacitor://localhost`): scheme, host
	 * and a port that isn't the default one, without a slash at the end. `*` lets pages of every origin in. Cookies are
	 * never asked for or accepted: the API key is the only credential.
	 */
	readonly origins: readonly string[];
}

const preflightSeconds = 7200;
const allowedHeaders = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID";
const exposedHeaders = "Allow, Content-Disposition, Retry-After, WWW-Authenticate";

/** The headers that a response to this request carries so that the browser hands it to the page that asked. */
export function corsHeaders(
	cors: CorsOptions,
	request: HttpRequest,
	methods: readonly string[],
): Record<string, string> {
	const everyOrigin = cors.origins.includes("*");
	const origin = request.header("origin");
	const varying: Record<string, string> = everyOrigin ? {} : { vary: "Origin" };
	if (origin === null || !(everyOrigin || cors.origins.includes(origin))) return varying;
	const allowing = { ...varying, "access-control-allow-origin": everyOrigin ? "*" : origin };
	if (!isPreflight(cors, request)) {
		return { ...allowing, "access-control-expose-headers": exposedHeaders };
	}
	return {
		...allowing,
		"access-control-allow-methods": methods.join(", "),
		"access-control-allow-headers": allowedHeaders,
		"access-control-max-age": String(preflightSeconds),
	};
}

/**
 * Whether a request only asks what may be asked. It is answered whatever its path is: otherwise the page would see a
 * failure of the network where the request itself gets a 404 that it can read.
 */
export function isPreflight(cors: false | CorsOptions, request: HttpRequest): boolean {
	return cors !== false && request.method === "OPTIONS";
}

/** What is wrong with an entry of {@link CorsOptions.origins}, as a sentence; undefined if nothing is. */
export function originProblem(entry: unknown): string | undefined {
	if (entry === "*") return undefined;
	const shape = 'It must be "*", or scheme and host without a path, such as "https://example.org".';
	if (typeof entry !== "string" || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(entry) || !URL.canParse(entry)) {
		return `An origin of cors is ${quoted(entry)}. ${shape}`;
	}
	const { origin } = new URL(entry);
	// A scheme that the URL standard gives no origin to (capacitor:, chrome-extension:) is compared to the letter.
	if (origin === entry || origin === "null") return undefined;
	return `An origin of cors is ${quoted(entry)}, which browsers send as ${quoted(origin)}. Write it that way.`;
}

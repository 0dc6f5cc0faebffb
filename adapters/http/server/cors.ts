import { quoted } from "../../../src/errors.js";
import type { HttpRequest } from "./request.js";

/** The origins whose pages may call the interface from a browser. */
export interface CorsOptions {
	/**
	 * Origins as browsers send them: `https://example.org`, `http://localhost:5173`, `capacitor://localhost`.
	 * An origin has a scheme, a host and, unless it is the default, a port. It has no slash at the end. `*`
	 * allows all origins. Browsers send no cookies: the API key is the only credential.
	 */
	readonly origins: readonly string[];
}

const preflightSeconds = 7200;
const allowedHeaders = "Authorization, Content-Encoding, Content-Type, Idempotency-Key, Last-Event-ID";
const exposedHeaders = "Allow, Content-Disposition, Retry-After, WWW-Authenticate";

/** The headers of a response that let the browser pass it to a page of an allowed origin. */
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
 * Whether a request is a preflight of a browser. Each path answers a preflight. Otherwise a page with a wrong
 * path would see a network failure, and not the 404.
 */
export function isPreflight(cors: false | CorsOptions, request: HttpRequest): boolean {
	return cors !== false && request.method === "OPTIONS";
}

/**
 * The problem with an entry of {@link CorsOptions.origins}, as a sentence; undefined if the entry is valid.
 */
export function originProblem(entry: unknown): string | undefined {
	if (entry === "*") return undefined;
	const shape = 'It must be "*", or scheme and host without a path, such as "https://example.org".';
	if (typeof entry !== "string" || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(entry) || !URL.canParse(entry)) {
		return `An origin of cors is ${quoted(entry)}. ${shape}`;
	}
	const { origin } = new URL(entry);
	// The URL standard has no origin for some schemes (capacitor:, chrome-extension:). These are compared
	// exactly.
	if (origin === entry || origin === "null") return undefined;
	return `An origin of cors is ${quoted(entry)}, which browsers send as ${quoted(origin)}. Write it that way.`;
}

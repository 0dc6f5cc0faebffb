import { OutlineError, quoted } from "../../../src/errors.js";
import type { Endpoint, Route } from "../endpoints/routes.js";
import { refusal } from "../server/problem.js";

/** The route of a path. */
export interface RouteMatch {
	readonly route: Route;
	/** The segment at `:id`, still percent-encoded; empty if the route has no `:id`. */
	readonly encodedId: string;
}

/** The path and the query of a URL, still percent-encoded. The URL may begin with its path. */
export function partsOf(url: string): { readonly pathname: string; readonly search: string } {
	const [, pathname = "", search = ""] = /^(?:[^/?#]+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
	return { pathname, search };
}

/**
 * Finds the route of a percent-encoded path. Ignores a slash at the end. Splits the path into segments before
 * it decodes them, so `%2F` is part of a segment.
 *
 * @throws `not_found`
 */
export function matchRoute(routes: readonly Route[], pathname: string): RouteMatch {
	const usual = pathname.includes("%") ? pathname.split("/").map(usuallyEncoded).join("/") : pathname;
	for (const route of routes) {
		const match = route.pattern.exec(usual);
		if (match !== null) return { route, encodedId: match[1] ?? "" };
	}
	const hint = pathname.startsWith("/api/v1/") ? "" : ' All paths begin with "/api/v1/".';
	throw refusal("not_found", `There is no endpoint at ${quoted(pathname)}.${hint}`);
}

/** Encodes only what must be encoded in a segment. A segment with a wrong encoding stays as it is. */
function usuallyEncoded(segment: string): string {
	const decoded = maybeDecoded(segment);
	return decoded === undefined ? segment : encodeURIComponent(decoded);
}

/** The endpoint of a route for a method. @throws `method_not_allowed` */
export function endpointFor(route: Route, method: string): Endpoint {
	// Only an own property, because a method can be any word, even `constructor`.
	if (Object.hasOwn(route.methods, method)) return route.methods[method]!;
	const allowed = Object.keys(route.methods).join(", ");
	throw refusal("method_not_allowed", `The method is ${quoted(method)}. This path takes ${allowed}.`, {
		allow: allowed,
	});
}

/** The decoded reference at `:id`. @throws `invalid_reference` if its percent-encoding is wrong */
export function decodedId({ encodedId }: RouteMatch): string {
	const id = maybeDecoded(encodedId);
	if (id !== undefined) return id;
	throw new OutlineError(
		"invalid_reference",
		`The path names the node as ${quoted(encodedId)}, which isn't percent-encoded UTF-8.`,
	);
}

function maybeDecoded(segment: string): string | undefined {
	if (!segment.includes("%")) return segment;
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

import { OutlineError, quoted } from "../../../src/errors.js";
import type { Endpoint, Route } from "../endpoints/routes.js";
import { refusal } from "./problem.js";

/** The route that a path leads to. */
export interface RouteMatch {
	readonly route: Route;
	/** What stands for `:id`, still percent-encoded; empty where the route has none. */
	readonly encodedId: string;
}

/** The path of a URL, which may begin with it, as it stands there; and what stands behind it, up to the fragment. */
export function partsOf(url: string): { readonly pathname: string; readonly search: string } {
	const [, pathname = "", search = ""] = /^(?:[^/?#]+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
	return { pathname, search };
}

/**
 * Finds the route of a path as it stands in the URL. A slash at the end makes no difference; segments are split before
 * they are decoded, so `%2F` is part of a segment. @throws `not_found`
 */
export function matchRoute(routes: readonly Route[], pathname: string): RouteMatch {
	const segments = pathname.replace(/\/$/, "").split("/").slice(1);
	const decoded = pathname.includes("%") ? segments.map(maybeDecoded) : segments;
	for (const route of routes) {
		if (!fits(route.segments, decoded)) continue;
		return { route, encodedId: segments[route.segments.indexOf(":id")] ?? "" };
	}
	throw refusal("not_found", `There is no endpoint at ${quoted(pathname)}.`);
}

function fits(parts: readonly string[], segments: readonly (string | undefined)[]): boolean {
	if (parts.length !== segments.length) return false;
	for (let at = 0; at < parts.length; at++) {
		if (parts[at] !== ":id" && parts[at] !== segments[at]) return false;
	}
	return true;
}

/** What a route does for a method. @throws `method_not_allowed` */
export function endpointFor(route: Route, method: string): Endpoint {
	// An own property only: a method can be any word, `constructor` too.
	if (Object.hasOwn(route.methods, method)) return route.methods[method]!;
	const allowed = Object.keys(route.methods).join(", ");
	throw refusal("method_not_allowed", `The method is ${quoted(method)}. This path takes ${allowed}.`, {
		allow: allowed,
	});
}

/** The reference that stands for `:id`. @throws `invalid_reference` if its percent-encoding is broken. */
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

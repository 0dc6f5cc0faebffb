import { refusal } from "./problem.js";
import type { HttpRequest } from "./request.js";

/**
 * The API key of a request: the text after `Bearer` (in any letter case) in its Authorization header. Spec
 * §5.
 *
 * @throws `unauthorized` if there is no key
 */
export function bearerKey(request: HttpRequest): string {
	const apiKey = /^bearer +(\S+)$/i.exec(request.header("authorization") ?? "")?.[1];
	if (apiKey === undefined) throw unauthorized("The request needs the header `Authorization: Bearer <API key>`.");
	return apiKey;
}

/** The error for a request without a valid API key. */
export function unauthorized(detail: string): Error {
	return refusal("unauthorized", detail, { "www-authenticate": "Bearer" }, { errors: detail });
}

import { refusal } from "./problem.js";
import type { HttpRequest } from "./request.js";

/**
 * The API key of a request: what follows `Bearer` (in any letter case) in its Authorization header.
 * @throws `unauthorized` if there is none. Spec §5.
 */
export function bearerKey(request: HttpRequest): string {
	const apiKey = /^bearer +(\S+)$/i.exec(request.header("authorization") ?? "")?.[1];
	if (apiKey === undefined) throw unauthorized("The request needs the header `Authorization: Bearer <API key>`.");
	return apiKey;
}

/** The refusal of a request that nobody stands behind. */
export function unauthorized(detail: string): Error {
	return refusal("unauthorized", detail, { "www-authenticate": "Bearer" }, { errors: detail });
}

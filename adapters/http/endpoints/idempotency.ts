import { invalidArgument } from "../../../src/errors.js";
import type { IdempotencyInput } from "../../../src/operations/idempotency.js";
import type { AuthenticatedRequest } from "../server/request-call.js";

/**
 * The idempotency key in a request's header. The operation runs once, even if the client sends the request
 * twice. Spread it after the body's fields, so that it replaces a field `idempotencyKey`.
 *
 * @throws `invalid_argument` unless the key has 1 to 255 printable ASCII characters
 */
export function idempotent(header: AuthenticatedRequest["header"]): IdempotencyInput {
	const key = header("idempotency-key") ?? undefined;
	if (key === undefined || /^[ -~]{1,255}$/.test(key)) return { idempotencyKey: key };
	throw invalidArgument("The header Idempotency-Key", key, "1 to 255 printable ASCII characters");
}

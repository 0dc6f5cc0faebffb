import { OutlineError, quoted } from "../../../src/errors.js";
import type { IdempotencyInput } from "../../../src/operations/idempotency.js";
import type { Call } from "../server/request-call.js";

/**
 * What makes an operation that is asked for twice happen once: the key of a request, to the letter. It comes in a header, never
 * in the body, so that it overrides a field of that name. @throws `invalid_argument`
 */
export function idempotent(header: Call["header"]): IdempotencyInput {
	const key = header("idempotency-key") ?? undefined;
	if (key === undefined || /^[ -~]{1,255}$/.test(key)) return { idempotencyKey: key };
	throw new OutlineError(
		"invalid_argument",
		`The header Idempotency-Key is ${quoted(key)}. It must be 1 to 255 printable ASCII characters.`,
	);
}

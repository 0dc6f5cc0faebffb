import { OutlineError } from "../errors.js";

/**
 * Returns a request with an idempotency key, or its result, as JSON.
 *
 * @param replacer - as of `JSON.stringify`
 * @throws `invalid_argument` for a value that JSON can't write
 */
export function requestJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
	try {
		return JSON.stringify(value, replacer);
	} catch (cause) {
		throw new OutlineError(
			"invalid_argument",
			"A request with an idempotency key can't be nested so deeply, contain itself, or be so long. Leave out the key, or split the request.",
			{ cause },
		);
	}
}

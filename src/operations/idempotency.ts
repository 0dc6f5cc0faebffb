import type { Call } from "../engine/call.js";
import { LazyModule } from "../engine/lazy-module.js";
import { invalidArgument } from "../errors.js";
import { fieldNames, isShortText } from "../fields.js";
import type { Prepared } from "./prepared.js";
import type { Scopes } from "./receipt.js";
import { requestJson } from "./request-json.js";

// Most outlines have no requests with keys.
const receiptModule = new LazyModule("The record of requests with idempotency keys", () => import("./receipt.js"));

/** The input of an operation that callers may repeat. */
export interface IdempotencyInput {
	/**
	 * A key for this request. If the same request comes again with the same key within 24 hours, it returns the
	 * first result and changes nothing. Of a result of more than 4,096 characters of JSON, the receipt keeps
	 * only the ids. A repeated request then returns the nodes as they are now, with empty fields for deleted
	 * ones. 1 to 255 characters; best a random text for each request.
	 */
	idempotencyKey?: string | undefined;
}

/** The names of the fields of {@link IdempotencyInput}. */
export const idempotencyFields = fieldNames<IdempotencyInput>({ idempotencyKey: true });

/**
 * Makes an operation run once for each key. Its result and its changes are in the same commit, so neither is
 * stored without the other. Without a key, returns the operation unchanged.
 *
 * @param request - the method and its arguments
 * @throws `invalid_argument` for an invalid key; during the run, `idempotency_mismatch` for the key of
 * another request
 */
export function once<T>(
	call: Call,
	key: unknown,
	request: readonly unknown[],
	prepared: Prepared<T>,
	scopes?: Scopes,
): Prepared<T> {
	if (key === undefined) return prepared;
	if (!isShortText(key)) throw invalidArgument("idempotencyKey", key, "a text of 1 to 255 characters");
	// The caller may change the arguments before the operation runs.
	const text = requestJson(request);
	const { finish } = prepared;
	return {
		...prepared,
		...((finish !== undefined || receiptModule.ifLoaded === undefined) && {
			async finish(pace) {
				await receiptModule.load();
				await finish?.call(prepared, pace);
			},
		}),
		run: (changes) =>
			receiptModule.loaded.runOnce({ key, text, seconds: call.seconds, scopes }, changes, prepared.run(changes)),
	};
}

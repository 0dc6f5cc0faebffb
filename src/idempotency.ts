import type { Call } from "./call.js";
import { OutlineError, quoted } from "./errors.js";
import { ask } from "./operation.js";
import type { Prepared } from "./prepare.js";

/** How long a receipt is kept at least, in seconds. */
const lifetime = 24 * 60 * 60;

/** What no storage holds: NUL, and halves of characters. */
const unfit = /[\0\p{Surrogate}]/u;

/** What makes a request one that may be repeated. */
export interface IdempotencyInput {
	/**
	 * Names this request: if the same comes again with the same key, within 24 hours at least, it gives the first result and
	 * does nothing more, whoever asks and whatever happened in between. 1 to 255 characters; best a random one for each.
	 */
	idempotencyKey?: string | undefined;
}

/**
 * An operation that is carried out once for each key: its result is kept along with what it changes, in one commit, so that
 * there is never the one without the other. Without a key, it is what it was.
 *
 * @param request - the method and its arguments
 * @param scopes - the scopes through which the request came: each has keys of its own
 * @throws `invalid_argument` for a key that isn't one; `idempotency_mismatch`, when it is run, for a key of another request
 */
export function once<T>(
	call: Call,
	key: unknown,
	request: readonly unknown[],
	prepared: Prepared<T>,
	scopes: readonly string[] = [],
): Prepared<T> {
	if (key === undefined) return prepared;
	if (typeof key !== "string" || key === "" || key.length > 255 || unfit.test(key)) {
		throw new OutlineError(
			"invalid_argument",
			`idempotencyKey is ${quoted(key)}. It must be a text of 1 to 255 characters.`,
		);
	}
	const fingerprint = fingerprintOf(json(request));
	const stored = scopes.length === 0 ? key : JSON.stringify([...scopes, key]);
	return {
		...prepared,
		*run(changes) {
			const [{ receipt, expired }] = yield* ask({ type: "receipt", key: stored, expiry: call.seconds - lifetime });
			if (receipt !== null) {
				if (receipt.request === fingerprint) return JSON.parse(receipt.result) as T;
				throw new OutlineError(
					"idempotency_mismatch",
					`The idempotency key ${quoted(key)} belongs to another request. Repeat that one to the letter, or take a new key.`,
				);
			}
			const result = yield* prepared.run(changes);
			const { seconds } = call;
			changes.addReceipt({ key: stored, request: fingerprint, createdAt: seconds, result: json(result) }, expired);
			return result;
		},
	};
}

function json(value: unknown): string {
	try {
		return JSON.stringify(value);
	} catch (error) {
		throw new OutlineError(
			"invalid_argument",
			"What is nested as deeply as this, or within itself, can't have an idempotency key. Leave out the key, or make it in several steps.",
			{ cause: error },
		);
	}
}

/** A text that other requests don't share by chance. It is no secret, and nobody gains from finding another for it. */
function fingerprintOf(text: string): string {
	let low = 0xdeadbeef;
	let high = 0x41c6ce57;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		low = Math.imul(low ^ unit, 0x9e3779b1);
		high = Math.imul(high ^ unit, 0x5f356495);
	}
	const hex = (half: number) => (half >>> 0).toString(16).padStart(8, "0");
	return `${hex(low ^ (high >>> 15))}${hex(high ^ (low >>> 13))}-${text.length}`;
}

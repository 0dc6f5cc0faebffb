import type { Call } from "../engine/call.js";
import { ask, type Operation } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { fieldNames } from "../fields.js";
import type { Prepared } from "./prepared.js";
import { keptResult, resultOf } from "./receipt.js";
import { isTooLong, oldestReceipts, receiptChanges, receiptIn, receiptQuery } from "./receipt-document.js";

/** The shortest lifetime of a receipt, in seconds. */
const lifetime = 24 * 60 * 60;

/** The characters that no storage can hold: NUL, and halves of characters. */
const unfit = /[\0\p{Surrogate}]/u;

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

/** The scopes through which a request came. */
interface Scopes {
	/** Their references. The same key within another scope is another key. */
	readonly refs: readonly string[];
	/** Runs an operation on the nodes that the scopes show. */
	readonly seen: <T>(operation: Operation<T>) => Operation<T>;
}

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
	if (typeof key !== "string" || key === "" || key.length > 255 || unfit.test(key)) {
		throw new OutlineError(
			"invalid_argument",
			`idempotencyKey is ${quoted(key)}. It must be a text of 1 to 255 characters.`,
		);
	}
	const fingerprint = fingerprintOf(textOf(() => JSON.stringify(request)));
	const stored = scopes === undefined ? key : JSON.stringify([...scopes.refs, key]);
	if (isTooLong(stored)) {
		throw new OutlineError("invalid_argument", "The idempotency key and the references of its scopes are too long.");
	}
	return {
		...prepared,
		*run(changes) {
			const [found, oldest] = yield* ask(receiptQuery(stored), oldestReceipts);
			const receipt = receiptIn(found, stored);
			if (receipt !== null) {
				if (receipt.request === fingerprint) {
					const first = resultOf(receipt.result) as Operation<T>;
					return yield* scopes === undefined ? first : scopes.seen(first);
				}
				throw new OutlineError(
					"idempotency_mismatch",
					`The idempotency key ${quoted(key)} belongs to another request. Repeat that request exactly, or take a new key.`,
				);
			}
			const result = yield* prepared.run(changes);
			const { seconds } = call;
			const kept = textOf(() => keptResult(result as Parameters<typeof keptResult>[0]));
			const added = { key: stored, request: fingerprint, createdAt: seconds, result: kept };
			changes.changeDocuments(receiptChanges(added, oldest, seconds - lifetime));
			return result;
		},
	};
}

function textOf(text: () => string): string {
	try {
		return text();
	} catch (error) {
		throw new OutlineError(
			"invalid_argument",
			"A request with an idempotency key can't be nested as deeply as this, contain itself, or have hundreds of millions of characters. Leave out the key, or split the request.",
			{ cause: error },
		);
	}
}

/** Returns a 64-bit fingerprint of a request. It isn't cryptographic: no caller gains from a collision. */
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

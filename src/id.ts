import { customAlphabet } from "nanoid";
import { quoted } from "./errors.js";
import { ask, askAll, type Reading } from "./operation.js";
import type { Answers, Query } from "./storage.js";

const fullIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const shortIdPattern = /^[0-9a-f]{12}$/i;
/** How many ids in a row may be taken before their source is held to be broken. */
const drawLimit = 64;
const randomHex = customAlphabet("0123456789abcdef", 32);

/** Whether a text has the form of a full id (UUID-style, any letter case). Spec §2.4. */
export function isId(text: string): boolean {
	return text.length === 36 && fullIdPattern.test(text);
}

/** Whether a text has the form of a short id: 12 hex digits, any letter case. Spec §2.4. */
export function isShortId(text: string): boolean {
	return text.length === 12 && shortIdPattern.test(text);
}

/** The short id of a node: the last 12 hex digits of its id. Spec §2.4. */
export function shortIdOf(id: string): string {
	return id.slice(-12);
}

/**
 * A random UUID, version 4. Drawn through nanoid, because `crypto.randomUUID` doesn't exist on pages that are served
 * without TLS.
 */
export function randomId(): string {
	const hex = randomHex();
	const variant = "89ab"[Number.parseInt(hex[16]!, 16) & 3];
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/**
 * The ids that one call of an operation draws. They are kept in their order, so that an attempt that starts over after a
 * conflict gets the same ones again.
 */
export class IdSource {
	readonly #generate: () => unknown;
	/** Made on the first draw: most calls draw nothing. */
	#drawn: string[] | undefined;
	/** The short ids that this attempt has drawn. */
	#shortIds: Set<string> | undefined;
	#next = 0;

	constructor(generate: () => unknown) {
		this.#generate = generate;
	}

	/** The next ids that will be drawn, so many, without drawing them. @throws as `next` */
	ahead(count: number): readonly string[] {
		const start = this.#next;
		for (let number = 0; number < count; number++) this.#draw();
		this.#next = start;
		return (this.#drawn ?? []).slice(start, start + count);
	}

	/** Starts over with the ids that were drawn before. */
	restart(): void {
		this.#next = 0;
		this.#shortIds = undefined;
	}

	/**
	 * The next id whose short id this call hasn't drawn before, in lower case.
	 *
	 * @throws TypeError when the host's `generateId` gives no UUID-style id, RangeError when it only gives the same ones
	 */
	next(): string {
		this.#shortIds ??= new Set();
		for (let attempt = 0; attempt < drawLimit; attempt++) {
			const id = this.#draw();
			if (this.#shortIds.has(shortIdOf(id))) continue;
			this.#shortIds.add(shortIdOf(id));
			return id;
		}
		throw exhausted();
	}

	#draw(): string {
		this.#drawn ??= [];
		let id = this.#drawn[this.#next];
		if (id === undefined) {
			const drawn = this.#generate();
			if (typeof drawn !== "string" || !isId(drawn)) {
				throw new TypeError(
					`generateId returned ${quoted(drawn)}. It must return ids like "0b2f6f0e-6c6e-4c5a-9a3d-5e0f3c1b2a49".`,
				);
			}
			id = drawn.toLowerCase();
			this.#drawn.push(id);
		}
		this.#next += 1;
		return id;
	}
}

/**
 * Draws ids whose short ids nobody has, and has queries answered on the way, so that both take one round trip.
 *
 * @throws RangeError when the host's `generateId` only gives ids that are taken
 */
export function* drawIds<const Q extends readonly Query[]>(
	source: IdSource,
	count: number,
	...queries: Q
): Reading<{ ids: string[]; answers: Answers<Q> }> {
	const taken = (drawn: readonly string[]) => ({ type: "taken", shortIds: drawn.map(shortIdOf) }) as const;

	const ids = Array.from({ length: count }, () => source.next());
	const [held, ...answers] = yield* askAll([taken(ids), ...queries] as const);
	let unfit = placesOf(held, ids);
	for (let attempt = 0; unfit.length > 0; attempt++) {
		if (attempt === drawLimit) throw exhausted();
		for (const place of unfit) ids[place] = source.next();
		const drawn = unfit.map((place) => ids[place]!);
		const [again] = yield* ask(taken(drawn));
		unfit = placesOf(again, drawn).map((place) => unfit[place]!);
	}
	return { ids, answers: answers as unknown as Answers<Q> };
}

/** Where in a list the ids with these short ids stand. */
function placesOf(shortIds: readonly string[], ids: readonly string[]): number[] {
	if (shortIds.length === 0) return [];
	const held = new Set(shortIds);
	return ids.flatMap((id, place) => (held.has(shortIdOf(id)) ? [place] : []));
}

function exhausted(): RangeError {
	return new RangeError(`generateId returned ids that are taken ${drawLimit} times in a row. It must draw new ones.`);
}

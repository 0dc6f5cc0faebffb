import { quoted } from "../errors.js";
import { isId, randomId, shortIdOf } from "../id.js";
import type { Answers, Query } from "../storage.js";
import { ask, askAll, type Operation, pause } from "./protocol.js";

const none: readonly never[] = [];

/** The number of ids in a row that may be in use before their source counts as broken. */
const drawLimit = 64;

/** The number of ids in one query, and the number drawn in a step. */
const idsAtOnce = 65_536;
const idsInStep = 4096;
/** The most ids that an operation draws without a pause, in the query that also finds the position. */
const idsDrawnAlong = 16_384;

/** The ids that one call draws, in their order. An attempt after a conflict gets the same ids again. */
export class IdSource {
	readonly #generate: () => unknown;
	/** Created on the first draw: most calls draw no id. */
	#drawn: string[] | undefined;
	/** The short ids of this attempt, in their order. */
	#shortIds: Set<string> | undefined;
	#next = 0;
	/** The next ids, which no stored node has, and the number of them already used. */
	#reserved: readonly string[] = none;
	#used = 0;

	constructor(generate: () => unknown) {
		this.#generate = generate;
	}

	/**
	 * Draws so many ids with unused short ids, in one round trip for each 65,536 ids. The attempt must not have
	 * drawn any.
	 *
	 * @throws as {@link drawIds}
	 */
	*reserve(count: number): Operation<void> {
		this.#reserved = yield* freeIds(this, count);
	}

	/** Whether so many of the next ids are reserved. */
	hasReserved(count: number): boolean {
		return this.#used + count <= this.#reserved.length;
	}

	/** Starts again with the same ids. */
	restart(): void {
		this.#next = 0;
		this.#shortIds = undefined;
		this.#reserved = none;
		this.#used = 0;
	}

	/**
	 * Returns the next id, in lower case. This call hasn't drawn its short id before.
	 *
	 * @throws TypeError if the host's `generateId` returns no UUID-style id; RangeError if it keeps returning
	 * the same ones
	 */
	next(): string {
		if (this.#used < this.#reserved.length) return this.#reserved[this.#used++]!;
		// Most calls draw a single id, which can't equal another one.
		if (this.#next === 0 && this.#shortIds === undefined) return this.#draw();
		this.#shortIds ??= this.#drawnShortIds();
		for (let attempt = 0; attempt < drawLimit; attempt++) {
			const id = this.#draw();
			if (isAdded(this.#shortIds, shortIdOf(id))) return id;
		}
		throw exhausted();
	}

	/** Takes an id of another source. Returns false if this attempt has an id with the same short id. */
	claim(id: string): boolean {
		this.#shortIds ??= this.#drawnShortIds();
		return isAdded(this.#shortIds, shortIdOf(id));
	}

	/** Returns so many of the next ids. @throws as {@link next} */
	take(count: number): string[] {
		const ids = count === 0 ? [] : [this.next()];
		while (ids.length < count) ids.push(this.next());
		return ids;
	}

	#drawnShortIds(): Set<string> {
		return new Set(this.#drawn?.slice(0, this.#next).map(shortIdOf));
	}

	#draw(): string {
		let id = this.#drawn?.[this.#next];
		if (id === undefined) {
			// To check an id takes as long as to draw one.
			id = this.#generate === randomId ? randomId() : checkedId(this.#generate());
			if (this.#drawn === undefined) this.#drawn = [id];
			else this.#drawn.push(id);
		}
		this.#next += 1;
		return id;
	}
}

/**
 * Draws ids with unused short ids, and gets other queries answered in the same round trip.
 *
 * @throws RangeError if the host's `generateId` only returns ids in use
 */
export function* drawIds<const Q extends readonly Query[]>(
	source: IdSource,
	count: number,
	...queries: Q
): Operation<{ ids: string[]; answers: Answers<Q> }> {
	const areFree = source.hasReserved(count);
	if (areFree || count > idsAtOnce) {
		const ids = areFree ? source.take(count) : yield* freeIds(source, count);
		return { ids, answers: queries.length === 0 ? ([] as unknown as Answers<Q>) : yield* askAll(queries) };
	}
	const ids = source.take(count);
	const [held, ...answers] = yield* askAll([whichAreTaken(ids), ...queries] as const);
	if (held.length > 0) yield* replaceTaken(source, ids, held);
	return { ids, answers: answers as unknown as Answers<Q> };
}

/** Draws ids with unused short ids, in portions that don't keep the storage busy for long. */
function* freeIds(source: IdSource, count: number): Operation<string[]> {
	const ids: string[] = [];
	while (ids.length < count) {
		const drawn: string[] = [];
		while (drawn.length < Math.min(idsAtOnce, count - ids.length)) {
			drawn.push(source.next());
			if (drawn.length % idsInStep === 0) yield* pause();
		}
		const [held] = yield* ask(whichAreTaken(drawn));
		if (held.length > 0) yield* replaceTaken(source, drawn, held);
		for (const id of drawn) ids.push(id);
	}
	return ids;
}

/**
 * Draws the ids of many nodes in slices, for an attempt that hasn't drawn any. If there are few, it does
 * nothing: they are drawn in the round trip that finds the position.
 *
 * @throws as {@link drawIds}
 */
export function* reserveMany(source: IdSource, count: number): Operation<void> {
	if (count <= idsDrawnAlong || source.hasReserved(count)) return;
	yield* source.reserve(count);
}

/** Returns the query for the short ids in use among some ids. */
export function whichAreTaken(ids: readonly string[]) {
	return { type: "taken", shortIds: ids.map(shortIdOf) } as const;
}

/**
 * Replaces the ids whose short ids are in use.
 *
 * @param held - the short ids in use
 * @throws RangeError if the host's `generateId` only returns ids in use
 */
export function* replaceTaken(source: IdSource, ids: string[], held: readonly string[]): Operation<void> {
	let unfit = indexesOf(held, ids);
	for (let attempt = 0; unfit.length > 0; attempt++) {
		if (attempt === drawLimit) throw exhausted();
		for (const index of unfit) ids[index] = source.next();
		const drawn = unfit.map((index) => ids[index]!);
		const [again] = yield* ask(whichAreTaken(drawn));
		unfit = indexesOf(again, drawn).map((at) => unfit[at]!);
	}
}

/** Returns the indexes of the ids with these short ids. */
function indexesOf(shortIds: readonly string[], ids: readonly string[]): number[] {
	const held = new Set(shortIds);
	return ids.flatMap((id, index) => (held.has(shortIdOf(id)) ? [index] : []));
}

/** Returns an id of the host in lower case. @throws TypeError */
function checkedId(drawn: unknown): string {
	if (typeof drawn === "string" && isId(drawn)) return drawn.toLowerCase();
	throw new TypeError(
		`generateId returned ${quoted(drawn)}. It must return ids like "0b2f6f0e-6c6e-4c5a-9a3d-5e0f3c1b2a49".`,
	);
}

function exhausted(): RangeError {
	return new RangeError(`generateId returned ids in use ${drawLimit} times in a row. It must return new ids.`);
}

/** Adds a text to a set. Returns whether it is new. */
function isAdded(texts: Set<string>, text: string): boolean {
	const { size } = texts;
	return texts.add(text).size > size;
}

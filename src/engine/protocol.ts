import { OutlineError } from "../errors.js";
import { Pace, type Steps, turn } from "../pace.js";
import type { Answers, Query, StorageAdapter } from "../storage.js";

/**
 * An operation: a generator that yields queries, receives their answers, and returns its result. So each rule
 * of the outline is written once, without I/O. {@link peek} runs an operation at once if the storage has its
 * records in memory; if not, {@link read} runs it asynchronously.
 */
export type Operation<T> = Generator<readonly Query[], T, readonly unknown[]>;

/** Runs an operation: see {@link peek} and {@link read}. Rejects with the error that the operation throws. */
export type RunOperation = <T>(operation: () => Operation<T>) => Promise<T>;

/** The end of an operation, and the revision that all its answers belong to. */
export interface Outcome<T> {
	readonly revision: number;
	/** Whether the answers were durable. If not, the storage may still take them back. */
	readonly durable: boolean;
	/** The result, or the error that the operation threw. */
	readonly settled: { readonly value: T } | { readonly error: unknown };
}

/** The number of attempts at an operation if commits keep coming between its queries. */
const restarts = 16;

/** An operation yields this where it may pause, for the host to do other work. It gets no answer. */
export const pausePoint: readonly never[] = [];

/** An operation yields this to learn the revision of its answers. */
const revisionQuestion: readonly never[] = [];

/** Returns the revision that the answers of the operation belong to. */
export function* revisionOfAnswers(): Operation<number> {
	const [revision] = yield revisionQuestion;
	return revision as number;
}

/** The number of turns of a loop between two places where it may pause. */
const pauseEvery = 1000;

/** Counts the turns of a loop that may be long: `if (counter.isDue()) yield* pause()`. */
export class Counter {
	#count = 0;

	/** Counts a turn, and returns whether the operation should offer a pause. */
	isDue(): boolean {
		this.#count += 1;
		return this.#count % pauseEvery === 0;
	}
}

/** Pauses, for the host to do other work, if the operation has computed for a whole slice of time. */
export function* pause(): Operation<void> {
	yield pausePoint;
}

/** Runs steps within an operation, in slices of time. */
export function* stepwise<T>(steps: Steps<T>): Operation<T> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		yield pausePoint;
	}
}

/** The operand of `yield*` that gets queries answered. */
type Asking<Q extends readonly Query[]> = Iterable<readonly Query[], Answers<Q>, readonly unknown[]>;

/** A query for the newest revision and the horizon. There are no later changes, so the answer has none. */
export const newestQuery = { type: "changes", since: Number.MAX_SAFE_INTEGER, limit: 1 } as const;

/** Yields queries and returns their answers, typed. */
export function ask<const Q extends readonly Query[]>(...queries: Q): Asking<Q> {
	return new Question(queries);
}

/** {@link ask} for any number of queries. */
export function askAll<const Q extends readonly Query[]>(queries: Q): Asking<Q> {
	return new Question(queries);
}

/** A generator would take six times as long, and every operation begins with this one. */
class Question<const Q extends readonly Query[]> implements Iterator<readonly Query[], Answers<Q>, readonly unknown[]> {
	readonly #queries: Q;
	#asked = false;

	constructor(queries: Q) {
		this.#queries = queries;
	}

	[Symbol.iterator](): this {
		return this;
	}

	next(answers?: readonly unknown[]): IteratorResult<readonly Query[], Answers<Q>> {
		if (this.#asked) return { done: true, value: answers as unknown as Answers<Q> };
		this.#asked = true;
		return { done: false, value: this.#queries };
	}

	/** Called if answering fails. */
	throw(error: unknown): never {
		throw error;
	}
}

/** The rest of an operation that {@link peek} has begun, for {@link read}. */
export interface Rest<T> {
	readonly operation: Operation<T>;
	/** The revision of all answers so far; -1 before the first. */
	readonly revision: number;
}

/**
 * Runs an operation at once, as far as the storage answers without waiting, and for a slice of time. Returns
 * undefined if that isn't enough.
 *
 * @param keep - receives the rest of the operation then, unless {@link read} has to begin again
 */
export function peek<T>(
	storage: Pick<StorageAdapter, "peek">,
	begin: () => Operation<T>,
	keep?: { rest: Rest<T> | undefined },
): Outcome<T> | undefined {
	if (storage.peek === undefined) return undefined;
	let revision = -1;
	let durable = true;
	let pace: Pace | undefined;
	try {
		const operation = begin();
		let step = operation.next();
		while (!step.done) {
			const queries = step.value;
			if (queries === pausePoint) {
				pace ??= new Pace();
				if (pace.isDue) {
					if (keep !== undefined && durable) keep.rest = { operation, revision };
					return undefined;
				}
				step = operation.next([]);
				continue;
			}
			const asksForRevision = queries === revisionQuestion;
			if (asksForRevision && revision >= 0) {
				step = operation.next([revision]);
				continue;
			}
			const seen = storage.peek(queries);
			if (seen === undefined || (revision >= 0 && seen.revision !== revision)) return undefined;
			({ revision, durable } = seen);
			step = operation.next(asksForRevision ? [revision] : seen.results);
		}
		return { revision, durable, settled: { value: step.value } };
	} catch (error) {
		return { revision, durable, settled: { error } };
	}
}

/**
 * Runs an operation on durable answers of one revision.
 *
 * @param rest - the rest of the operation, if it has begun
 * @throws `conflict` if commits keep coming between its queries; the errors of the storage
 */
export async function read<T>(
	storage: Pick<StorageAdapter, "read">,
	begin: () => Operation<T>,
	rest?: Rest<T> | undefined,
): Promise<Outcome<T>> {
	// `peek` has used up a slice of time for an operation that has begun.
	if (rest !== undefined) await turn();
	let next = rest;
	for (let attempt = 0; attempt < restarts; attempt++, next = undefined) {
		const outcome = await readOnce(storage, next?.operation ?? begin(), next?.revision ?? -1);
		if (outcome !== undefined) return outcome;
	}
	throw new OutlineError(
		"conflict",
		`The outline changed ${restarts} times while it was being read. Try again when fewer programs write to it.`,
	);
}

async function readOnce<T>(
	storage: Pick<StorageAdapter, "read">,
	operation: Operation<T>,
	from: number,
): Promise<Outcome<T> | undefined> {
	let revision = from;
	let queries: readonly Query[] = pausePoint;
	const pace = new Pace();
	for (;;) {
		let answers: readonly unknown[] = [];
		if (queries === pausePoint) {
			if (pace.isDue) await pace.turn();
		} else {
			const asksForRevision = queries === revisionQuestion;
			if (!asksForRevision || revision < 0) {
				const { revision: seen, results } = await storage.read(queries);
				if (revision >= 0 && seen !== revision) return undefined;
				revision = seen;
				answers = results;
			}
			if (asksForRevision) answers = [revision];
		}
		let step: ReturnType<typeof operation.next>;
		try {
			step = operation.next(answers);
		} catch (error) {
			return { revision: Math.max(revision, 0), durable: true, settled: { error } };
		}
		if (step.done) return { revision: Math.max(revision, 0), durable: true, settled: { value: step.value } };
		queries = step.value;
	}
}

/** Returns a promise of the result of an operation. */
export function promiseOf<T>({ settled }: Outcome<T>): Promise<T> {
	return "error" in settled ? Promise.reject(settled.error) : Promise.resolve(settled.value);
}

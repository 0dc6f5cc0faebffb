import { OutlineError } from "../errors.js";
import { Pace, type Steps } from "../pace.js";
import type { Answers, Query, StorageAdapter } from "../storage.js";

/**
 * An operation that is still to be run: a generator that yields the queries it wants answered, gets the answers back, and
 * returns its result. So the rules of the outline are written once, without I/O, and run at once where the records are in
 * memory and asynchronously where they aren't. Where it needs something else first, such as a module that is being loaded, it
 * yields a promise: whoever runs it waits for that, and answers nothing.
 */
export type Reading<T> = Generator<readonly Query[] | Promise<unknown>, T, readonly unknown[]>;

/** What a reading came to, and the revision that all its answers belong to. */
export interface Outcome<T> {
	readonly revision: number;
	/** Whether the answers were durable; if not, they may still be taken back. */
	readonly durable: boolean;
	/** The result, or what the reading threw. */
	readonly settled: { readonly value: T } | { readonly error: unknown };
}

/** How often a reading is begun anew when commits come between its queries. */
const restarts = 16;

/** What a reading yields to let others have their turn: no query, and nothing is answered. */
export const breath: readonly never[] = [];

/** After so many turns a loop breathes. */
const breathEvery = 1000;

/** Counts the turns of loops, so that they breathe now and then: `if (counter.breathes) yield* breathe()`. */
export class Counter {
	#count = 0;

	/** Whether it is time to, asked once a turn. */
	get breathes(): boolean {
		this.#count += 1;
		return this.#count % breathEvery === 0;
	}
}

/** Lets others have their turn if the reading has computed for long. For the midst of long work. */
export function* breathe(): Reading<void> {
	yield breath;
}

/** Does work in slices. */
export function* stepwise<T>(steps: Steps<T>): Reading<T> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		yield breath;
	}
}

/** What `yield*` takes to have queries answered. */
type Asking<Q extends readonly Query[]> = Iterable<readonly Query[], Answers<Q>, readonly unknown[]>;

/** Yields queries and returns their answers, typed. */
export function ask<const Q extends readonly Query[]>(...queries: Q): Asking<Q> {
	return new Question(queries);
}

/** {@link ask} for any number of queries. */
export function askAll<const Q extends readonly Query[]>(queries: Q): Asking<Q> {
	return new Question(queries);
}

/** By hand what a generator would do in half a dozen times as long: every operation begins with it. */
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

	/** For whoever answers with an error. */
	throw(error: unknown): never {
		throw error;
	}
}

/**
 * Runs a reading on what the storage can answer without waiting. Undefined where it can't, where others have committed
 * between two of its answers, or where something else has to be waited for: then {@link read} begins it again.
 */
export function peek<T>(storage: StorageAdapter, begin: () => Reading<T>): Outcome<T> | undefined {
	if (storage.peek === undefined) return undefined;
	let revision = -1;
	let durable = true;
	let pace: Pace | undefined;
	try {
		const reading = begin();
		let step = reading.next();
		while (!step.done) {
			if (step.value instanceof Promise) return undefined;
			if (step.value === breath) {
				pace ??= new Pace();
				if (pace.isDue) return undefined;
				step = reading.next([]);
				continue;
			}
			const seen = storage.peek(step.value);
			if (seen === undefined || (revision >= 0 && seen.revision !== revision)) return undefined;
			({ revision, durable } = seen);
			step = reading.next(seen.results);
		}
		return { revision, durable, settled: { value: step.value } };
	} catch (error) {
		return { revision, durable, settled: { error } };
	}
}

/**
 * Runs a reading on durable answers of one revision.
 *
 * @throws `conflict` when commits keep coming between its queries, and what the storage throws
 */
export async function read<T>(storage: StorageAdapter, begin: () => Reading<T>): Promise<Outcome<T>> {
	for (let attempt = 0; attempt < restarts; attempt++) {
		const outcome = await readOnce(storage, begin);
		if (outcome !== undefined) return outcome;
	}
	throw new OutlineError(
		"conflict",
		`The outline changed ${restarts} times while it was being read. Try again when fewer others write to it.`,
	);
}

async function readOnce<T>(storage: StorageAdapter, begin: () => Reading<T>): Promise<Outcome<T> | undefined> {
	const reading = begin();
	const pace = new Pace();
	let revision: number | undefined;
	let go = (): ReturnType<typeof reading.next> => reading.next([]);
	for (;;) {
		let step: ReturnType<typeof reading.next>;
		try {
			step = go();
		} catch (error) {
			return { revision: revision ?? 0, durable: true, settled: { error } };
		}
		if (step.done) return { revision: revision ?? 0, durable: true, settled: { value: step.value } };
		if (step.value instanceof Promise) {
			go = await step.value.then(
				() => () => reading.next([]),
				(error: unknown) => () => reading.throw(error),
			);
			continue;
		}
		if (step.value === breath) {
			if (pace.isDue) await pace.turn();
			go = () => reading.next([]);
			continue;
		}
		const { revision: seen, results } = await storage.read(step.value);
		if (revision !== undefined && seen !== revision) return undefined;
		revision = seen;
		go = () => reading.next(results);
	}
}

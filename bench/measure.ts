/** The middle one of some figures: one that the machine disturbed doesn't count. */
export function median(values: readonly number[]): number {
	return values.toSorted((left, right) => left - right)[values.length >> 1]!;
}

/** The least of some figures that is at least as large as a share of them. */
export function quantile(values: readonly number[], share: number): number {
	return values.toSorted((left, right) => left - right)[Math.ceil(values.length * share) - 1]!;
}

/**
 * The inputs of an operation, as many in each round. The first rounds are for the compiler, and don't count.
 */
export interface Rounds {
	readonly counted: number;
	readonly uncounted: number;
	readonly calls: number;
}

/**
 * The microseconds of a call: the median of the rounds. Synchronous functions are called without `await`,
 * which would take longer than some of them.
 *
 * @param inputs - as many as all rounds take
 */
export async function microsecondsEach<T>(
	{ counted, uncounted, calls }: Rounds,
	inputs: readonly T[],
	call: (input: T) => unknown,
	synchronous = false,
): Promise<number> {
	if (inputs.length !== (counted + uncounted) * calls)
		throw new Error(`${inputs.length} inputs are of another number.`);
	const rounds: number[] = [];
	for (let start = 0; start < inputs.length; start += calls) {
		const end = start + calls;
		const started = performance.now();
		if (synchronous) for (let index = start; index < end; index++) call(inputs[index]!);
		else for (let index = start; index < end; index++) await call(inputs[index]!);
		rounds.push(((performance.now() - started) * 1000) / calls);
	}
	return median(rounds.slice(uncounted));
}

/** The microseconds of a single run of a function. */
export async function microseconds(work: () => unknown): Promise<number> {
	const started = performance.now();
	await work();
	return (performance.now() - started) * 1000;
}

/**
 * Collects the garbage of earlier work, so that it doesn't slow down the next measurement. The collector goes
 * on for a while in other threads, which occupy the processors: a heap of a million nodes keeps it busy for a
 * tenth of a second.
 */
export async function collectGarbage(): Promise<void> {
	if (globalThis.gc === undefined) throw new Error("Node runs without --expose-gc.");
	globalThis.gc();
	const { heapUsed } = process.memoryUsage();
	await new Promise((resolve) => setTimeout(resolve, Math.min(1000, heapUsed / 1e6)));
}

import { expect } from "vitest";
import type { Kinds } from "./kinds.js";
import { Simulation, SimulationFailure } from "./simulation.js";

/** The steps of one simulation. */
const length = 250;

/**
 * Makes simulations, the first from a seed, each next one from the next seed.
 *
 * @param steps - the steps of all simulations together. With `OUTLINE_STEPS`, so many, without pinned seeds
 * @param kinds - the kinds of storage. Default: the default of {@link Simulation}
 * @param pinned - seeds of further simulations, which once found a fault
 * @throws a {@link SimulationFailure}; with `OUTLINE_SHRINK=1`, after looking for the fewest steps
 */
export async function simulateAll(
	seed: number,
	steps: number,
	kinds?: Kinds,
	pinned: readonly number[] = [],
): Promise<void> {
	const wanted = process.env.OUTLINE_STEPS;
	const count = wanted === undefined ? steps : Number(wanted);
	const simulations = Array.from({ length: Math.ceil(count / length) }, (_, index) => seed + index);
	const all = Array.from({ length: Math.min(length, count) }, (_, step) => step);
	for (const each of [...(wanted === undefined ? pinned : []), ...simulations]) {
		const begin = () => new Simulation(each, kinds);
		const simulation = begin();
		await simulation.run(all).catch(async (failure) => {
			throw process.env.OUTLINE_SHRINK === "1" ? await shrunk(failure, begin, all) : failure;
		});
		expect(simulation.agreements).toBeGreaterThan(0);
	}
}

/** Looks for the fewest steps of a simulation that end in the same kind of fault. Returns their failure. */
async function shrunk(failure: unknown, begin: () => Simulation, steps: readonly number[]): Promise<unknown> {
	if (!(failure instanceof SimulationFailure)) return failure;
	let best = failure;
	let left = steps.filter((step) => step <= failure.step);
	for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let start = 0; start < left.length; ) {
			const fewer = left.toSpliced(start, size);
			const found = fewer.length === 0 ? undefined : await failureOf(begin(), fewer);
			if (found !== undefined && kindOf(found) === kindOf(failure)) {
				best = found;
				left = fewer;
			} else start += size;
		}
	}
	return best;
}

async function failureOf(simulation: Simulation, steps: readonly number[]): Promise<SimulationFailure | undefined> {
	return simulation.run(steps).then(
		() => undefined,
		(error) => (error instanceof SimulationFailure ? error : undefined),
	);
}

/** The text of a fault without its ids, words and numbers. */
function kindOf({ fault }: SimulationFailure): string {
	return fault
		.split("\n")[0]!
		.slice(0, 120)
		.replaceAll(/[\da-f-]{36}|\d+/g, "");
}

import { expect } from "vitest";
import type { Kinds } from "./kinds.js";
import { Voyage, Wreck } from "./voyage.js";

/** The steps of one voyage. */
const length = 250;

/**
 * Makes voyages, the first from a seed, each next one from the next seed.
 *
 * @param steps - the steps of all voyages together. With `OUTLINE_STEPS`, so many, without pinned seeds
 * @param kinds - the kinds of storage. Default: the default of {@link Voyage}
 * @param pinned - seeds of further voyages, which once found a fault
 * @throws a {@link Wreck}; with `OUTLINE_SHRINK=1`, after looking for the fewest steps
 */
export async function sailAll(
	seed: number,
	steps: number,
	kinds?: Kinds,
	pinned: readonly number[] = [],
): Promise<void> {
	const wanted = process.env.OUTLINE_STEPS;
	const count = wanted === undefined ? steps : Number(wanted);
	const voyages = Array.from({ length: Math.ceil(count / length) }, (_, index) => seed + index);
	const all = Array.from({ length: Math.min(length, count) }, (_, step) => step);
	for (const each of [...(wanted === undefined ? pinned : []), ...voyages]) {
		const begin = () => new Voyage(each, kinds);
		const voyage = begin();
		await voyage.sail(all).catch(async (wreck) => {
			throw process.env.OUTLINE_SHRINK === "1" ? await shrunk(wreck, begin, all) : wreck;
		});
		expect(voyage.agreements).toBeGreaterThan(0);
	}
}

/** Looks for the fewest steps of a voyage that end in the same kind of fault. Returns their wreck. */
async function shrunk(wreck: unknown, begin: () => Voyage, steps: readonly number[]): Promise<unknown> {
	if (!(wreck instanceof Wreck)) return wreck;
	let best = wreck;
	let left = steps.filter((step) => step <= wreck.step);
	for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let start = 0; start < left.length; ) {
			const fewer = left.toSpliced(start, size);
			const found = fewer.length === 0 ? undefined : await wreckOf(begin(), fewer);
			if (found !== undefined && kindOf(found) === kindOf(wreck)) {
				best = found;
				left = fewer;
			} else start += size;
		}
	}
	return best;
}

async function wreckOf(voyage: Voyage, steps: readonly number[]): Promise<Wreck | undefined> {
	return voyage.sail(steps).then(
		() => undefined,
		(error) => (error instanceof Wreck ? error : undefined),
	);
}

/** The text of a fault without its ids, words and numbers. */
function kindOf({ fault }: Wreck): string {
	return fault
		.split("\n")[0]!
		.slice(0, 120)
		.replaceAll(/[\da-f-]{36}|\d+/g, "");
}

import { Voyage, Wreck } from "./voyage.js";

/** Looks for the fewest steps of a voyage that end in the same kind of fault. Returns their wreck. */
export async function shrunk(wreck: unknown, seed: number, steps: readonly number[]): Promise<unknown> {
	if (!(wreck instanceof Wreck)) return wreck;
	let best = wreck;
	let left = steps.filter((step) => step <= wreck.step);
	for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let start = 0; start < left.length; ) {
			const fewer = left.toSpliced(start, size);
			const found = fewer.length === 0 ? undefined : await wreckOf(seed, fewer);
			if (found !== undefined && kindOf(found) === kindOf(wreck)) {
				best = found;
				left = fewer;
			} else start += size;
		}
	}
	return best;
}

async function wreckOf(seed: number, steps: readonly number[]): Promise<Wreck | undefined> {
	return new Voyage(seed).sail(steps).then(
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

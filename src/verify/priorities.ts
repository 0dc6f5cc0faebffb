import { farthestSound, gap } from "../place/priority.js";

/** Whether a value can be a priority. */
export function isPriority(value: unknown): value is number {
	return Number.isSafeInteger(value) && isWithin(value as number);
}

/**
 * Priorities that are right and distinct, in the place of given ones that are in ascending order: as many as can stay, and
 * the order stays as well. Where they would leave the range, all are spread out anew.
 */
export function distinctPriorities(given: readonly number[]): number[] {
	const right: number[] = [];
	const first = given.findIndex(isWithin);
	// Those below the range go in front of the first within it, and those above it behind the last, with room between them.
	const start = first < 0 ? 0 : Math.floor(given[first]!) - gap * first;
	for (const [place, priority] of given.entries()) {
		const last = right.at(-1);
		if (last === undefined || place < first) right.push(start + gap * place);
		else if (isWithin(priority)) right.push(Math.max(Math.floor(priority), last + 1));
		else right.push(last + gap);
	}
	return right.every(isWithin) ? right : given.map((_, place) => gap * place);
}

function isWithin(priority: number): boolean {
	return Math.abs(priority) <= farthestSound;
}

/** Compares what stands in the place of priorities: what is no number comes last. */
export function comparePriorities(left: unknown, right: unknown): number {
	const [first, second] = [numberOf(left), numberOf(right)];
	return first === second ? 0 : first < second ? -1 : 1;
}

/** The number in the place of a priority; infinite for what is none. */
export function numberOf(value: unknown): number {
	return typeof value === "number" && !Number.isNaN(value) ? value : Number.POSITIVE_INFINITY;
}

/*
 * Long work in slices. A program that computes for a second answers no request and draws no frame meanwhile.
 * So all work that may take long pauses after each slice.
 */

// None of these is part of ECMAScript. Servers have the first, browsers and servers the second, every host
// the third.
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
declare const MessageChannel: (new () => Channel) | undefined;
declare function setTimeout(callback: () => void, milliseconds: number): unknown;

interface Channel {
	readonly port1: { onmessage: (() => void) | null };
	readonly port2: { postMessage(message: null): void };
}

/** The length of a slice of work in milliseconds. A frame of a screen takes 16, and the garbage collector up to 8 of it. */
const slice = 6;

/** Work that can pause: it yields after each step. A slice has time for many steps. */
export type Steps<T> = Generator<undefined, T, unknown>;

/** Runs all steps at once. */
export function finished<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/**
 * Runs steps in slices of time.
 *
 * @param pace - the pace of the work that includes these steps, if its slice may have begun. Default: a new
 * pace
 * @param paused - called after each pause
 */
export async function paced<T>(steps: Steps<T>, pace = new Pace(), paused?: () => void): Promise<T> {
	for (;;) {
		const step = steps.next();
		if (pace.isDue) {
			await pace.turn();
			paused?.();
		}
		if (step.done) return step.value;
	}
}

/** Measures slices of time. */
export class Pace {
	#since = Date.now();

	/** Whether the slice is over. */
	get isDue(): boolean {
		const elapsed = Date.now() - this.#since;
		// If the system clock is set back, a new slice begins.
		if (elapsed < 0) this.#since = Date.now();
		return elapsed >= slice;
	}

	/** Lets the host do other work, then begins the next slice. */
	async turn(): Promise<void> {
		await turn();
		this.#since = Date.now();
	}
}

/** Resolves when the host has done other work: its input and output, its timers, and drawing. */
export function turn(): Promise<void> {
	return new Promise((resolve) => next(resolve));
}

// A timer is the last choice, because browsers delay it: by a second in a hidden tab. Keeps the function of
// the host, because tests may replace it later by one that waits for their fake clock.
const next: (callback: () => void) => void =
	typeof setImmediate === "function"
		? setImmediate
		: typeof MessageChannel === "function"
			? throughChannel
			: (callback) => void setTimeout(callback, 0);

let channel: Channel | undefined;
const waiting: (() => void)[] = [];

function throughChannel(callback: () => void): void {
	if (channel === undefined) {
		channel = new MessageChannel!();
		channel.port1.onmessage = () => waiting.shift()?.();
	}
	waiting.push(callback);
	channel.port2.postMessage(null);
}

/** The number of items that a step sorts or merges. */
const itemsInStep = 1000;

/** Sorts items in steps: sorts parts of the array, then merges them two by two. */
export function* sorted<T>(items: readonly T[], compare: (left: T, right: T) => number): Steps<T[]> {
	if (items.length <= itemsInStep) return items.toSorted(compare);
	let stretches: T[][] = [];
	for (let start = 0; start < items.length; start += itemsInStep) {
		stretches.push(items.slice(start, start + itemsInStep).sort(compare));
		yield;
	}
	while (stretches.length > 1) {
		const merged: T[][] = [];
		for (let at = 0; at < stretches.length; at += 2) {
			const right = stretches[at + 1];
			merged.push(right === undefined ? stretches[at]! : yield* mergedOf(stretches[at]!, right, compare));
		}
		stretches = merged;
	}
	return stretches[0]!;
}

function* mergedOf<T>(left: readonly T[], right: readonly T[], compare: (left: T, right: T) => number): Steps<T[]> {
	const merged: T[] = [];
	let next = 0;
	for (const item of left) {
		while (next < right.length && compare(right[next]!, item) < 0) {
			if (merged.push(right[next++]!) % itemsInStep === 0) yield;
		}
		if (merged.push(item) % itemsInStep === 0) yield;
	}
	for (; next < right.length; next++) if (merged.push(right[next]!) % itemsInStep === 0) yield;
	return merged;
}

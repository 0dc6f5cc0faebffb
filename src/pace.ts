/*
 * How long work lets others have their turn. A program that computes for a second answers no request and draws no frame
 * meanwhile, so whatever may take long is cut into slices.
 */

// What isn't ECMAScript: servers have the first, browsers and servers the second, every host the third.
declare const setImmediate: ((callback: () => void) => unknown) | undefined;
declare const MessageChannel: (new () => Channel) | undefined;
declare function setTimeout(callback: () => void, milliseconds: number): unknown;

interface Channel {
	readonly port1: { onmessage: (() => void) | null };
	readonly port2: { postMessage(message: null): void };
}

/** How long a slice of work is, in milliseconds: a frame of a screen takes 16. */
const slice = 12;

/** Work that can be interrupted: it yields wherever others may have their turn, often enough and not too often. */
export type Steps<T> = Generator<undefined, T, unknown>;

/** Does all of the work at once. */
export function finished<T>(steps: Steps<T>): T {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/**
 * Does the work in slices.
 *
 * @param pace - of other work that this belongs to, whose slice may have begun already. Default: a new one
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

/** Measures slices of work. */
export class Pace {
	#since = Date.now();

	/** Whether the slice is over. */
	get isDue(): boolean {
		const elapsed = Date.now() - this.#since;
		// A clock that is set back begins a slice.
		if (elapsed < 0) this.#since = Date.now();
		return elapsed >= slice;
	}

	/** Lets others have their turn, then begins the next slice. */
	async turn(): Promise<void> {
		await turn();
		this.#since = Date.now();
	}
}

/** Resolves when others have had their turn: the input and output of the host, its timers, and what it draws. */
export function turn(): Promise<void> {
	return new Promise(next);
}

// A timer is the last choice: browsers make it wait, in a tab that isn't shown for a second.
const next: (callback: () => void) => void =
	typeof setImmediate === "function"
		? (callback) => void setImmediate(callback)
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

// Every host has these, although they aren't part of ECMAScript.
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };

/** Returns the milliseconds since some moment, by a clock that never jumps. */
export function steadyTime(): number {
	return performance.now();
}

/** Calls `start` and turns a synchronous throw into a rejection. An async function would add two promises. */
export function promised<T>(start: () => Promise<T>): Promise<T> {
	try {
		return start();
	} catch (error) {
		return Promise.reject(error);
	}
}

/** Calls `callback` after so many milliseconds. Returns a function to cancel it. Keeps no process alive. */
export function after(milliseconds: number, callback: () => void): () => void {
	const timer = setTimeout(callback, milliseconds);
	(timer as { unref?: () => void } | null)?.unref?.();
	return () => clearTimeout(timer);
}

/** Resolves after so many milliseconds. */
export function sleep(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Resolves or rejects as `work` does. Rejects with the error of `late` after so many milliseconds. */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
	let timer: unknown;
	const deadline = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(late()), milliseconds);
	});
	try {
		return await Promise.race([work, deadline]);
	} finally {
		clearTimeout(timer);
	}
}

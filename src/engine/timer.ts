// What isn't ECMAScript in the core: every host has these.
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Calls back after so many milliseconds, unless the function that it returns is called before. Keeps no process alive. */
export function after(milliseconds: number, callback: () => void): () => void {
	const timer = setTimeout(callback, milliseconds);
	(timer as { unref?: () => void } | null)?.unref?.();
	return () => clearTimeout(timer);
}

/** Resolves after so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What a promise comes to, or a rejection if that takes longer than so many milliseconds. */
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

// What isn't ECMAScript in the core: every host has these.
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

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

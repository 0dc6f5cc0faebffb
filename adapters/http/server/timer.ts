// Each runtime with the fetch standard has timers too.
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Calls back after a time in milliseconds. Returns a function that stops the timer. */
export function after(milliseconds: number, callback: () => void): () => void {
	const timer = setTimeout(callback, milliseconds);
	return () => clearTimeout(timer);
}

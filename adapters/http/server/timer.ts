// Every runtime that speaks the fetch standard has timers too.
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** Calls back after so many milliseconds, unless what it returns is called before. */
export function after(milliseconds: number, callback: () => void): () => void {
	const timer = setTimeout(callback, milliseconds);
	return () => clearTimeout(timer);
}

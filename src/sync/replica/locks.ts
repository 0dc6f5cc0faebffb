import type { RemoteSignal } from "./remote.js";

// Browsers have it, and newer versions of Node.
declare const navigator: { readonly locks?: Locks } | undefined;

interface Locks {
	request<T>(name: string, options: { signal: RemoteSignal }, work: () => Promise<T>): Promise<T>;
}

/** Does work while no other tab does work of the same name. Where there are no locks, does it at once. */
export function locked<T>(name: string, signal: RemoteSignal, work: () => Promise<T>): Promise<T> {
	const locks = typeof navigator === "object" ? navigator.locks : undefined;
	return locks === undefined ? work() : locks.request(name, { signal }, work);
}

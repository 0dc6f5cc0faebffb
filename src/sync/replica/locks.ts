import { after } from "../../engine/promises.js";
import type { RemoteSignal } from "./remote.js";

// Browsers have it, and newer versions of Node.
declare const navigator: { readonly locks?: Locks | null } | undefined;
declare const AbortController: new () => { readonly signal: RemoteSignal; abort(): void };

interface Locks {
	request<T>(name: string, options: { signal: RemoteSignal } | { steal: boolean }, work: () => Promise<T>): Promise<T>;
}

/**
 * Does work while no other tab does work of the same name. Where there are no locks, or the browser refuses one, does
 * it at once.
 *
 * @param patience - the most milliseconds to wait for other tabs, because the browser may have frozen one of them.
 * Then it takes the lock from that tab, so that the next work doesn't wait
 * @param steals - whether to take the lock from a tab that has it. There the work goes on. Without `patience`, the
 * returned promise rejects
 */
export async function locked<T>(
	name: string,
	signal: RemoteSignal,
	work: () => Promise<T>,
	patience?: number,
	steals = false,
): Promise<T> {
	const locks = typeof navigator === "object" ? navigator.locks : undefined;
	// A DOM without a browser may have `null` here.
	if (locks === undefined || locks === null) return work();
	const waiting = new AbortController();
	const end = () => waiting.abort();
	const stop = patience === undefined ? () => {} : after(patience, end);
	let held: Promise<T> | undefined;
	signal.addEventListener("abort", end);
	if (signal.aborted) end();
	try {
		// Browsers refuse the two options together.
		return await locks.request(name, steals ? { steal: true } : { signal: waiting.signal }, () => {
			stop();
			held = work();
			return held;
		});
	} catch (error) {
		// Work that doesn't wait for ever for other tabs may run beside theirs, so it goes on without its lock.
		if (signal.aborted || (held && !patience)) throw error;
		return held ?? (waiting.signal.aborted ? locked(name, signal, work, patience, true) : work());
	} finally {
		stop();
		signal.removeEventListener("abort", end);
	}
}

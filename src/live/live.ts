/**
 * Something that is worked out from an outline and stays up to date. `subscribe` and a function that gives `current` are what
 * the external stores of React, Preact, Solid and Svelte take.
 */
export interface Live<T> {
	/** As of the last commit that it has heard of. Another object whenever something has changed, and only then. */
	readonly current: T;
	/**
	 * Resolves when `current` has been worked out for the first time; rejects if that fails. If it fails and is never awaited, the
	 * error goes to `onError`, or surfaces as an unhandled rejection.
	 */
	readonly ready: Promise<void>;
	/** Calls a listener whenever `current` has become another one. Returns what ends it. */
	subscribe(listener: () => void): () => void;
	/** Ends it: `current` stays as it is. Closing twice is fine. */
	close(): void;
}

/** What every {@link Live} does: it holds what is current and tells whoever has subscribed. */
export class LiveValue<T> {
	#current: T;
	#closed = false;
	#first: Promise<void> | undefined;
	readonly #listeners = new Map<object, () => void>();

	constructor(first: T) {
		this.#current = first;
	}

	get current(): T {
		return this.#current;
	}

	/** Whether nobody wants to know any more. */
	protected get closed(): boolean {
		return this.#closed;
	}

	subscribe(listener: () => void): () => void {
		const token = {};
		this.#listeners.set(token, listener);
		return () => void this.#listeners.delete(token);
	}

	close(): void {
		this.#closed = true;
		this.#listeners.clear();
		this.#first?.catch(() => {});
	}

	/**
	 * Passes an error of the first reading to `onError`. Without one it is left to the promise, which a caller may await or not.
	 */
	protected reportFirst(ready: Promise<void>, onError: ((error: unknown) => void) | undefined): Promise<void> {
		this.#first = ready;
		if (onError !== undefined) this.report(ready, onError);
		return ready;
	}

	/** Passes errors in the background to `onError`, until it is closed. */
	protected report(work: Promise<void>, onError: (error: unknown) => void): void {
		work.catch((error: unknown) => {
			if (!this.#closed) onError(error);
		});
	}

	/** Makes another value the current one. A listener that throws keeps nobody else from hearing. */
	protected publish(next: T): void {
		if (this.#closed) return;
		this.#current = next;
		for (const [token, listener] of [...this.#listeners]) {
			if (!this.#listeners.has(token)) continue;
			try {
				listener();
			} catch (error) {
				surface(error);
			}
		}
	}
}

/** Has an error that nobody waits for surface as an unhandled rejection. */
export function surface(error: unknown): void {
	void Promise.reject(error);
}

/**
 * Something that is worked out from an outline and stays up to date. `subscribe` and a function that gives `current` are what
 * the external stores of React, Preact, Solid and Svelte take.
 */
export interface Live<T> {
	/** As of the last commit that it has heard of. Another object whenever something has changed, and only then. */
	readonly current: T;
	/** Resolves when `current` has been worked out for the first time; rejects if that fails. */
	readonly ready: Promise<void>;
	/** Calls a listener whenever `current` has become another one. Returns what ends it. */
	subscribe(listener: () => void): () => void;
	/** Ends it: `current` stays as it is. Closing twice is fine. */
	close(): void;
}

/** Those who hear of changes. One that throws keeps nobody else from hearing: its error surfaces as an unhandled rejection. */
export class Listeners {
	readonly #listeners = new Map<object, () => void>();

	/** Adds a listener. Returns what removes it. */
	add(listener: () => void): () => void {
		const token = {};
		this.#listeners.set(token, listener);
		return () => void this.#listeners.delete(token);
	}

	/** Calls each. */
	call(): void {
		for (const [token, listener] of [...this.#listeners]) {
			if (!this.#listeners.has(token)) continue;
			try {
				listener();
			} catch (error) {
				void Promise.reject(error);
			}
		}
	}

	/** Removes all. */
	clear(): void {
		this.#listeners.clear();
	}
}

import { notifyAll } from "../engine/listeners.js";
import { OutlineError } from "../errors.js";
import { assertFunction } from "../fields.js";

/**
 * A value that is computed from an outline and stays up to date. React's `useSyncExternalStore` and Solid's
 * `from` take it as it is. `outlinekit/react`, `/vue`, `/svelte` and `/solid` also open and close it.
 */
export interface Live<T> {
	/** The value as of the last commit. It is a new object if, and only if, something changed. */
	readonly current: T;
	/**
	 * Resolves when `current` has been computed for the first time; rejects if that fails. If it fails and
	 * the caller never awaits it, the error goes to `onError`, or surfaces as an unhandled rejection.
	 */
	readonly ready: Promise<void>;
	/**
	 * Calls a listener with the new value whenever `current` is replaced, but not at once. Returns a function
	 * that ends the subscription.
	 *
	 * @throws `invalid_argument` if the listener isn't a function
	 */
	subscribe(listener: (current: T) => void): () => void;
	/** Stops updating: `current` stays as it is. Closing twice is allowed. */
	close(): void;
}

/** The part that every {@link Live} shares: it holds the current value and notifies the listeners. */
export class LiveValue<T> {
	#current: T;
	#closed = false;
	#first: Promise<void> | undefined;
	readonly #listeners = new Map<object, (current: T) => void>();

	constructor(first: T) {
		this.#current = first;
	}

	get current(): T {
		return this.#current;
	}

	/** Whether the host has called `close`. */
	protected get closed(): boolean {
		return this.#closed;
	}

	subscribe(listener: (current: T) => void): () => void {
		assertFunction("subscribe's listener", listener);
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
	 * Passes an error of the first read to `onError`. Without `onError`, the error stays with the promise,
	 * which a caller may await or not.
	 */
	protected reportFirst(ready: Promise<void>, onError: ((error: unknown) => void) | undefined): Promise<void> {
		this.#first = ready;
		if (onError !== undefined) this.report(ready, onError);
		return ready;
	}

	/** Passes background errors to `onError` until the host closes this value, or the outline that it reads. */
	protected report(work: Promise<void>, onError: (error: unknown) => void): void {
		work.catch((error: unknown) => {
			if (!this.#closed && (error as OutlineError | undefined)?.code !== "closed") onError(error);
		});
	}

	/** Replaces the current value and notifies the listeners, even if one of them throws. */
	protected publish(next: T): void {
		if (this.#closed) return;
		this.#current = next;
		// A listener may change the value, which notifies all listeners of the newer one.
		notifyAll(this.#listeners, next, () => Object.is(this.#current, next));
	}
}

/** Checks that an outline has the methods that a live value uses. @throws `invalid_argument` */
export function assertOutline(outline: object | undefined, methods: readonly string[]): void {
	if (outline == null) throw new OutlineError("invalid_argument", `outline is ${outline}. It must be an Outline.`);
	for (const method of methods) assertFunction(`outline.${method}`, (outline as Record<string, unknown>)[method]);
}

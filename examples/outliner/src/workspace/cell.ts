/** A value that views follow: like a `Live` of the package, but with a setter. */
export class Cell<T> {
	#current: T;
	readonly #listeners = new Set<() => void>();

	constructor(first: T) {
		this.#current = first;
	}

	get current(): T {
		return this.#current;
	}

	set(next: T): void {
		if (next === this.#current) return;
		this.#current = next;
		for (const listener of [...this.#listeners]) listener();
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}
}

/**
 * Does things one after the other. What is typed while something is being done is kept, and typed when it is done: so the
 * letters that follow Enter come into the new node, however fast they come.
 */
export class Queue {
	readonly #type: (event: KeyboardEvent) => unknown;
	readonly #onError: (error: unknown) => void;
	readonly #works: { readonly work: () => Promise<unknown>; readonly done: () => void }[] = [];
	#held: KeyboardEvent[] = [];
	#busy = false;

	/**
	 * @param type - does what a key that was held means: at once, or until the promise resolves
	 * @param onError - told what something threw; what was typed behind it is forgotten
	 */
	constructor(type: (event: KeyboardEvent) => unknown, onError: (error: unknown) => void) {
		this.#type = type;
		this.#onError = onError;
	}

	/** Whether something is being done. */
	get busy(): boolean {
		return this.#busy;
	}

	/** Keeps a key until what is being done is done. */
	hold(event: KeyboardEvent): void {
		this.#held.push(event);
	}

	/** Forgets the keys that are held. */
	forget(): void {
		this.#held = [];
	}

	/** Does something as soon as nothing else is being done, before any key that is held. Resolves when it is done. */
	run(work: () => Promise<unknown>): Promise<void> {
		return new Promise((done) => {
			this.#works.push({ work, done });
			if (!this.#busy) void this.#go();
		});
	}

	async #go(): Promise<void> {
		this.#busy = true;
		for (;;) {
			const next = this.#works.shift();
			const key = next === undefined ? this.#held.shift() : undefined;
			if (next === undefined && key === undefined) break;
			try {
				await (next === undefined ? this.#type(key!) : next.work());
			} catch (error) {
				this.#held = [];
				this.#onError(error);
			}
			next?.done();
		}
		this.#busy = false;
	}
}

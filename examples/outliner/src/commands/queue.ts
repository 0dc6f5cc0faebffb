/**
 * Runs functions one after the other. Holds keys while one runs, and types them when it ends. So the
 * letters after Enter go into the new node, however fast the user types.
 */
export class Queue {
	readonly #type: (event: KeyboardEvent) => unknown;
	readonly #onError: (error: unknown, held: readonly KeyboardEvent[]) => void;
	readonly #works: { readonly work: () => Promise<unknown>; readonly done: () => void }[] = [];
	#held: KeyboardEvent[] = [];
	#busy = false;

	/**
	 * @param type - handles a held key: at once, or until the promise resolves
	 * @param onError - gets the error of a function, and the keys held behind it, which are not typed
	 */
	constructor(
		type: (event: KeyboardEvent) => unknown,
		onError: (error: unknown, held: readonly KeyboardEvent[]) => void,
	) {
		this.#type = type;
		this.#onError = onError;
	}

	/** Whether a function runs. */
	get busy(): boolean {
		return this.#busy;
	}

	/** Holds a key until the running function ends. */
	hold(event: KeyboardEvent): void {
		this.#held.push(event);
	}

	/** Forgets the held keys. */
	forget(): void {
		this.#held = [];
	}

	/** Runs a function as soon as no other one runs, before any held key. Resolves when it ends. */
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
				const held = this.#held;
				this.#held = [];
				this.#onError(error, held);
			}
			next?.done();
		}
		this.#busy = false;
	}
}

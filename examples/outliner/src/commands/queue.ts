/**
 * Runs functions one after the other. Holds input, such as keys, while one runs, and handles it when it ends.
 * So the letters after Enter go into the new node, however fast the user types.
 */
export class Queue<Input> {
	readonly #handle: (input: Input) => unknown;
	readonly #onError: (error: unknown, held: readonly Input[]) => void;
	readonly #works: { readonly work: () => Promise<unknown>; readonly done: () => void }[] = [];
	#held: Input[] = [];
	#busy = false;

	/**
	 * @param handle - handles held input: at once, or until the promise resolves
	 * @param onError - gets the error of a function, and the input held behind it, which is not handled
	 */
	constructor(handle: (input: Input) => unknown, onError: (error: unknown, held: readonly Input[]) => void) {
		this.#handle = handle;
		this.#onError = onError;
	}

	/** Whether a function runs. */
	get busy(): boolean {
		return this.#busy;
	}

	/** Holds input until the running function ends. */
	hold(input: Input): void {
		this.#held.push(input);
	}

	/** Forgets the held input. */
	forget(): void {
		this.#held = [];
	}

	/** Runs a function as soon as no other one runs, before any held input. Resolves when it ends. */
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
			const input = next === undefined ? this.#held.shift() : undefined;
			if (next === undefined && input === undefined) break;
			try {
				await (next === undefined ? this.#handle(input!) : next.work());
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

import { OutlineError } from "../../src/errors.js";

/** The end of the time that a piece of work has. */
export class Deadline {
	readonly #timeout: number;
	readonly #end: number;

	/** @param timeout - from now, in milliseconds */
	constructor(timeout: number) {
		this.#timeout = timeout;
		this.#end = performance.now() + timeout;
	}

	/** The milliseconds until then. */
	get left(): number {
		return this.#end - performance.now();
	}

	/**
	 * Waits for something, but no longer than that.
	 *
	 * @param what - the server was to do, for the message
	 * @throws `storage_unavailable` when it is late; nobody waits for it any more then
	 */
	async wait<T>(work: Promise<T>, what: string): Promise<T> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<never>((_, reject) => {
			timer = setTimeout(() => {
				const message = `The database server took longer than the ${this.#timeout} ms that it has to ${what}.`;
				reject(new OutlineError("storage_unavailable", message));
			}, this.left);
		});
		work.catch(() => {});
		try {
			return await Promise.race([work, late]);
		} finally {
			clearTimeout(timer);
		}
	}
}

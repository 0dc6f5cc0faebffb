import { OutlineError } from "../../src/errors.js";

/** The end of the time for a piece of work. */
export class Deadline {
	readonly #timeout: number;
	readonly #end: number;

	/** @param timeout - the milliseconds from now */
	constructor(timeout: number) {
		this.#timeout = timeout;
		this.#end = performance.now() + timeout;
	}

	/** The milliseconds that are left. */
	get left(): number {
		return this.#end - performance.now();
	}

	/**
	 * Waits for work until the deadline.
	 *
	 * @param what - the task of the server, for the message
	 * @throws `storage_unavailable` if the work is late; its later result is ignored
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

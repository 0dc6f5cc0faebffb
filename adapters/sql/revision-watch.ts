import type { CommitNotice } from "../../src/storage.js";

/**
 * Tells listeners that an outline's revision has moved: at once for commits made here, and for others' by asking now and
 * then, as long as anybody listens.
 */
export class RevisionWatch {
	readonly #read: () => Promise<number>;
	readonly #interval: number;
	readonly #listeners = new Map<object, (notice: CommitNotice) => void>();
	#told = 0;
	#timer: ReturnType<typeof setInterval> | undefined;
	#looking = false;
	#lookAgain = false;

	/**
	 * @param read - gives the outline's revision
	 * @param interval - between two looks, in milliseconds
	 */
	constructor(read: () => Promise<number>, interval: number) {
		this.#read = read;
		this.#interval = interval;
	}

	/** Whether anybody listens. */
	get active(): boolean {
		return this.#listeners.size > 0;
	}

	/** Adds a listener; returns what removes it. */
	add(listener: (notice: CommitNotice) => void): () => void {
		if (!this.active) {
			this.#timer = setInterval(() => void this.look(), this.#interval);
			// Listening alone must not keep a process alive. Browsers' timers have no such thing.
			(this.#timer as { unref?(): void }).unref?.();
			void this.look();
		}
		const token = {};
		this.#listeners.set(token, listener);
		return () => {
			if (this.#listeners.delete(token) && !this.active) this.stop();
		};
	}

	/** Tells of a commit. */
	tell(revision: number): void {
		if (revision <= this.#told) return;
		this.#told = revision;
		for (const [token, listener] of [...this.#listeners]) {
			if (!this.#listeners.has(token)) continue;
			try {
				listener({ revision });
			} catch (error) {
				// A commit doesn't fail because of who hears of it: the error surfaces as unhandled.
				void Promise.reject(error);
			}
		}
	}

	/** Looks whether the revision has moved. */
	async look(): Promise<void> {
		this.#lookAgain = true;
		if (this.#looking) return;
		this.#looking = true;
		while (this.#lookAgain && this.active) {
			this.#lookAgain = false;
			// A storage that can't be read now has nothing to tell; the next look may find it back.
			this.tell(await this.#read().catch(() => 0));
		}
		this.#looking = false;
	}

	/** Removes every listener. */
	stop(): void {
		this.#listeners.clear();
		clearInterval(this.#timer);
		this.#told = 0;
	}
}

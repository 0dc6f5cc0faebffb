import { notifyAll } from "../../src/engine/listeners.js";
import type { CommitNotice } from "../../src/storage.js";

/**
 * Notifies listeners when an outline's revision has increased: at once for commits of this storage, and by
 * polling for other commits, as long as there is a listener.
 */
export class RevisionWatch {
	readonly #read: () => Promise<number>;
	readonly #interval: number;
	readonly #listeners = new Map<object, (notice: CommitNotice) => void>();
	#notified = 0;
	#timer: ReturnType<typeof setInterval> | undefined;
	#polling = false;
	#pollAgain = false;

	/**
	 * @param read - resolves with the outline's revision
	 * @param interval - the milliseconds between two polls
	 */
	constructor(read: () => Promise<number>, interval: number) {
		this.#read = read;
		this.#interval = interval;
	}

	/** Whether there is a listener. */
	get active(): boolean {
		return this.#listeners.size > 0;
	}

	/** Adds a listener. Returns a function that removes it. */
	add(listener: (notice: CommitNotice) => void): () => void {
		if (!this.active) {
			this.#timer = setInterval(() => void this.poll(), this.#interval);
			// Listening alone must not keep a process alive. Browsers' timers have no such method.
			(this.#timer as { unref?(): void }).unref?.();
			void this.poll();
		}
		const token = {};
		this.#listeners.set(token, listener);
		return () => {
			if (this.#listeners.delete(token) && !this.active) this.stop();
		};
	}

	/** Notifies the listeners of a commit. */
	notify(revision: number): void {
		if (revision <= this.#notified) return;
		this.#notified = revision;
		notifyAll(this.#listeners, { revision });
	}

	/** Polls the revision. */
	async poll(): Promise<void> {
		this.#pollAgain = true;
		if (this.#polling) return;
		this.#polling = true;
		while (this.#pollAgain && this.active) {
			this.#pollAgain = false;
			// If the storage can't be read now, there is no news; a later poll may succeed.
			this.notify(await this.#read().catch(() => 0));
		}
		this.#polling = false;
	}

	/** Removes every listener. */
	stop(): void {
		this.#listeners.clear();
		clearInterval(this.#timer);
		this.#notified = 0;
	}
}

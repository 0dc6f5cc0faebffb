import type { OutlineEvent } from "../change.js";
import type { Outline } from "../outline.js";
import { Listeners, type Live } from "./live.js";

/** What {@link liveQuery} takes besides. */
export interface LiveQueryOptions {
	/** Whether a commit may change the answer. Default: each may. */
	concerns?: ((event: OutlineEvent) => boolean) | undefined;
	/** Told what a later reading throws; `current` stays as it was then. Default: it surfaces as an unhandled rejection. */
	onError?: ((error: unknown) => void) | undefined;
}

/**
 * An answer that stays up to date: `read` is called at once, and again after each commit that may change what it gives, one
 * call at a time. `current` is undefined until it has been read.
 *
 * @param read - any reading of the outline, such as `() => outline.search("is:todo")`
 * @throws `closed`
 */
export function liveQuery<T>(
	outline: Pick<Outline, "subscribe">,
	read: () => Promise<T>,
	{ concerns = () => true, onError = surface }: LiveQueryOptions = {},
): Live<T | undefined> {
	return new LiveQuery(outline, read, concerns, onError);
}

class LiveQuery<T> implements Live<T | undefined> {
	current: T | undefined;
	readonly ready: Promise<void>;
	readonly #read: () => Promise<T>;
	readonly #listeners = new Listeners();
	readonly #unsubscribe: () => void;
	#reading = false;
	/** Whether something has been committed since the reading under way began. */
	#stale = false;
	#closed = false;

	constructor(
		outline: Pick<Outline, "subscribe">,
		read: () => Promise<T>,
		concerns: (event: OutlineEvent) => boolean,
		onError: (error: unknown) => void,
	) {
		this.#read = read;
		this.#unsubscribe = outline.subscribe((event) => {
			if (!concerns(event)) return;
			if (this.#reading) this.#stale = true;
			else void this.#refresh().catch(onError);
		});
		this.ready = this.#refresh();
		// Whoever doesn't wait for it sees no answer, and needn't be told twice.
		this.ready.catch(() => {});
	}

	subscribe(listener: () => void): () => void {
		return this.#listeners.add(listener);
	}

	close(): void {
		this.#closed = true;
		this.#unsubscribe();
		this.#listeners.clear();
	}

	async #refresh(): Promise<void> {
		this.#reading = true;
		try {
			let answer: T;
			do {
				this.#stale = false;
				answer = await this.#read();
			} while (this.#stale && !this.#closed);
			if (this.#closed) return;
			this.current = answer;
		} finally {
			this.#reading = false;
		}
		this.#listeners.call();
	}
}

function surface(error: unknown): void {
	void Promise.reject(error);
}

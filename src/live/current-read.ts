import { promised } from "../engine/promises.js";
import { OutlineError } from "../errors.js";

/**
 * A read of an outline as it is now. If a commit happens meanwhile, it reads again, because the answer or the
 * error may be of the time before the commit.
 */
export class CurrentRead<T> {
	readonly #read: () => Promise<T>;
	readonly #use: (answer: T) => void;
	readonly #isClosed: () => boolean;
	#underWay: Promise<void> | undefined;
	#outdated = false;

	/** @param use - receives the answer, before another commit can happen */
	constructor(read: () => Promise<T>, use: (answer: T) => void, isClosed: () => boolean) {
		this.#read = read;
		this.#use = use;
		this.#isClosed = isClosed;
	}

	/** Reads, unless a read is under way. Rejects with the errors of the read. */
	start(): Promise<void> {
		this.#underWay ??= this.#run();
		return this.#underWay;
	}

	/** Records a commit. Returns whether a read is under way, which then reads again. */
	outdate(): boolean {
		this.#outdated = true;
		return this.#underWay !== undefined;
	}

	async #run(): Promise<void> {
		try {
			for (;;) {
				this.#outdated = false;
				try {
					const answer = await promised(this.#read);
					if (this.#isCurrent) return this.#use(answer);
				} catch (error) {
					if (this.#isCurrent) throw error;
				}
			}
		} finally {
			this.#underWay = undefined;
		}
	}

	get #isCurrent(): boolean {
		return !this.#outdated || this.#isClosed();
	}
}

/** Returns undefined for the error of a node that doesn't exist. @throws any other error */
export function unlessMissing(error: unknown): undefined {
	if (!(error instanceof OutlineError && error.code === "not_found")) throw error;
	return undefined;
}

import { OutlineError } from "../errors.js";
import type { Settings } from "./settings.js";

/** Adds up the size of one commit, so that it can be refused before it fills the memory. */
export class CommitSize {
	readonly #limit: number;
	readonly #advice: string;
	#size = 0;

	/** @param advice - a way to smaller commits, as the beginning of a sentence: "Import it in parts" */
	constructor({ limits }: Settings, advice: string) {
		this.#limit = limits.commit;
		this.#advice = advice;
	}

	/** Adds so many characters: see `sizeOfRecord`. @throws `too_large` */
	add(characters: number): void {
		this.#size += characters;
		assertCommitSize(this.#size, this.#limit, this.#advice);
	}
}

/**
 * Throws if a commit would be too large, before the storage receives it.
 *
 * @param size - as {@link Changes.size} counts it, at least
 * @throws `too_large`
 */
export function assertCommitSize(size: number, limit: number, advice = "Do it in several steps"): void {
	if (size <= limit) return;
	throw new OutlineError(
		"too_large",
		`This commit would have ${size} characters, of which 64 are for each node, key and document. The limit is ${limit}. ${advice}, or raise limits.commit.`,
	);
}

import type { Exploration } from "./exploration.js";

/** The number of nodes that an exploration may learn before a new one is better. */
const growth = 65_536;

/**
 * Keeps the exploration of a scope from one operation to the next, as long as the outline doesn't change. So
 * a walk through a deep outline doesn't read the ancestors of each page again.
 */
export class ScopeMemory {
	#revision = -1;
	#exploration: Exploration | undefined;
	/** The last exploration, and the most nodes that it may learn. */
	#last: Exploration | undefined;
	#limit = 0;

	/** Removes and returns the exploration, of any revision. An operation that fails doesn't keep it again. */
	take(): Exploration | undefined {
		const exploration = this.#exploration;
		this.#exploration = undefined;
		return exploration;
	}

	/** Whether the last exploration is of a revision. */
	isOf(revision: number): boolean {
		return this.#revision === revision;
	}

	/** Keeps an exploration of a revision. */
	keep(exploration: Exploration, revision: number): void {
		if (exploration !== this.#last) this.#limit = 2 * exploration.size + growth;
		this.#last = exploration;
		this.#exploration = exploration.size > this.#limit ? undefined : exploration;
		this.#revision = revision;
	}
}

import type { Exploration } from "./exploration.js";

/** How many nodes more than at first may be known before it is better to begin anew. */
const growth = 65_536;

/**
 * What a scope remembers from one reading to the next, as long as the outline hasn't changed. So a walk that goes down a long
 * way needn't look up the way to the top at each step.
 */
export class ScopeMemory {
	#revision = -1;
	#exploration: Exploration | undefined;
	/** What was kept last, and how many nodes it may know of. */
	#last: Exploration | undefined;
	#limit = 0;

	/** Takes out what is remembered, of whatever revision: who goes on with it may be broken off. */
	take(): Exploration | undefined {
		const exploration = this.#exploration;
		this.#exploration = undefined;
		return exploration;
	}

	/** Whether what was remembered last is of a revision. */
	isOf(revision: number): boolean {
		return this.#revision === revision;
	}

	/** Remembers what has been found out at a revision. */
	keep(exploration: Exploration, revision: number): void {
		if (exploration !== this.#last) this.#limit = 2 * exploration.size + growth;
		this.#last = exploration;
		this.#exploration = exploration.size > this.#limit ? undefined : exploration;
		this.#revision = revision;
	}
}

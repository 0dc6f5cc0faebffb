import type { Step } from "./step.js";

/** How many dropped steps may stay in the list before it is cut: cutting it for each would move all others every time. */
const slack = 64;

/** Steps, the newest on top, of which the oldest are dropped when there are too many. */
export class StepStack {
	readonly #steps: (Step | undefined)[] = [];
	/** How many at the bottom have been dropped. */
	#dropped = 0;
	#size = 0;

	/** How many steps there are. */
	get count(): number {
		return this.#steps.length - this.#dropped;
	}

	/** How much memory they take, in bytes. */
	get size(): number {
		return this.#size;
	}

	/** The newest. */
	get top(): Step | undefined {
		return this.#steps.at(-1);
	}

	/** Puts a step on top. */
	push(step: Step): void {
		this.#steps.push(step);
		this.#size += step.size;
	}

	/** Takes off the newest. */
	pop(): void {
		if (this.count > 0) this.#size -= this.#steps.pop()!.size;
	}

	/** Drops the oldest. */
	drop(): void {
		this.#size -= this.#steps[this.#dropped]!.size;
		this.#steps[this.#dropped++] = undefined;
		if (this.#dropped <= slack) return;
		this.#steps.splice(0, this.#dropped);
		this.#dropped = 0;
	}

	/** Takes off all. */
	clear(): void {
		this.#steps.length = 0;
		this.#dropped = 0;
		this.#size = 0;
	}
}

import type { HistorySettings } from "../engine/settings.js";
import { isEmpty, merged, type Step } from "./step.js";

/** The two directions of the history. */
export type Direction = "undo" | "redo";

/** The numbers of steps of an outline. */
export interface HistoryCounts {
	/** The number of steps that `undo` can undo, one at a time. */
	readonly undo: number;
	/** The number of steps that `redo` can redo. */
	readonly redo: number;
}

/** An undo step, as it was undone or redone. */
export interface HistoryStep {
	/** The method that made the change, such as `move` or `batch`. */
	operation: string;
	/** The ids of the nodes that it changed, created or deleted. */
	nodeIds: string[];
}

/** The result of adding a step. */
export interface Added {
	/** Whether it joined the newest step so far. The joined step replaces that one. */
	readonly grown: boolean;
	/** The step that was added: the joined one, or the new one. Undefined if it changes nothing. */
	readonly added: Step | undefined;
	/** The number of the oldest steps that were forgotten. */
	readonly forgotten: number;
}

/**
 * The undo steps of an outline, and the undone steps that can be redone. The newest come last; the oldest are
 * dropped.
 */
export class History {
	readonly #settings: HistorySettings;
	readonly #steps = { undo: new StepStack(), redo: new StepStack() } as const;
	/** Whether a further edit may still join the newest step. */
	#growing = false;
	readonly #listeners = new Set<() => unknown>();
	/** The numbers of steps. It is a new object after each change. */
	counts: HistoryCounts = { undo: 0, redo: 0 };

	constructor(settings: HistorySettings) {
		this.#settings = settings;
	}

	/** Calls a listener after each change of the steps. Returns a function that removes it. */
	subscribe(listener: (counts: HistoryCounts) => void): () => void {
		// An error of the listener becomes an unhandled rejection.
		const notify = async () => listener(this.counts);
		this.#listeners.add(notify);
		return () => {
			this.#listeners.delete(notify);
		};
	}

	/** @param growing - whether a further edit may join the newest step */
	#changed(growing: boolean): void {
		const { undo, redo } = this.#steps;
		this.#growing = growing;
		this.counts = { undo: undo.count, redo: redo.count };
		for (const notify of this.#listeners) notify();
	}

	/** The next step in a direction. */
	next(direction: Direction): Step | undefined {
		return this.#steps[direction].top;
	}

	/** Adds the step of a new operation, unless it changed nothing, and forgets the steps to redo. */
	add(step: Step): Added {
		if (isEmpty(step)) return { grown: false, added: undefined, forgotten: 0 };
		const { undo, redo } = this.#steps;
		const { steps, bytes } = this.#settings;
		redo.clear();
		const grown = this.#growing && undo.top !== undefined ? this.#grown(undo.top, step) : undefined;
		if (grown !== undefined) undo.pop();
		// Edits that set a text back leave nothing to undo.
		const added = grown !== undefined && isEmpty(grown) ? undefined : (grown ?? step);
		if (added !== undefined) undo.push(added);
		let forgotten = 0;
		for (; undo.count > steps || (undo.count > 1 && undo.size > bytes); forgotten++) undo.drop();
		this.#changed(added !== undefined);
		return { grown: grown !== undefined, added, forgotten };
	}

	/** Joins a new step with the newest one. Returns undefined if they don't belong together. */
	#grown(last: Step, step: Step): Step | undefined {
		const { bytes, groupWithin, groupLength } = this.#settings;
		// A stored history keeps no step of more than half of the bytes.
		if (step.join !== undefined) return last.size + step.size > bytes / 2 ? undefined : step.join(last, step);
		const pause = step.moment - last.moment;
		return pause >= 0 && pause < groupWithin ? merged(last, step, groupLength) : undefined;
	}

	/** Ends the newest step: no further edit joins it. */
	end(): void {
		this.#growing = false;
	}

	/** Takes stored steps, the oldest first, in place of the steps so far. */
	replace(stored: Iterable<readonly [Direction, Step]>): void {
		const { undo, redo } = this.#steps;
		undo.clear();
		redo.clear();
		for (const [direction, step] of stored) this.#steps[direction].push(step);
		this.#changed(false);
	}

	/**
	 * Moves on by one step. `reversal` holds the changes that reverted it, and becomes the next step in the
	 * other direction, even if it is empty.
	 */
	go(direction: Direction, reversal: Step): void {
		this.#steps[direction].pop();
		this.#steps[direction === "undo" ? "redo" : "undo"].push(reversal);
		this.#changed(false);
	}

	/** Forgets all steps. */
	clear(): void {
		this.replace([]);
	}
}

/**
 * The number of dropped steps that may stay in the array. Cutting it for each would move all other steps
 * every time.
 */
const slack = 64;

/** Steps with the newest on top, from whose bottom the oldest can be dropped. */
class StepStack {
	readonly #steps: (Step | undefined)[] = [];
	/** The number of dropped steps at the bottom. */
	#dropped = 0;
	#size = 0;

	/** The number of steps. */
	get count(): number {
		return this.#steps.length - this.#dropped;
	}

	/** The memory of all steps, in bytes. */
	get size(): number {
		return this.#size;
	}

	/** The newest step. */
	get top(): Step | undefined {
		return this.#steps.at(-1);
	}

	/** Puts a step on top. */
	push(step: Step): void {
		this.#steps.push(step);
		this.#size += step.size;
	}

	/** Removes the newest step. */
	pop(): void {
		if (this.count > 0) this.#size -= this.#steps.pop()!.size;
	}

	/** Removes the oldest step. */
	drop(): void {
		this.#size -= this.#steps[this.#dropped]!.size;
		this.#steps[this.#dropped++] = undefined;
		if (this.#dropped <= slack) return;
		this.#steps.splice(0, this.#dropped);
		this.#dropped = 0;
	}

	/** Removes all steps. */
	clear(): void {
		this.#steps.length = 0;
		this.#dropped = 0;
		this.#size = 0;
	}
}

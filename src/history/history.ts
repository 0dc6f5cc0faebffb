import type { HistorySettings } from "../engine/settings.js";
import { isEmpty, merged, type Step } from "./step.js";
import { StepStack } from "./step-stack.js";

/** The two ways through the history. */
export type Direction = "undo" | "redo";

/** The steps that can be undone, and those that have been undone and can be redone; bounded. The newest come last. */
export class History {
	readonly #settings: HistorySettings;
	readonly #steps = { undo: new StepStack(), redo: new StepStack() } as const;
	/** Whether the last step may still grow by a further edit. */
	#growing = false;

	constructor(settings: HistorySettings) {
		this.#settings = settings;
	}

	/** How many steps lie in a direction. */
	count(direction: Direction): number {
		return this.#steps[direction].count;
	}

	/** The next step in a direction. */
	next(direction: Direction): Step | undefined {
		return this.#steps[direction].top;
	}

	/** Adds what has just been done, if it has changed anything. What was undone before can't be redone any more. */
	add(step: Step): void {
		if (isEmpty(step)) return;
		const { undo, redo } = this.#steps;
		const { steps, bytes, groupWithin } = this.#settings;
		redo.clear();
		const last = undo.top;
		const pause = last === undefined ? Number.NaN : step.moment - last.moment;
		const grown = this.#growing && pause >= 0 && pause < groupWithin ? merged(last!, step) : undefined;
		if (grown !== undefined) undo.pop();
		undo.push(grown ?? step);
		this.#growing = true;
		while (undo.count > steps || (undo.count > 1 && undo.size > bytes)) undo.drop();
	}

	/** Goes one step: `reversal` is what took the step back, to be gone the other way, even if nothing was left to do. */
	go(direction: Direction, reversal: Step): void {
		this.#steps[direction].pop();
		this.#steps[direction === "undo" ? "redo" : "undo"].push(reversal);
		this.#growing = false;
	}

	/** Forgets everything. */
	clear(): void {
		this.#steps.undo.clear();
		this.#steps.redo.clear();
	}
}

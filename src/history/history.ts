import { OutlineError, quoted } from "../errors.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { isEmpty, merged, type Step } from "./step.js";

/** The limits of the history. */
export interface HistoryOptions {
	/** The most undo steps, 0 to 10,000; 0 keeps no history at all. Default 100. */
	steps?: number | undefined;
	/**
	 * The most memory of all undo steps, in bytes: two for each character of their texts, and 128 for each
	 * record and key. The history keeps the newest step however large it is. Default 67,108,864.
	 */
	bytes?: number | undefined;
	/**
	 * The longest pause, in milliseconds, between two updates that become one undo step. They must update the
	 * same fields of one node, as typing does. Default 0: each update is a step of its own.
	 */
	groupWithin?: number | undefined;
}

/** {@link HistoryOptions}, checked and complete. */
export type HistorySettings = { readonly [K in keyof Required<HistoryOptions>]: number };

const optionNames = fieldNames<HistoryOptions>({ steps: true, bytes: true, groupWithin: true });

/** Checks the options of a history. @throws `invalid_argument` */
export function historySettings(options: HistoryOptions = {}): HistorySettings {
	fieldsOf("history", options, optionNames);
	const { steps = 100, bytes = 2 ** 26, groupWithin = 0 } = options;
	if (!Number.isInteger(steps) || steps < 0 || steps > 10_000) {
		throw refusal("history.steps", steps, "an integer from 0 to 10,000");
	}
	if (!Number.isSafeInteger(bytes) || bytes < 1) throw refusal("history.bytes", bytes, "a positive integer");
	if (typeof groupWithin !== "number" || !(groupWithin >= 0)) {
		throw refusal("history.groupWithin", groupWithin, "a number of milliseconds, or 0");
	}
	return { steps, bytes, groupWithin };
}

/** The two directions of the history. */
export type Direction = "undo" | "redo";

/**
 * The undo steps of an outline, and the undone steps that can be redone. The newest come last; the oldest are
 * dropped.
 */
export class History {
	readonly #settings: HistorySettings;
	readonly #steps = { undo: new StepStack(), redo: new StepStack() } as const;
	/** Whether a further edit may still join the newest step. */
	#growing = false;

	constructor(settings: HistorySettings) {
		this.#settings = settings;
	}

	/** The number of steps in a direction. */
	count(direction: Direction): number {
		return this.#steps[direction].count;
	}

	/** The next step in a direction. */
	next(direction: Direction): Step | undefined {
		return this.#steps[direction].top;
	}

	/** Adds the step of a new operation, unless it changed nothing, and forgets the steps to redo. */
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

	/**
	 * Moves on by one step. `reversal` holds the changes that reverted it, and becomes the next step in the
	 * other direction, even if it is empty.
	 */
	go(direction: Direction, reversal: Step): void {
		this.#steps[direction].pop();
		this.#steps[direction === "undo" ? "redo" : "undo"].push(reversal);
		this.#growing = false;
	}

	/** Forgets all steps. */
	clear(): void {
		this.#steps.undo.clear();
		this.#steps.redo.clear();
	}
}

function refusal(option: string, given: unknown, allowed: string): OutlineError {
	return new OutlineError("invalid_argument", `${option} is ${quoted(given)}. It must be ${allowed}.`);
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

import { OutlineError, quoted } from "../errors.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { isEmpty, merged, type Step } from "./step.js";
import { StepStack } from "./step-stack.js";

/** How much can be undone. */
export interface HistoryOptions {
	/** The most steps, 0 to 10,000; 0 keeps no history at all. Default 100. */
	steps?: number | undefined;
	/**
	 * The most memory that all steps together take, in bytes: two for each character of the texts that they keep, and 128 for each
	 * record and key. The last step is kept however large it is. Default 67,108,864.
	 */
	bytes?: number | undefined;
	/**
	 * Updates of the same fields of one node that follow each other within so many milliseconds are one step, as typing
	 * makes them. Default 0: each update is a step of its own.
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

function refusal(option: string, given: unknown, allowed: string): OutlineError {
	return new OutlineError("invalid_argument", `${option} is ${quoted(given)}. It must be ${allowed}.`);
}

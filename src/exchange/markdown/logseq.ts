import type { Steps } from "../../pace.js";
import { changedProperties } from "../../properties.js";
import type { LossCount } from "../loss.js";

/** The number of lines or properties read in a step. */
const linesInStep = 256;

/** The key and the value of a property. */
export type LogseqProperty = readonly [key: string, value: string | boolean];

/** The marks of Logseq in a paragraph of a list item, and its text. */
export interface LogseqMarks {
	/** The lines of the text. */
	readonly lines: readonly string[];
	/** The properties in the order of the lines. A key may occur several times. */
	readonly properties: readonly LogseqProperty[];
	/** Whether a task has the mark of a finished one; undefined without a task. */
	readonly isDone: boolean | undefined;
}

const property = /^[ \t]*([^\s:]{1,64})::(?:[ \t]+(.*))?$/;
const task = /^(TODO|DOING|DONE|LATER|NOW|WAITING|WAIT|IN-PROGRESS|CANCELL?ED)(?:[ \t]+(?:\[#([A-C])\][ \t]+)?|$)/;
const plan = /^[ \t]*(SCHEDULED|DEADLINE): <(\d{4}-\d\d-\d\d)(?: [^\s\d>]+)?(?: (\d\d?:\d\d))?([^>]*)>[ \t]*$/;
const done = /^(?:DONE|CANCELL?ED)$/;

/** Whether all lines of a paragraph are properties. */
export function* areProperties(lines: readonly string[]): Steps<boolean> {
	for (const [index, line] of lines.entries()) {
		if (index % linesInStep === linesInStep - 1) yield;
		if (!property.test(line)) return false;
	}
	return true;
}

/**
 * Finds the marks of Logseq.
 *
 * @param isFirst - whether it is the first paragraph of its item, which may begin with the mark of a task
 */
export function* logseqMarks(lines: readonly string[], isFirst: boolean, lost: LossCount): Steps<LogseqMarks> {
	const properties: LogseqProperty[] = [];
	const text: string[] = [];
	let isDone: boolean | undefined;
	let isInLogbook = false;
	for (const [index, line] of lines.entries()) {
		if (index % linesInStep === linesInStep - 1) yield;
		const [, key, value = ""] = property.exec(line) ?? [];
		const [, kind, day, time, repetition = ""] = plan.exec(line) ?? [];
		const [prefix = "", marker, priority] = (isFirst && text.length === 0 && task.exec(line)) || [];
		if (isInLogbook) isInLogbook = line.trim() !== ":END:";
		else if (line.trim() === ":LOGBOOK:") {
			isInLogbook = true;
			lost.add("logbook");
		} else if (key !== undefined)
			properties.push([key, value === "true" || value === "false" ? value === "true" : value]);
		else if (kind !== undefined) {
			properties.push([kind.toLowerCase(), time === undefined ? day! : `${day} ${time.padStart(5, "0")}`]);
			if (repetition.trim() !== "") lost.add("repetition");
		} else {
			if (marker !== undefined) {
				isDone = done.test(marker);
				if (marker !== "TODO" && marker !== "DONE") properties.push(["marker", marker]);
				if (priority !== undefined) properties.push(["priority", priority]);
			}
			text.push(line.slice(prefix.length));
		}
	}
	return { lines: text, properties, isDone };
}

/**
 * Gathers the properties of a node, in time linear in their number. As in Logseq, a later value of a key
 * replaces an earlier one. A value that another one replaces, or that has no room, counts as lost.
 */
export class GatheredProperties {
	readonly #limit: number;
	readonly #lost: LossCount;
	/** The JSON text of each value by its key. */
	readonly #values = new Map<string, string>();
	#length = 0;

	/** @param limit - the maximum number of characters of JSON */
	constructor(limit: number, lost: LossCount) {
		this.#limit = limit;
		this.#lost = lost;
	}

	/** The number of characters of the JSON text; 0 without properties. */
	get length(): number {
		return this.#length;
	}

	/** Adds properties. */
	*add(properties: readonly LogseqProperty[]): Steps<void> {
		for (const [index, [key, value]] of properties.entries()) {
			if (index % linesInStep === linesInStep - 1) yield;
			this.#set(key, JSON.stringify(value));
		}
	}

	/** Returns the JSON text of the properties, as a record has it; null without properties. */
	text(): string | null {
		return changedProperties(null, this.#values, this.#limit);
	}

	#set(key: string, value: string): void {
		const before = this.#values.get(key);
		if (value === before) return;
		const length = this.#length + (before === undefined ? this.#lengthOf(key) : -before.length) + value.length;
		if (length <= this.#limit) {
			this.#values.set(key, value);
			this.#length = length;
			if (before === undefined) return;
		}
		this.#lost.add("property");
	}

	/** Returns the number of characters that a new key adds, with its colon, and with a comma or the braces. */
	#lengthOf(key: string): number {
		return JSON.stringify(key).length + (this.#length === 0 ? 3 : 2);
	}
}

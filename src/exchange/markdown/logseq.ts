import { OutlineError } from "../../errors.js";
import { changedProperties, propertiesArgument } from "../../properties.js";
import type { LossCount } from "../loss.js";

/** The marks of Logseq in a paragraph of a list item, and its text. */
export interface LogseqMarks {
	/** The lines of the text. */
	readonly lines: readonly string[];
	/** The properties that the lines have set. */
	readonly properties: Readonly<Record<string, string | number | boolean>>;
	/** Whether a task has the mark of a finished one; undefined without a task. */
	readonly isDone: boolean | undefined;
}

const property = /^[ \t]*([^\s:]{1,64})::(?:[ \t]+(.*))?$/;
const task = /^(TODO|DOING|DONE|LATER|NOW|WAITING|WAIT|IN-PROGRESS|CANCELL?ED)(?:[ \t]+(?:\[#([A-C])\][ \t]+)?|$)/;
const plan = /^[ \t]*(SCHEDULED|DEADLINE): <(\d{4}-\d\d-\d\d)(?: [^\s\d>]+)?(?: (\d\d?:\d\d))?([^>]*)>[ \t]*$/;
const done = /^(?:DONE|CANCELL?ED)$/;

/** Whether all lines of a paragraph are properties. */
export function areProperties(lines: readonly string[]): boolean {
	return lines.every((line) => property.test(line));
}

/**
 * Finds the marks of Logseq.
 *
 * @param isFirst - whether it is the first paragraph of its item, which may begin with the mark of a task
 */
export function logseqMarks(lines: readonly string[], isFirst: boolean, lost: LossCount): LogseqMarks {
	const properties: Record<string, string | number | boolean> = {};
	const text: string[] = [];
	let isDone: boolean | undefined;
	let isInLogbook = false;
	for (const line of lines) {
		const [, key, value = ""] = property.exec(line) ?? [];
		const [, kind, day, time, repetition = ""] = plan.exec(line) ?? [];
		const [prefix = "", marker, priority] = (isFirst && text.length === 0 && task.exec(line)) || [];
		if (isInLogbook) isInLogbook = line.trim() !== ":END:";
		else if (line.trim() === ":LOGBOOK:") {
			isInLogbook = true;
			lost.add("logbook");
		} else if (key !== undefined) properties[key] = propertyValue(value);
		else if (kind !== undefined) {
			properties[kind.toLowerCase()] = time === undefined ? day! : `${day} ${time.padStart(5, "0")}`;
			if (repetition.trim() !== "") lost.add("repetition");
		} else {
			if (marker !== undefined) {
				isDone = done.test(marker);
				if (marker !== "TODO" && marker !== "DONE") properties.marker = marker;
				if (priority !== undefined) properties.priority = priority;
			}
			text.push(line.slice(prefix.length));
		}
	}
	return { lines: text, properties, isDone };
}

/** Returns the value of a property: true, false, a number exactly as JavaScript writes it, or else the text. */
function propertyValue(text: string): string | number | boolean {
	if (text === "true" || text === "false") return text === "true";
	const number = Number(text);
	return Number.isFinite(number) && String(number) === text ? number : text;
}

/** Returns the text of a node's properties with some more. Properties without room count as lost. */
export function withProperties(
	before: string | null,
	more: LogseqMarks["properties"],
	limit: number,
	lost: LossCount,
): string | null {
	let properties = before;
	for (const [key, value] of Object.entries(more)) {
		try {
			properties = changedProperties(properties, propertiesArgument({ [key]: value })!, limit);
		} catch (error) {
			if (!(error instanceof OutlineError) || error.code !== "invalid_argument") throw error;
			lost.add("property");
		}
	}
	return properties;
}

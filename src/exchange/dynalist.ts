import { isRealDate } from "../date.js";
import type { Settings } from "../engine/settings.js";
import { joined } from "../markup/long-text.js";
import { assertLength } from "../markup/text.js";
import { markdownModule } from "../operations/name.js";
import type { Steps } from "../pace.js";
import { firstDay } from "../reference/calendar.js";
import type { LossCount } from "./loss.js";

/** A code span; or italics, a date, an image or a tag, which Dynalist writes in another way. */
const marks =
	/`[^`]*`|(?<![\p{L}\p{N}_])__(?=\S)((?:[^_]|_(?!_))+)__(?![\p{L}\p{N}_])|!\((\d[^()|]{0,60})(?:\|([^()]{0,60}))?\)|!(?=\[(?:[^[\]\\]|\\.){1,1000}\]\()|<(?=[A-Za-z/!?])|&(?=#?[A-Za-z0-9]+;)/gu;
/** The number of marks read in a step. */
const marksInStep = 1024;
const moment = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/;

/**
 * Returns the name for a text of Dynalist: Markdown of one line, without blocks. The caller has loaded the module
 * of Markdown.
 *
 * @throws `invalid_argument` if it is too long
 */
export function* dynalistName(text: string, settings: Settings, lost: LossCount): Steps<string> {
	assertLength("name", text.length, settings.limits.name);
	const names: string[] = [];
	for (const line of text.split("\n")) {
		const lines = [yield* markdownOf(line, lost)];
		const block = { type: "paragraph", lines, level: 0, depth: 0, container: undefined, isItemNode: false } as const;
		names.push(
			(yield* markdownModule.loaded.blockOf({ ...block, marker: "", hasLanguage: false, line: 0 }, 0, settings)).name,
		);
	}
	return yield* joined(names, "\n");
}

/** Returns a line in the Markdown of an outline. */
function* markdownOf(line: string, lost: LossCount): Steps<string> {
	const parts: string[] = [];
	let start = 0;
	let count = 0;
	for (const mark of line.matchAll(marks)) {
		parts.push(line.slice(start, mark.index), markdownOfMark(mark, lost));
		start = mark.index + mark[0].length;
		if (++count % marksInStep === 0) yield;
	}
	parts.push(line.slice(start));
	return yield* joined(parts, "");
}

function markdownOfMark([whole, italics, days, repetition]: RegExpExecArray, lost: LossCount): string {
	if (italics !== undefined) return /\s$/.test(italics) ? whole : `*${italics}*`;
	if (days !== undefined) return datesOf(days, repetition, lost) ?? whole;
	if (whole === "!") return "";
	return whole.startsWith("`") ? whole : `\\${whole}`;
}

/** Returns the dates of a mark such as `!(2026-12-01 - 2026-12-03 | 1w)`; undefined if it has no dates. */
function datesOf(days: string, repetition: string | undefined, lost: LossCount): string | undefined {
	const dates = days
		.trim()
		.split(" - ")
		.map((day) => moment.exec(day.trim()));
	if (dates.length > 2 || !dates.every((date) => date !== null && isRealDate(firstDay(date[1]!)))) return undefined;
	if (repetition !== undefined) lost.add("repetition");
	const range = dates.map((date) => `[${date![0]}]`).join(" – ");
	return repetition === undefined ? range : `${range} (${repetition.trim()})`;
}

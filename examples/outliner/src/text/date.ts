import { fromMarkdown } from "outlinekit/markup";
import { contentsOf } from "./fragment.js";
import { insert } from "./insertion.js";
import { linkAtCaret } from "./link.js";

/** A day, and maybe a time. */
export interface Moment {
	/** `YYYY-MM-DD`. */
	readonly date: string;
	/** `HH:MM`. */
	readonly time?: string;
}

/** Replaces the selection in a field by a date, the same as `[2026-11-27]` is when it is typed. */
export function insertDate(field: HTMLElement, { date, time }: Moment): void {
	const [block] = fromMarkdown(time === undefined ? `[${date}]` : `[${date} ${time}]`);
	insert(field, contentsOf(block!.name));
}

/** The date that the caret of a field is at. */
export function dateAtCaret(field: HTMLElement): HTMLTimeElement | undefined {
	const link = linkAtCaret(field);
	return link instanceof HTMLTimeElement ? link : undefined;
}

import { format, isValid, parse, parseISO } from "date-fns";

/** A label as the outline stores it, such as `2026-11-27` and `2026-11-27 14:30`. */
const storedForm = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/;

/** A date in words, with the day of the week or without it. */
const wordedForm = /^(?:[A-Z][a-z]{2}, )?([A-Z][a-z]{2} \d{1,2}, \d{4})(?:, (\d\d:\d\d))?$/;

/** A date in words, as the calendar names its days: `Fri, Nov 27, 2026`; a time comes behind. */
export function dateInWords(date: string, time?: string): string {
	return format(parseISO(date), "EEE, MMM d, yyyy") + (time === undefined ? "" : `, ${time}`);
}

/** Shows the dates below a node in words. Each keeps the label that the outline stores. */
export function showDatesInWords(parent: ParentNode): void {
	for (const time of parent.querySelectorAll("time")) {
		const words = wordsFor(time.textContent!);
		if (words === undefined) continue;
		time.dataset.label = time.textContent!;
		time.textContent = words;
	}
}

/** The label of a shown date that the outline stores; undefined if the user has edited the words. */
export function storedLabel({ dataset, textContent }: HTMLElement): string | undefined {
	const { label } = dataset;
	return label !== undefined && wordsFor(label) === textContent ? label : undefined;
}

/**
 * Returns the Markdown to store for a date that was shown in words, and whose words the user has edited: the day that
 * they name now, whatever the day of the week; undefined if they name none.
 */
export function editedDate(words: string): string | undefined {
	const [, day, time] = wordedForm.exec(words.trim()) ?? [];
	const date = day === undefined ? undefined : parse(day, "MMM d, yyyy", 0);
	if (date === undefined || !isValid(date)) return undefined;
	return `[${format(date, "yyyy-MM-dd")}${time === undefined ? "" : ` ${time}`}]`;
}

/** Whether the user has edited the words of a date below a node. */
export function hasEditedDate(parent: ParentNode): boolean {
	return [...parent.querySelectorAll<HTMLElement>("time[data-label]")].some((time) => storedLabel(time) === undefined);
}

function wordsFor(label: string): string | undefined {
	const [, date, time] = storedForm.exec(label) ?? [];
	return date === undefined || !isValid(parseISO(date)) ? undefined : dateInWords(date, time);
}

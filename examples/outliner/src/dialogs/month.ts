import {
	addDays,
	addMonths,
	addWeeks,
	addYears,
	eachDayOfInterval,
	eachWeekOfInterval,
	endOfMonth,
	endOfWeek,
	format,
	startOfMonth,
	startOfWeek,
} from "date-fns";

/** On Mondays by default, as in the outline. */
const week = { weekStartsOn: 1 } as const;

/** The weeks of the month of a day, with the days of its neighbours that fill the first and the last. */
export function weeksAround(day: Date): Date[][] {
	const weeks = eachWeekOfInterval({ start: startOfMonth(day), end: endOfMonth(day) }, week);
	return weeks.map((start) => eachDayOfInterval({ start, end: endOfWeek(start, week) }));
}

/** The day that a key leads to in a grid of days; undefined for a key that leads nowhere. */
export function dayBy(key: string, shift: boolean, day: Date): Date | undefined {
	switch (key) {
		case "ArrowLeft":
			return addDays(day, -1);
		case "ArrowRight":
			return addDays(day, 1);
		case "ArrowUp":
			return addDays(day, -7);
		case "ArrowDown":
			return addDays(day, 7);
		case "PageUp":
			return shift ? addYears(day, -1) : addMonths(day, -1);
		case "PageDown":
			return shift ? addYears(day, 1) : addMonths(day, 1);
		case "Home":
			return startOfWeek(day, week);
		case "End":
			return endOfWeek(day, week);
		default:
			return undefined;
	}
}

/** The first day of the week after that of a day. */
export function nextWeek(day: Date): Date {
	return addWeeks(startOfWeek(day, week), 1);
}

/** A day as references name it: `2026-11-21`. */
export function keyOf(day: Date): string {
	return format(day, "yyyy-MM-dd");
}

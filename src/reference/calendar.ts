import { addDays, calendarForm, dateInZone, isoDate, isRealDate, type PlainDate, weekday } from "../date.js";
import type { Call } from "../engine/call.js";
import { OutlineError, quoted } from "../errors.js";
import { calendarKey } from "../id.js";

/** The words for a day. On the next day, each means another node. */
export const dayWords: ReadonlySet<unknown> = new Set(["today", "tomorrow", "next_week"]);

/**
 * Returns the key of the calendar node that a reference means: `calendar`, or a year, month or day; `null` if
 * it means none. Words such as `today` mean a day in the outline's zone at the time of the call. Spec §2.4.
 *
 * @throws `invalid_reference` for a year, month or day that doesn't exist
 */
export function calendarKeyOf(text: string, { moment, settings }: Call): string | null {
	if (text === calendarKey) return calendarKey;
	if (dayWords.has(text)) {
		const today = dateInZone(moment, settings.timeZone);
		if (text === "today") return isoDate(today);
		if (text === "tomorrow") return isoDate(addDays(today, 1));
		const daysToNextWeek = 7 - ((weekday(today) - settings.weekStartsOn + 7) % 7);
		return isoDate(addDays(today, daysToNextWeek));
	}
	if (!calendarForm.test(text)) return null;
	if (!isRealDate(firstDay(text))) {
		throw new OutlineError(
			"invalid_reference",
			`${quoted(text)} is a date that doesn't exist. Give a date that exists.`,
		);
	}
	return text;
}

const monthNames = [
	"January",
	"February",
	"March",
	"April",
	"May",
	"June",
	"July",
	"August",
	"September",
	"October",
	"November",
	"December",
] as const;

const weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** Returns the key of the entry above (month, year or calendar), or `null` for other keys. */
export function parentKey(key: string): string | null {
	if (!calendarForm.test(key)) return null;
	return key.length === 4 ? calendarKey : key.slice(0, -3);
}

/** Returns the name (an HTML fragment) of a calendar node. @param root - the name of the calendar's root */
export function calendarName(key: string, root: string): string {
	if (key === calendarKey) return root;
	if (key.length === 4) return key;
	const date = firstDay(key);
	const month = monthNames[date.month - 1]!;
	if (key.length === 7) return month;
	const label = `${weekdayNames[weekday(date)]}, ${month.slice(0, 3)} ${date.day}, ${key.slice(0, 4)}`;
	return `<time datetime="${key}">${label}</time>`;
}

/** Returns the day that a text in the {@link calendarForm} begins with. It may not exist. */
export function firstDay(key: string): PlainDate {
	const [, year, month = "01", day = "01"] = calendarForm.exec(key)!;
	return { year: Number(year), month: Number(month), day: Number(day) };
}

import { addDays, calendarForm, isoDate, isRealDate, type PlainDate, weekday } from "../date.js";
import { invalidArgument } from "../errors.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { assertText } from "./text.js";

/** A date that words of a text mean. */
export interface WordsOfDate {
	/** The day as `YYYY-MM-DD`. */
	readonly date: string;
	/** The time of the day as `HH:MM`, if the words include one. */
	readonly time?: string;
	/** The offset at which the words begin, in UTF-16 code units. */
	readonly start: number;
	/** The offset behind their last character. */
	readonly end: number;
}

/** The options of {@link datesIn}. */
export interface DatesInOptions {
	/** The day from which `tomorrow` and the like count, as `YYYY-MM-DD`. */
	readonly today: string;
	/** The first day of a week, 0 for Sunday to 6 for Saturday. Default: 1, as in an outline. */
	readonly weekStartsOn?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | undefined;
}

const optionNames = fieldNames<DatesInOptions>({ today: true, weekStartsOn: true });

const dayNames = "sunmontuewedthufrisat";
const monthNames = "janfebmaraprmayjunjulaugsepoctnovdec";
/** The first two mean the same. */
const numbers = "a one two three four five six";

let words: RegExp | undefined;

/**
 * Returns the dates that English words in a text mean, in their order. Letter case doesn't matter.
 *
 * | words | day |
 * |---|---|
 * | `today`, `tonight`, `tomorrow`, `yesterday`, `the day after tomorrow` | |
 * | `fri`, `friday` | the next such day, never today; also `tues`, `thur`, `thurs` |
 * | `this fri`, `next fri`, `last fri` | the same, or today; that of the next week; the last one before today |
 * | `next week`, `last month`, `next year` | the first day of it |
 * | `end of month`, `end of the week`, `end of next year` | the last day of it |
 * | `in 3 days`, `in two weeks`, `in a month` | if a month is too short, its last day |
 * | `24 dec`, `dec 24`, `24th of December`, `24.12.` | the next such day, or today |
 * | `24 dec 2027`, `Fri, Dec 24, 2027`, `24.12.2027`, `2027-12-24` | this day, whatever the weekday |
 *
 * A time may follow (`fri 14:30`, `tomorrow at 9am`, `2027-12-24T14:30`), or precede (`9:30 pm on fri`). A
 * time alone is no date, but `noon` is one of today. Ignores `every friday` and the like, because these are
 * more than one day. Ignores days that don't exist, and days outside the years 1 to 9999. Ignores `12/24`,
 * because countries read it differently. Linear in time.
 *
 * The words may mean something else: `sun`, `sat` and `may 5` also occur in other sentences. So a host offers
 * the dates, and a person chooses. In Markdown, one writes `[2027-12-24]` or `[2027-12-24 14:30]`.
 *
 * @throws `invalid_argument` if `text` isn't a text, if `today` isn't a day that exists, or for another option that
 * isn't allowed
 *
 * ```ts
 * import { datesIn } from "outlinekit/markup";
 *
 * datesIn("Call Ann fri 14:30", { today: "2026-11-24" });
 * // [{ date: "2026-11-27", time: "14:30", start: 9, end: 18 }]
 * ```
 */
export function datesIn(text: string, options: DatesInOptions): WordsOfDate[] {
	assertText("datesIn", text);
	const given = fieldsOf("datesIn", options, optionNames) as Partial<DatesInOptions>;
	const today = dayOf(given.today);
	const { weekStartsOn = 1 } = given;
	if (today === undefined) throw invalidArgument("today", given.today, 'a day that exists, such as "2026-11-24"');
	if (!Number.isInteger(weekStartsOn) || weekStartsOn < 0 || weekStartsOn > 6) {
		throw invalidArgument("weekStartsOn", weekStartsOn, "an integer from 0 (Sunday) to 6 (Saturday)");
	}
	const found: WordsOfDate[] = [];
	words ??= pattern();
	// A regular expression that ignores case takes two other letters for `s` and `k`.
	const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
	for (const { 0: source, groups: said = {}, index: start } of lower.matchAll(words)) {
		const date = meantDay(said, today, weekStartsOn);
		if (date === undefined || !isRealDate(date)) continue;
		const time = timeOf(said.before ?? said.after ?? said.word);
		found.push({ date: isoDate(date), ...(time !== undefined && { time }), start, end: start + source.length });
	}
	return found;
}

/** The words of a match, by the names of their groups. */
type Said = { readonly [group: string]: string | undefined };

/** Builds the regular expression. Each match has bounded length, so that the search takes linear time. */
function pattern(): RegExp {
	// No line break, and not any number of blanks.
	const blank = "[^\\S\\n]{1,3}";
	const dayName = "(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?";
	const monthName =
		"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|(?:sept?|nov|dec)(?:ember)?|oct(?:ober)?)\\.?";
	const dayOfMonth = (group: number) => `(?<day${group}>\\d{1,2})(?:st|nd|rd|th)?`;
	const time = "(?:0?[1-9]|1[0-2])(?::[0-5]\\d)?[^\\S\\n]{0,3}[ap]m|(?:[01]?\\d|2[0-3]):[0-5]\\d|noon";
	const day = [
		`(?:(?:the${blank})?day${blank}(?<side>after|before)${blank})?(?<word>today|tonight|noon|tomorrow|yesterday)`,
		`(?:${dayName}\\.?,?${blank})?(?:${dayOfMonth(1)}${blank}(?:of${blank})?(?<month1>${monthName})|` +
			`(?<month2>${monthName})${blank}${dayOfMonth(2)})(?:,?${blank}(?<year1>\\d{4}))?`,
		"(?<year2>\\d{4})-(?<month3>\\d{2})-(?<day3>\\d{2})",
		"(?<day4>\\d{1,2})\\.(?<month4>\\d{1,2})\\.(?<year3>\\d{4})?",
		`(?:(?<which>this|next|last)${blank})?(?<weekday>${dayName})`,
		`(?:(?<other>next|last)|(?:the${blank})?end${blank}of(?:${blank}(?:the|this|(?<following>next)))?)${blank}(?<unit>week|month|year)`,
		`in${blank}(?<count>\\d{1,4}|${numbers.replaceAll(" ", "|")})${blank}(?<span>day|week|month|year)s?`,
	];
	const every = `every${blank}(?:(?:other|second|and|at|day|week|month|year|${dayName}s?),?${blank}){0,6}`;
	return new RegExp(
		`(?<![\\p{L}\\p{N}\\p{M}_#@＃＠/.-])(?<!(?<!\\p{L})${every})(?:(?<before>${time})${blank}(?:on${blank})?)?(?:${day.join("|")})` +
			`(?:(?:,?${blank}(?:at${blank})?|t)(?<after>${time}))?(?![\\p{L}\\p{N}\\p{M}_/-]|['’]\\p{L}|[:.]\\d)`,
		"gu",
	);
}

/** Returns the day that words mean, if they mean one. It may not exist. */
function meantDay(said: Said, today: PlainDate, weekStartsOn: number): PlainDate | undefined {
	const { word, side, weekday: dayName, which, unit, other, following, span, count = "" } = said;
	if (word !== undefined) {
		const days = word === "tomorrow" ? 1 : word === "yesterday" ? -1 : 0;
		return addDays(today, days + (side === undefined ? 0 : side === "after" ? 1 : -1));
	}
	const month = said.month1 ?? said.month2;
	const monthNumber = month === undefined ? (said.month3 ?? said.month4) : indexOf(monthNames, month) + 1;
	if (monthNumber !== undefined) {
		const year = said.year1 ?? said.year2 ?? said.year3;
		return dayOfYear(year, Number(monthNumber), Number(said.day1 ?? said.day2 ?? said.day3 ?? said.day4), today);
	}
	const toNextWeek = 7 - ((weekday(today) - weekStartsOn + 7) % 7);
	if (dayName !== undefined) {
		const index = indexOf(dayNames, dayName);
		const days = (index - weekday(today) + 7) % 7;
		if (which === "next") return addDays(today, toNextWeek + ((index - weekStartsOn + 7) % 7));
		return addDays(today, which === "last" ? days - 7 : which === "this" ? days : days || 7);
	}
	if (unit !== undefined) {
		const step = other === "last" ? -1 : following === undefined ? 1 : 2;
		const first =
			unit === "week"
				? addDays(today, toNextWeek + (step - 1) * 7)
				: unit === "month"
					? addMonths({ ...today, day: 1 }, step)
					: { year: today.year + step, month: 1, day: 1 };
		return other === undefined ? addDays(first, -1) : first;
	}
	const index = numbers.split(" ").indexOf(count);
	const steps = index === -1 ? Number(count) : Math.max(index, 1);
	if (span === "day" || span === "week") return addDays(today, steps * (span === "week" ? 7 : 1));
	return addMonths(today, steps * (span === "year" ? 12 : 1));
}

/** Returns a day of a year; without a year, the next such day from today on. */
function dayOfYear(year: string | undefined, month: number, day: number, today: PlainDate): PlainDate | undefined {
	if (year !== undefined) return { year: Number(year), month, day };
	// A leap year comes within eight years.
	for (let later = 0; later <= 8; later++) {
		const date = { year: today.year + later, month, day };
		if (isRealDate(date) && isoDate(date) >= isoDate(today)) return date;
	}
	return undefined;
}

/** Returns the same day of a later month, or the last day if the month is too short. */
function addMonths({ year, month, day }: PlainDate, months: number): PlainDate {
	const count = year * 12 + month - 1 + months;
	const first = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
	for (let last = day; ; last--) {
		const date = { ...first, day: last };
		if (last <= 28 || isRealDate(date)) return date;
	}
}

/** Returns a time as `HH:MM`. With `am` or `pm`, the hour is one of a clock of 12 hours. */
function timeOf(text: string | undefined): string | undefined {
	if (text === "noon") return "12:00";
	const [, hour, minute = "00", half] = /^(\d+)(?::(\d+))?\s*([ap])?/.exec(text ?? "") ?? [];
	if (hour === undefined) return undefined;
	const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === "p" ? 12 : 0);
	return `${String(hours).padStart(2, "0")}:${minute}`;
}

/** Returns the index of a name among the first three letters of names. */
function indexOf(names: string, name: string): number {
	return names.indexOf(name.slice(0, 3)) / 3;
}

function dayOf(text: unknown): PlainDate | undefined {
	const [, year, month, day] = (typeof text === "string" && calendarForm.exec(text)) || [];
	const date = { year: Number(year), month: Number(month), day: Number(day) };
	return year !== undefined && isRealDate(date) ? date : undefined;
}

import { addDays, dateInZone, isoDateTime, isRealDate, type PlainDate } from "../../date.js";
import { LazyModule } from "../../engine/lazy-module.js";

/** A range of time in Unix seconds. */
export interface Moments {
	/** The start, inclusive; `-Infinity` without a start. */
	readonly from: number;
	/** The end, exclusive; `Infinity` without an end. */
	readonly before: number;
}

/** The present, to which words and spans refer. */
interface Now {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** The time zone in which days begin and end. */
	readonly timeZone: string;
}

const bound = /^(>=|<=|>|<)?([^<>=.]+)$/;
const range = /^([^.]+)\.\.([^.]+)$/;
const calendarDate = /^\d{4}(?:-\d{2}){0,2}$/;
const span = /^(\+?)([1-9]\d{0,3})([hdwmy])$/i;
const dateForm = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/;

/** The days that words name, counted from today. */
const dayWords: ReadonlyMap<string, number> = new Map([
	["yesterday", -1],
	["today", 0],
	["tomorrow", 1],
]);

/** Few queries have a span, and the arithmetic of dates takes as long to load as half of the search. */
export const spanModule = new LazyModule("The spans of time", () => import("./spans.js"));

/** Whether a query may have a span, for which {@link moments} needs the {@link spanModule}. */
export function mayHaveSpan(query: string): boolean {
	return query.includes(":") && /\d/.test(query);
}

/**
 * Parses a text as a range of time; returns undefined for any other text.
 *
 * | text | time |
 * |---|---|
 * | `2026-11-21`, `2026-11`, `2026` | that whole day, month or year |
 * | `today`, `tomorrow`, `yesterday` | that whole day |
 * | `>2026-11`, `>=today` | after its end; from its start on |
 * | `<today`, `<=2026-11` | before its start; until its end |
 * | `2026-11-01..2026-11-07`, `today..2026-12` | from the start of the first to the end of the second |
 * | `24h` `7d` `2w` `6m` `1y` | from that many hours, days, weeks, months or years ago on |
 * | `+7d` `+2w` `+6m` `+1y` | from the start of today to the end of the day so much later |
 *
 * A span of days or longer into the past begins at the same time of day as now. For spans, the
 * {@link spanModule} must be loaded.
 *
 * @param timeZone - the time zone in which days begin and end
 * @param now - milliseconds since 1970
 */
export function moments(text: string, timeZone: string, now: number): Moments | undefined {
	const present = { timeZone, now };
	const [, relation, date] = bound.exec(text) ?? [];
	const period = date === undefined ? undefined : periodOf(date, present);
	if (period !== undefined) {
		const { from, before } = period;
		if (relation === undefined) return period;
		if (relation === ">") return { from: before, before: Infinity };
		if (relation === ">=") return { from, before: Infinity };
		return { from: -Infinity, before: relation === "<" ? from : before };
	}
	const [, first = "", last = ""] = range.exec(text) ?? [];
	const [start, end] = [periodOf(first, present), periodOf(last, present)];
	if (start !== undefined && end !== undefined && start.from < end.before) {
		return { from: start.from, before: end.before };
	}
	const [, sign, count, unit] = span.exec(text) ?? [];
	if (count === undefined || unit === undefined) return undefined;
	return sign === "" ? since(Number(count), unit, present) : until(Number(count), unit, present);
}

/**
 * Returns the time that a date or a date with a time means, in Unix seconds; undefined for any other text. A date
 * means its start. Without an offset, the time is one of the zone. Takes some microseconds.
 */
export function momentOf(text: string, timeZone: string): number | undefined {
	const [, year, month = "01", day = "01", hour = "00", minute = "00", zone] = dateForm.exec(text) ?? [];
	if (year === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined;
	const date = { year: Number(year), month: Number(month), day: Number(day) };
	if (!isRealDate(date)) return undefined;
	const moment =
		zone === undefined ? isoDateTime(date, Number(hour), Number(minute), timeZone) : text.replace(" ", "T");
	const time = Date.parse(moment) / 1000;
	return Number.isNaN(time) ? undefined : time;
}

/** Returns the range from a span ago on. */
function since(count: number, unit: string, { now, timeZone }: Now): Moments {
	const isHours = unit.toLowerCase() === "h";
	const start = isHours ? now - count * 3_600_000 : spanModule.loaded.before(now, count, unit, timeZone);
	return { from: Math.floor(start / 1000), before: Infinity };
}

/** Returns the range from today to the day that is a span later; undefined for hours. */
function until(count: number, unit: string, { now, timeZone }: Now): Moments | undefined {
	if (unit.toLowerCase() === "h") return undefined;
	const last = dateInZone(spanModule.loaded.before(now, -count, unit, timeZone), timeZone);
	return { from: startOf(dateInZone(now, timeZone), timeZone), before: startOf(addDays(last, 1), timeZone) };
}

/** Returns the range of a day, month or year; undefined if the date doesn't exist. */
function periodOf(text: string, { now, timeZone }: Now): Moments | undefined {
	const days = dayWords.get(text.toLowerCase());
	const [year = 0, month, day] = calendarDate.test(text) ? text.split("-").map(Number) : [];
	const first =
		days === undefined ? { year, month: month ?? 1, day: day ?? 1 } : addDays(dateInZone(now, timeZone), days);
	if (!isRealDate(first)) return undefined;
	const next =
		days !== undefined || day !== undefined
			? addDays(first, 1)
			: month !== undefined && month < 12
				? { year, month: month + 1, day: 1 }
				: { year: year + 1, month: 1, day: 1 };
	return { from: startOf(first, timeZone), before: startOf(next, timeZone) };
}

/** Returns the start of a day, in Unix seconds; `Infinity` after the last year. */
function startOf(date: PlainDate, timeZone: string): number {
	return isRealDate(date) ? Date.parse(isoDateTime(date, 0, 0, timeZone)) / 1000 : Infinity;
}

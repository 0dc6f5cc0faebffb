import { TZDate } from "@date-fns/tz/date";
import { sub } from "date-fns/sub";
import { addDays, isoDateTime, isRealDate, type PlainDate } from "../date.js";

/** A range of time in Unix seconds. */
export interface Moments {
	/** The start, inclusive; `-Infinity` without a start. */
	readonly from: number;
	/** The end, exclusive; `Infinity` without an end. */
	readonly before: number;
}

const bound = /^(>=|<=|>|<)?(\d{4}(?:-\d{2}){0,2})$/;
const range = /^(\d{4}(?:-\d{2}){0,2})\.\.(\d{4}(?:-\d{2}){0,2})$/;
const span = /^([1-9]\d{0,3})([hdwmy])$/i;

const durations: Readonly<Record<string, (count: number) => { [unit: string]: number }>> = {
	d: (days) => ({ days }),
	w: (weeks) => ({ weeks }),
	m: (months) => ({ months }),
	y: (years) => ({ years }),
};

/**
 * Parses a text as a range of time; returns undefined for any other text.
 *
 * | text | time |
 * |---|---|
 * | `2026-11-21`, `2026-11`, `2026` | that whole day, month or year |
 * | `>2026-11`, `>=2026-11` | after its end; from its start on |
 * | `<2026-11`, `<=2026-11` | before its start; until its end |
 * | `2026-11-01..2026-11-07` | from the start of the first to the end of the second |
 * | `24h` `7d` `2w` `6m` `1y` | from that many hours, days, weeks, months or years ago on |
 *
 * A span of days or longer begins at the same time of day as now.
 *
 * @param timeZone - the time zone in which days begin and end
 * @param now - milliseconds since 1970
 */
export function moments(text: string, timeZone: string, now: number): Moments | undefined {
	const [, relation, date] = bound.exec(text) ?? [];
	if (date !== undefined) {
		const period = periodOf(date, timeZone);
		if (period === undefined || relation === undefined) return period;
		const { from, before } = period;
		if (relation === ">") return { from: before, before: Infinity };
		if (relation === ">=") return { from, before: Infinity };
		return { from: -Infinity, before: relation === "<" ? from : before };
	}
	const [, first, last] = range.exec(text) ?? [];
	if (first !== undefined && last !== undefined) {
		const start = periodOf(first, timeZone);
		const end = periodOf(last, timeZone);
		if (start === undefined || end === undefined || start.from >= end.before) return undefined;
		return { from: start.from, before: end.before };
	}
	const [, count, unit] = span.exec(text) ?? [];
	if (count === undefined || unit === undefined) return undefined;
	return { from: Math.floor(beginning(Number(count), unit.toLowerCase(), timeZone, now) / 1000), before: Infinity };
}

/** Returns the time that is a span before now, in milliseconds. */
function beginning(count: number, unit: string, timeZone: string, now: number): number {
	const duration = durations[unit]?.(count);
	return duration === undefined ? now - count * 3_600_000 : sub(new TZDate(now, timeZone), duration).getTime();
}

/** Returns the range of a day, month or year; undefined if the date doesn't exist. */
function periodOf(date: string, timeZone: string): Moments | undefined {
	const [year = 0, month, day] = date.split("-").map(Number);
	const first = { year, month: month ?? 1, day: day ?? 1 };
	if (!isRealDate(first)) return undefined;
	const next =
		day !== undefined
			? addDays(first, 1)
			: month !== undefined && month < 12
				? { year, month: month + 1, day: 1 }
				: { year: year + 1, month: 1, day: 1 };
	return { from: startOf(first, timeZone), before: isRealDate(next) ? startOf(next, timeZone) : Infinity };
}

/** Returns the start of a day, in Unix seconds. */
function startOf(date: PlainDate, timeZone: string): number {
	return Date.parse(isoDateTime(date, 0, 0, timeZone)) / 1000;
}

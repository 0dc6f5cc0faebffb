import { TZDate } from "@date-fns/tz/date";
import { sub } from "date-fns/sub";
import { addDays, isoDateTime, isRealDate, type PlainDate } from "../date.js";

/** A stretch of time in Unix seconds. */
export interface Moments {
	/** Where it begins; `-Infinity` if it has no beginning. */
	readonly from: number;
	/** What it ends before; `Infinity` if it has no end. */
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
 * The time that a text means; undefined if it means none.
 *
 * | text | time |
 * |---|---|
 * | `2026-11-21`, `2026-11`, `2026` | that day, month or year, whole |
 * | `>2026-11`, `>=2026-11` | after it; from its beginning on |
 * | `<2026-11`, `<=2026-11` | before it; until its end |
 * | `2026-11-01..2026-11-07` | from the beginning of the first to the end of the second |
 * | `24h` `7d` `2w` `6m` `1y` | since so many hours, days, weeks, months or years ago, at the same time of day |
 *
 * @param timeZone - where the days begin and end
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

/** So long before now, in milliseconds. */
function beginning(count: number, unit: string, timeZone: string, now: number): number {
	const duration = durations[unit]?.(count);
	return duration === undefined ? now - count * 3_600_000 : sub(new TZDate(now, timeZone), duration).getTime();
}

/** The day, month or year that a date names, if there is one. */
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

/** When a day begins, in Unix seconds. */
function startOf(date: PlainDate, timeZone: string): number {
	return Date.parse(isoDateTime(date, 0, 0, timeZone)) / 1000;
}

import { tzOffset } from "@date-fns/tz/tzOffset";
import { OutlineError, quoted } from "./errors.js";

/** A day of the Gregorian calendar, without a time or a zone. */
export interface PlainDate {
	/** 1 to 9999. */
	readonly year: number;
	/** 1 to 12. */
	readonly month: number;
	/** 1 to 31. */
	readonly day: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** The date at a moment (milliseconds) in a time zone. */
export function dateInZone(moment: number, timeZone: string): PlainDate {
	return dateInUtc(moment + tzOffset(timeZone, new Date(moment)) * minute);
}

/** Whether the three numbers name a day that exists. */
export function isRealDate(date: PlainDate): boolean {
	return date.year >= 1 && date.year <= 9999 && isoDate(dateInUtc(utc(date))) === isoDate(date);
}

/** The day so many days later (or, with a negative number, earlier). */
export function addDays(date: PlainDate, days: number): PlainDate {
	return dateInUtc(utc(date) + days * day);
}

/** The weekday, 0 for Sunday to 6 for Saturday. */
export function weekday(date: PlainDate): number {
	return new Date(utc(date)).getUTCDay();
}

/** `YYYY-MM-DD` */
export function isoDate({ year, month, day }: PlainDate): string {
	return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/**
 * A wall-clock time in a zone as `YYYY-MM-DDTHH:MM±HH:MM`. A time that a clock change skips moves forward by what was
 * skipped; of one that occurs twice, the first is meant. The date must be real, the hour 0 to 23, the minute 0 to 59.
 */
export function isoDateTime(date: PlainDate, hour: number, minutes: number, timeZone: string): string {
	const wall = utc(date) + (hour * 60 + minutes) * minute;
	const offsetBefore = offset(wall - day, timeZone);
	const offsetAfter = offset(wall + day, timeZone);
	const candidates = [wall - offsetBefore * minute, wall - offsetAfter * minute];
	const valid = candidates.filter((moment) => moment + offset(moment, timeZone) * minute === wall);
	const moment = valid.length > 0 ? Math.min(...valid) : wall - offsetBefore * minute;
	const there = offset(moment, timeZone);
	const shown = new Date(moment + there * minute);
	const sign = there < 0 ? "-" : "+";
	const distance = Math.abs(there);
	return (
		`${isoDate(dateInUtc(shown.getTime()))}T${digits(shown.getUTCHours(), 2)}:${digits(shown.getUTCMinutes(), 2)}` +
		`${sign}${digits(Math.floor(distance / 60), 2)}:${digits(distance % 60, 2)}`
	);
}

/** Zones that have been found to exist. Asking the runtime takes longer than all else that making an outline does. */
const knownZones = new Set(["UTC"]);
let systemZone: string | undefined;

/** The IANA zone given, or the system's. @throws `invalid_argument` for a zone that the runtime doesn't know. */
export function timeZoneArgument(value: unknown): string {
	if (value === undefined) {
		systemZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
		return systemZone;
	}
	try {
		if (typeof value === "string") {
			if (!knownZones.has(value)) new Intl.DateTimeFormat("en", { timeZone: value });
			knownZones.add(value);
			return value;
		}
	} catch {
		// The message below says more than Intl's.
	}
	throw new OutlineError(
		"invalid_argument",
		`timeZone is ${quoted(value)}. It must be an IANA time zone such as "Europe/Berlin" or "UTC".`,
	);
}

/** Minutes east of UTC, whole: ISO 8601 has no seconds in an offset, and local mean times before zones had. */
function offset(moment: number, timeZone: string): number {
	return Math.round(tzOffset(timeZone, new Date(moment)));
}

function dateInUtc(moment: number): PlainDate {
	const shown = new Date(moment);
	return { year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() };
}

/** Milliseconds of the day's start in UTC. `Date.UTC` alone would read the years 0 to 99 as 1900 to 1999. */
function utc({ year, month, day }: PlainDate): number {
	return new Date(0).setUTCFullYear(year, month - 1, day);
}

function digits(value: number, width: number): string {
	return String(value).padStart(width, "0");
}

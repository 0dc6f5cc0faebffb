import { tzOffset } from "@date-fns/tz/tzOffset";
import { invalidArgument } from "./errors.js";

/** A day of the Gregorian calendar, without a time or a zone. */
export interface PlainDate {
	/** 1 to 9999. */
	readonly year: number;
	/** 1 to 12. */
	readonly month: number;
	/** 1 to 31. */
	readonly day: number;
}

/** The forms `YYYY`, `YYYY-MM` and `YYYY-MM-DD`. The date may not exist. */
export const calendarForm = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

const minute = 60_000;
const day = 24 * 60 * minute;

/** Returns the date at a moment (in milliseconds) in a time zone. */
export function dateInZone(moment: number, timeZone: string): PlainDate {
	return dateInUtc(moment + tzOffset(timeZone, new Date(moment)) * minute);
}

/** Whether a date exists. */
export function isRealDate(date: PlainDate): boolean {
	return date.year >= 1 && date.year <= 9999 && isoDate(dateInUtc(utc(date))) === isoDate(date);
}

/** Returns the date so many days later; earlier for a negative number. */
export function addDays(date: PlainDate, days: number): PlainDate {
	return dateInUtc(utc(date) + days * day);
}

/** Returns the weekday, 0 for Sunday to 6 for Saturday. */
export function weekday(date: PlainDate): number {
	return new Date(utc(date)).getUTCDay();
}

/** Returns a date as `YYYY-MM-DD`. */
export function isoDate({ year, month, day }: PlainDate): string {
	return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/**
 * Returns a local time in a zone as `YYYY-MM-DDTHH:MM±HH:MM`. If a clock change skips the time, it moves
 * forward by as much as the change. If the time occurs twice, the first one counts. The date must exist; the
 * hour is 0 to 23, the minute 0 to 59.
 */
export function isoDateTime(date: PlainDate, hour: number, minutes: number, timeZone: string): string {
	const wall = utc(date) + (hour * 60 + minutes) * minute;
	const offsetBefore = offset(wall - day, timeZone);
	const offsetAfter = offset(wall + day, timeZone);
	const candidates = [wall - offsetBefore * minute, wall - offsetAfter * minute];
	const valid = candidates.filter((moment) => moment + offset(moment, timeZone) * minute === wall);
	const moment = valid.length > 0 ? Math.min(...valid) : wall - offsetBefore * minute;
	const east = offset(moment, timeZone);
	const local = new Date(moment + east * minute);
	const sign = east < 0 ? "-" : "+";
	const distance = Math.abs(east);
	return (
		`${isoDate(dateInUtc(local.getTime()))}T${digits(local.getUTCHours(), 2)}:${digits(local.getUTCMinutes(), 2)}` +
		`${sign}${digits(Math.floor(distance / 60), 2)}:${digits(distance % 60, 2)}`
	);
}

/** Zones that exist. To ask the runtime for a zone takes longer than all the rest of creating an outline. */
const knownZones = new Set(["UTC"]);
let systemZone: string;
/** The offset of the system's clock when its zone was asked for. */
let systemOffset: number | undefined;

/** Returns the IANA zone given, or the system's. @throws `invalid_argument` if the runtime doesn't know it */
export function timeZoneArgument(value: unknown): string {
	if (value === undefined) {
		// A device may travel while a page is open. A different offset shows that, and takes no time to read.
		const offsetNow = new Date().getTimezoneOffset();
		if (offsetNow !== systemOffset) {
			systemOffset = offsetNow;
			// If the variable TZ is empty or wrong, Node names no zone that it knows. Its clock has UTC then.
			const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
			systemZone = timeZone && timeZone !== "Etc/Unknown" ? timeZone : "UTC";
		}
		return systemZone;
	}
	try {
		if (typeof value === "string") {
			if (!knownZones.has(value)) new Intl.DateTimeFormat("en", { timeZone: value });
			knownZones.add(value);
			return value;
		}
	} catch {
		// The message below is more helpful than that of Intl.
	}
	throw invalidArgument("timeZone", value, 'an IANA time zone such as "Europe/Berlin" or "UTC"');
}

/** Returns the whole minutes east of UTC: ISO 8601 has no seconds in an offset, but early local times had. */
function offset(moment: number, timeZone: string): number {
	return Math.round(tzOffset(timeZone, new Date(moment)));
}

function dateInUtc(moment: number): PlainDate {
	const local = new Date(moment);
	return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** Returns the start of a day in UTC, in milliseconds. `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
function utc({ year, month, day }: PlainDate): number {
	return new Date(0).setUTCFullYear(year, month - 1, day);
}

function digits(value: number, width: number): string {
	return String(value).padStart(width, "0");
}

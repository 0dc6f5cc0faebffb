import { isRealDate } from "../date.js";
import { isTime, latest } from "../engine/unix-time.js";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const zones: { readonly [name: string]: number } = {
	UT: 0,
	UTC: 0,
	GMT: 0,
	Z: 0,
	EST: -5,
	EDT: -4,
	CST: -6,
	CDT: -5,
	MST: -7,
	MDT: -6,
	PST: -8,
	PDT: -7,
};
/** `Sat, 21 Nov 2026 14:30:00 GMT`: the form of RFC 822 and its successors. */
const mailForm =
	/^(?:[A-Za-z]{3,9},? +)?(\d{1,2}) +([A-Za-z]{3})[a-z]* +(\d{4}|\d{2})(?: +(\d{1,2}):(\d{2})(?::(\d{2}))?)?(?: *([A-Za-z]{1,3}|[+-]\d{2}:?\d{2}))?$/;
/** `2026-11-21T14:30:00.000Z`: the form of ISO 8601 and its variants. */
const isoForm =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)? *(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
/** Seconds or milliseconds since 1970. */
const unixForm = /^-?\d{1,16}$/;

/**
 * Parses a date of OPML, in any of its forms, as Unix seconds; returns undefined for any other text. A date
 * without a time zone is in UTC.
 */
export function momentOf(text: string): number | undefined {
	const value = text.trim();
	if (value.length > 64) return undefined;
	if (unixForm.test(value)) {
		const number = Number(value);
		// As seconds, it would be far beyond the year 9999, so these are milliseconds.
		return inCalendar(Math.abs(number) > latest ? Math.floor(number / 1000) : number);
	}
	const iso = isoForm.exec(value);
	if (iso !== null) {
		const [, year, month, day, hour, minute, second, zone] = iso;
		return moment(Number(year), Number(month), Number(day), [hour, minute, second], zone);
	}
	const mail = mailForm.exec(value);
	if (mail === null) return undefined;
	const [, day, name, year = "", hour, minute, second, zone] = mail;
	const month = months.findIndex((each) => each.toLowerCase() === name?.toLowerCase()) + 1;
	const century = year.length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900;
	return moment(Number(year) + century, month, Number(day), [hour, minute, second], zone);
}

/** Returns Unix seconds of the years 1 to 9999 in the date form of OPML. */
export function mailDate(seconds: number): string {
	return new Date(seconds * 1000).toUTCString();
}

function moment(
	year: number,
	month: number,
	day: number,
	time: readonly (string | undefined)[],
	zone = "Z",
): number | undefined {
	const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
	const offset = offsetOf(zone);
	if (!isRealDate({ year, month, day }) || hour > 23 || minute > 59 || second > 60 || offset === undefined)
		return undefined;
	const days = new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
	return inCalendar(days + hour * 3600 + minute * 60 + second - offset);
}

function inCalendar(seconds: number): number | undefined {
	return isTime(seconds) ? seconds : undefined;
}

/** Returns the seconds east of UTC; undefined for an unknown time zone. */
function offsetOf(zone: string): number | undefined {
	const [, sign, hours, minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
	if (sign !== undefined) return (sign === "-" ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
	const name = zone.toUpperCase();
	return Object.hasOwn(zones, name) ? zones[name]! * 3600 : undefined;
}

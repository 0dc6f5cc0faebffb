import { isoDate, isoDateTime, isRealDate, type PlainDate } from "../../date.js";

/** A date in a text. `label` is shown, and `datetime` is its value. */
export interface DateInText {
	readonly datetime: string;
	readonly label: string;
}

const bracketed = /\[((\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}))?)\]/g;
const machineReadable = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?(?:Z|[+-](\d{2}):(\d{2}))?)?$/;
const wholeNumber = /^\d{1,4}$/;

/**
 * Splits a text at its dates: `[YYYY-MM-DD]` and `[YYYY-MM-DD HH:MM]`, with the time in `timeZone`. A date or
 * time that doesn't exist stays text. Spec §2.5.
 */
export function* datesInText(text: string, timeZone: string): Generator<string | DateInText, void, undefined> {
	let start = 0;
	for (const match of text.matchAll(bracketed)) {
		const [source, label, year, month, day, hour, minute] = match;
		const datetime = datetimeOf(dateOf(year, month, day), hour, minute, timeZone);
		if (datetime === undefined || label === undefined) continue;
		if (match.index > start) yield text.slice(start, match.index);
		yield { datetime, label };
		start = match.index + source.length;
	}
	if (start < text.length) yield text.slice(start);
}

/**
 * Returns the value of a `<time>` tag with these attributes. A `datetime` is kept unchanged if it is a real
 * date (`YYYY-MM-DD`) or date-time (`YYYY-MM-DDTHH:MM`, with or without seconds and offset). Otherwise
 * `startYear`, `startMonth`, `startDay`, and if present `startHour` and `startMinute`, make a value in
 * `timeZone`. Otherwise it is undefined.
 *
 * @param attribute - returns the value of the attribute with this lower-case name, if there is one
 */
export function datetimeOfTag(attribute: (name: string) => string | undefined, timeZone: string): string | undefined {
	const datetime = attribute("datetime");
	if (datetime !== undefined && isDatetime(datetime)) return datetime;
	const date = dateOf(attribute("startyear"), attribute("startmonth"), attribute("startday"));
	return datetimeOf(date, attribute("starthour"), attribute("startminute"), timeZone);
}

function isDatetime(text: string): boolean {
	const match = machineReadable.exec(text);
	if (match === null) return false;
	const [, year, month, day, hour = "0", minute = "0", second = "0", offsetHour = "0", offsetMinute = "0"] = match;
	const date = dateOf(year, month, day);
	return (
		date !== undefined &&
		[hour, offsetHour].every((value) => Number(value) < 24) &&
		[minute, second, offsetMinute].every((value) => Number(value) < 60)
	);
}

function dateOf(year?: string, month?: string, day?: string): PlainDate | undefined {
	const date = { year: whole(year), month: whole(month), day: whole(day) };
	return isRealDate(date) ? date : undefined;
}

function datetimeOf(
	date: PlainDate | undefined,
	hour: string | undefined,
	minute: string | undefined,
	timeZone: string,
): string | undefined {
	if (date === undefined) return undefined;
	if (hour === undefined) return isoDate(date);
	const time = { hour: whole(hour), minute: minute === undefined ? 0 : whole(minute) };
	if (!(time.hour < 24 && time.minute < 60)) return undefined;
	return isoDateTime(date, time.hour, time.minute, timeZone);
}

function whole(digits: string | undefined): number {
	return digits !== undefined && wholeNumber.test(digits) ? Number(digits) : Number.NaN;
}

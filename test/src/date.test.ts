import { describe, expect, test } from "vitest";
import { addDays, dateInZone, isoDate, isoDateTime, isRealDate, timeZoneArgument, weekday } from "../../src/date.js";

const at = (text: string) => {
	const [year, month, day] = text.split("-").map(Number) as [number, number, number];
	return { year, month, day };
};

describe("a local time in a zone", () => {
	test.each([
		["UTC", "2026-11-21", 14, 30, "2026-11-21T14:30+00:00"],
		["Europe/Berlin", "2026-11-21", 14, 30, "2026-11-21T14:30+01:00"],
		["Europe/Berlin", "2026-07-21", 14, 30, "2026-07-21T14:30+02:00"],
		["America/New_York", "2026-01-01", 0, 0, "2026-01-01T00:00-05:00"],
		["America/St_Johns", "2026-01-01", 23, 59, "2026-01-01T23:59-03:30"],
		["Asia/Kathmandu", "2026-01-01", 0, 0, "2026-01-01T00:00+05:45"],
		["Pacific/Kiritimati", "2026-01-01", 12, 0, "2026-01-01T12:00+14:00"],
	])("%s %s %i:%i is %s", (zone, date, hour, minute, expected) => {
		expect(isoDateTime(at(date), hour, minute, zone)).toBe(expected);
	});

	test.each([
		["Europe/Berlin", "2026-03-29", 1, 59, "2026-03-29T01:59+01:00"],
		["Europe/Berlin", "2026-03-29", 2, 0, "2026-03-29T03:00+02:00"],
		["Europe/Berlin", "2026-03-29", 2, 30, "2026-03-29T03:30+02:00"],
		["Europe/Berlin", "2026-03-29", 3, 0, "2026-03-29T03:00+02:00"],
		["America/New_York", "2026-03-08", 2, 30, "2026-03-08T03:30-04:00"],
		["Australia/Lord_Howe", "2026-10-04", 2, 15, "2026-10-04T02:45+11:00"],
		["America/Sao_Paulo", "2018-11-04", 0, 30, "2018-11-04T01:30-02:00"],
		["Pacific/Apia", "2011-12-30", 12, 0, "2011-12-31T12:00+14:00"],
	])("skipped in %s, %s %i:%i moves forward by the gap to %s", (zone, date, hour, minute, expected) => {
		expect(isoDateTime(at(date), hour, minute, zone)).toBe(expected);
	});

	test.each([
		["Europe/Berlin", "2026-10-25", 2, 30, "2026-10-25T02:30+02:00"],
		["Europe/Berlin", "2026-10-25", 3, 0, "2026-10-25T03:00+01:00"],
		["America/New_York", "2026-11-01", 1, 30, "2026-11-01T01:30-04:00"],
		["Australia/Lord_Howe", "2026-04-05", 1, 45, "2026-04-05T01:45+11:00"],
	])("twice in %s, %s %i:%i means the first: %s", (zone, date, hour, minute, expected) => {
		expect(isoDateTime(at(date), hour, minute, zone)).toBe(expected);
	});
});

test("dates continue across months, years and leap days", () => {
	expect(isoDate(addDays(at("2028-02-28"), 1))).toBe("2028-02-29");
	expect(isoDate(addDays(at("2026-12-31"), 1))).toBe("2027-01-01");
	expect(isoDate(addDays(at("0099-12-31"), 1))).toBe("0100-01-01");
	expect(weekday(at("2026-11-21"))).toBe(6);
	for (const real of ["2024-02-29", "0001-01-01", "9999-12-31"]) expect(isRealDate(at(real))).toBe(true);
	const unreal = ["2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32", "0000-05-05", "10000-01-01"];
	for (const text of unreal) expect(isRealDate(at(text)), text).toBe(false);
	expect(isoDate(dateInZone(0, "Pacific/Honolulu"))).toBe("1969-12-31");
});

test("zones are checked, and default to the system's", () => {
	expect(timeZoneArgument(undefined)).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
	expect(timeZoneArgument("Asia/Tokyo")).toBe("Asia/Tokyo");
	for (const wrong of ["Mars/Base", "", 5, null, ["UTC"]]) expect(() => timeZoneArgument(wrong)).toThrow(/IANA/);
});

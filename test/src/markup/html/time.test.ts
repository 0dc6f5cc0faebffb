import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/markup/html/html.js";
import { datetimeOfTag, datesInText as partsOf } from "../../../../src/markup/html/time.js";
import { parseMarkdown } from "../../../../src/markup/markdown.js";
import { berlin } from "../berlin.js";

const datesInText = (text: string, timeZone: string) => [...partsOf(text, timeZone)];

describe("datesInText", () => {
	test("splits a text at its dates", () => {
		expect(datesInText("a [2026-11-21] b [2026-11-21 14:30]", "Europe/Berlin")).toEqual([
			"a ",
			{ datetime: "2026-11-21", label: "2026-11-21" },
			" b ",
			{ datetime: "2026-11-21T14:30+01:00", label: "2026-11-21 14:30" },
		]);
	});

	test("reads a time in the zone", () => {
		const part = { datetime: "2026-07-01T12:00+05:45", label: "2026-07-01 12:00" };
		expect(datesInText("[2026-07-01 12:00]", "Asia/Kathmandu")).toEqual([part]);
	});

	test.each([
		"[2026-1-2]",
		"[2026-02-29]",
		"[2026-13-01]",
		"[2026-00-10]",
		"[0000-01-01]",
		"[2026-11-21 24:00]",
		"[2026-11-21 14:60]",
		"[2026-11-21  14:30]",
		"[2026-11-21T14:30]",
		"[2026-11-21 14:30:00]",
		"[ 2026-11-21]",
		"2026-11-21",
	])("%j is no date", (text) => {
		expect(datesInText(text, "UTC")).toEqual([text]);
	});

	test("accepts leap days, and the first and the last day of the calendar", () => {
		expect(datesInText("[2028-02-29][0001-01-01][9999-12-31]", "UTC").map((part) => typeof part)).toEqual(
			Array(3).fill("object"),
		);
	});
});

describe("datetimeOfTag", () => {
	const read = (attributes: Record<string, string>) => datetimeOfTag((name) => attributes[name], "Europe/Berlin");

	test.each([
		"2026-11-21",
		"2026-11-21T14:30",
		"2026-11-21T14:30:59",
		"2026-11-21T14:30Z",
		"2026-11-21T14:30:00Z",
		"2026-11-21T14:30+01:00",
		"2026-11-21T00:00:00-09:30",
	])("keeps %s unchanged", (datetime) => {
		expect(read({ datetime })).toBe(datetime);
	});

	test.each([
		"",
		"2026",
		"2026-11",
		"2026-02-30",
		"2026-11-21 14:30",
		"2026-11-21T24:00",
		"2026-11-21T14:60",
		"2026-11-21T14:30:60",
		"2026-11-21T14:30+24:00",
		"2026-11-21T14:30+01:60",
		"2026-11-21T14:30+0100",
		"2026-11-21t14:30z",
		" 2026-11-21",
	])("refuses %j", (datetime) => {
		expect(read({ datetime })).toBeUndefined();
	});

	test.each([
		[{ startyear: "2026", startmonth: "11", startday: "21" }, "2026-11-21"],
		[{ startyear: "2026", startmonth: "3", startday: "5" }, "2026-03-05"],
		[{ startyear: "2026", startmonth: "11", startday: "21", starthour: "9" }, "2026-11-21T09:00+01:00"],
		[{ startyear: "2026", startmonth: "7", startday: "1", starthour: "0", startminute: "5" }, "2026-07-01T00:05+02:00"],
		[{ startyear: "2026", startmonth: "11", startday: "21", startminute: "5" }, "2026-11-21"],
		[{ startyear: "2026", startmonth: "11", startday: "21", endyear: "2027" }, "2026-11-21"],
		[{ datetime: "no", startyear: "2026", startmonth: "11", startday: "21" }, "2026-11-21"],
	])("reads %j as %s", (attributes, datetime) => {
		expect(read(attributes)).toBe(datetime);
	});

	test.each([
		{ startyear: "2026", startmonth: "11" },
		{ startyear: "2026", startmonth: "11", startday: "31" },
		{ startyear: "2026", startmonth: "11", startday: "" },
		{ startyear: "2026", startmonth: "11", startday: "1e1" },
		{ startyear: "2026", startmonth: "11", startday: "21", starthour: "24" },
		{ startyear: "2026", startmonth: "11", startday: "21", starthour: "9", startminute: "x" },
	])("ignores %j", (attributes) => {
		expect(read(attributes)).toBeUndefined();
	});
});

test("a create keeps the label of a date as typed", () => {
	expect(parseMarkdown("[2026-03-29 02:30]", berlin)[0]?.name).toBe(
		'<time datetime="2026-03-29T03:30+02:00">2026-03-29 02:30</time>',
	);
});

test("an update keeps a date in brackets as text", () => {
	expect(parseHtml("[2026-11-21]", berlin)).toBe("[2026-11-21]");
});

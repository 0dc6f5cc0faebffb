import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, isoDate, isRealDate } from "../../../src/date.js";
import { datesIn } from "../../../src/markup/dates.js";

/** A Tuesday. */
const today = "2026-11-24";

/** The words that are dates, each with its meaning. */
function meanings(text: string, options: Partial<Parameters<typeof datesIn>[1]> = {}): string[] {
	return datesIn(text, { today, ...options }).map(
		({ date, time, start, end }) => `${text.slice(start, end)} = ${date}${time === undefined ? "" : ` ${time}`}`,
	);
}

test.each([
	["today", "2026-11-24"],
	["Tomorrow", "2026-11-25"],
	["YESTERDAY", "2026-11-23"],
	["the day after tomorrow", "2026-11-26"],
	["day before yesterday", "2026-11-22"],
	["wed", "2026-11-25"],
	["fri", "2026-11-27"],
	["thurs", "2026-11-26"],
	["Monday", "2026-11-30"],
	["tue", "2026-12-01"],
	["this tues", "2026-11-24"],
	["next fri", "2026-12-04"],
	["next mon", "2026-11-30"],
	["last fri", "2026-11-20"],
	["last tuesday", "2026-11-17"],
	["next week", "2026-11-30"],
	["last week", "2026-11-16"],
	["next month", "2026-12-01"],
	["last month", "2026-10-01"],
	["next year", "2027-01-01"],
	["last year", "2025-01-01"],
	["in 3 days", "2026-11-27"],
	["in a week", "2026-12-01"],
	["in two weeks", "2026-12-08"],
	["in 1 month", "2026-12-24"],
	["in 15 months", "2028-02-24"],
	["in 10 years", "2036-11-24"],
	["in a day", "2026-11-25"],
	["24 dec", "2026-12-24"],
	["Dec 24", "2026-12-24"],
	["1 sept.", "2027-09-01"],
	["July 31", "2027-07-31"],
	["24 November", "2026-11-24"],
	["nov. 23", "2027-11-23"],
	["24th of December 2027", "2027-12-24"],
	["Fri, Dec 24, 2027", "2027-12-24"],
	["Friday, 24 December", "2026-12-24"],
	["29 feb", "2028-02-29"],
	["24.12.", "2026-12-24"],
	["1.2.2027", "2027-02-01"],
	["2027-12-24", "2027-12-24"],
	["tonight", "2026-11-24"],
	["end of week", "2026-11-29"],
	["end of the month", "2026-11-30"],
	["the end of next month", "2026-12-31"],
	["end of next week", "2026-12-06"],
	["end of this year", "2026-12-31"],
])("%s is %s", (words, date) => {
	expect(meanings(words)).toEqual([`${words} = ${date}`]);
	expect(meanings(`Meet (${words}), or so`)).toEqual([`${words} = ${date}`]);
});

test.each([
	["fri 14:30", "2026-11-27 14:30"],
	["tomorrow 9am", "2026-11-25 09:00"],
	["tomorrow at 9:05 PM", "2026-11-25 21:05"],
	["fri, 12am", "2026-11-27 00:00"],
	["24 dec 2027 12 pm", "2027-12-24 12:00"],
	["2027-12-24T7:00", "2027-12-24 07:00"],
	["24.12. 23:59", "2026-12-24 23:59"],
	["9am tomorrow", "2026-11-25 09:00"],
	["9:30 pm on fri", "2026-11-27 21:30"],
	["tonight 20:00", "2026-11-24 20:00"],
	["noon", "2026-11-24 12:00"],
	["tomorrow at noon", "2026-11-25 12:00"],
	["noon on fri", "2026-11-27 12:00"],
])("%s is %s", (words, moment) => {
	expect(meanings(`Call ${words}.`)).toEqual([`${words} = ${moment}`]);
});

test.each([
	"Frida Marc 5 thursd frida5 suns Marble 5, todayish monster 5may",
	"#fri @tomorrow _mon_ mon-fri today/tomorrow sun's sun’s v.fri",
	"2 weeks, 2 weeks ago, a day, in days, next, 14:30, 9am, may, 12/24",
	"31.2. 30 feb 24.13. 2026-02-30 0 may 2026-13-01 0000-01-01 24.12.20 1.24.12.",
	"in 9999 years, next\nweek, in 12345 days",
	"every fri, every friday 14:30, Every other monday, every 24 dec, every day at noon, every second mon and fri",
	"afternoon, noons, weekend of month, end of days, end of line, end of",
])("no dates are in: %s", (text) => {
	expect(meanings(text)).toEqual([]);
});

test("a time that doesn't exist is none, and the day counts", () => {
	expect(meanings("fri 25:00, sat 13pm, mon 9:60, sun 14:30:20, tue 3 people")).toEqual([
		"fri = 2026-11-27",
		"sat = 2026-11-28",
		"mon = 2026-11-30",
		"sun = 2026-11-29",
		"tue = 2026-12-01",
	]);
});

test("a text may have several dates", () => {
	expect(meanings("mon and wed, or 3 dec 10:00 24 dec 2026")).toEqual([
		"mon = 2026-11-30",
		"wed = 2026-11-25",
		"3 dec 10:00 = 2026-12-03 10:00",
		"24 dec 2026 = 2026-12-24",
	]);
});

test("the next week begins on the chosen day", () => {
	expect(meanings("next week, next sun", { weekStartsOn: 0 })).toEqual([
		"next week = 2026-11-29",
		"next sun = 2026-11-29",
	]);
	expect(meanings("next week, next sun")).toEqual(["next week = 2026-11-30", "next sun = 2026-12-06"]);
	expect(meanings("next week", { today: "2026-11-29" })).toEqual(["next week = 2026-11-30"]);
	expect(meanings("next tue", { weekStartsOn: 2 })).toEqual(["next tue = 2026-12-01"]);
});

test("a month that is too short ends earlier", () => {
	expect(meanings("in a month, last month, in 2 years", { today: "2028-02-29" })).toEqual([
		"in a month = 2028-03-29",
		"last month = 2028-01-01",
		"in 2 years = 2030-02-28",
	]);
	expect(meanings("in a month, in three months", { today: "2027-01-31" })).toEqual([
		"in a month = 2027-02-28",
		"in three months = 2027-04-30",
	]);
});

test.each([
	[{ today: "2026-02-30" }, /today is "2026-02-30"/],
	[{}, /today is undefined/],
	[{ today, weekStartsOn: 7 }, /weekStartsOn is 7/],
	[{ today, zone: "UTC" }, /unknown field "zone"/],
])("it refuses %j", (options, message) => {
	expect(() => datesIn("fri", options as Parameters<typeof datesIn>[1])).toThrow(message);
});

test("it refuses what isn't a text, and a day that isn't one", () => {
	expect(() => datesIn(undefined as never, { today: "2026-11-24" })).toThrow(
		"datesIn was given undefined. It takes a text",
	);
	const today = ["2026-11-24"] as unknown as string;
	expect(() => datesIn("fri", { today })).toThrow("today is an array. It must be a day that exists");
});

const day = fc
	.integer({ min: -100_000, max: 100_000 })
	.map((days) => isoDate(addDays({ year: 2026, month: 11, day: 24 }, days)));
const soup = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				..."next|last|this|in|a|two|weeks|month|day|fri|ſun|weeK|24|.|:|-|at|on|9am|14:30|dec".split("|"),
			),
			fc.constantFrom(" ", "  ", ",", "\n", "th", "2027", "today", "the day after", "every", "end of", "noon"),
			fc.string({ unit: "grapheme", maxLength: 3 }),
		),
		{ maxLength: 40 },
	)
	.map((pieces) => pieces.join(""));

test("every date exists, and its words mean the same alone", () => {
	fc.assert(
		fc.property(soup, day, fc.integer({ min: 0, max: 6 }), (text, now, first) => {
			const options = { today: now, weekStartsOn: first as 0 };
			let last = 0;
			for (const { date, time, start, end } of datesIn(text, options)) {
				const [year, month, number] = date.split("-").map(Number);
				expect(isRealDate({ year: year!, month: month!, day: number! })).toBe(true);
				expect(time ?? "00:00").toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
				expect(start).toBeGreaterThanOrEqual(last);
				expect(end).toBeGreaterThan(start);
				last = end;
				const words = text.slice(start, end);
				expect(datesIn(words, options)).toEqual([
					{ date, ...(time !== undefined && { time }), start: 0, end: words.length },
				]);
			}
		}),
	);
});

test("a weekday is within the next seven days, and has its name", () => {
	const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
	fc.assert(
		fc.property(day, fc.constantFrom(...names), (now, name) => {
			const [{ date } = { date: "" }] = datesIn(name, { today: now });
			expect(new Date(date).getUTCDay()).toBe(names.indexOf(name));
			const days = (Date.parse(date) - Date.parse(now)) / 86_400_000;
			expect(days).toBeGreaterThan(0);
			expect(days).toBeLessThanOrEqual(7);
			expect(datesIn(`in ${days} days`, { today: now })[0]!.date).toBe(date);
		}),
	);
});

test("long texts take linear time", () => {
	for (const piece of [
		"next ",
		"in 1",
		"fri, ",
		"9am on ",
		"1.",
		"24 ",
		"the day after ",
		"dec",
		" ",
		"2026-",
		"in a day ",
		"every fri and ",
		"end of next ",
	]) {
		const start = performance.now();
		datesIn(piece.repeat(20_000), { today });
		expect(performance.now() - start, piece).toBeLessThan(2000);
	}
});

import { describe, expect, test } from "vitest";
import { moments, spanModule } from "../../../../src/read/search/moments.js";

await spanModule.load();

const seconds = (text: string) => Date.parse(text) / 1000;
const berlin = "Europe/Berlin";
const now = Date.parse("2026-03-30T10:15:30.750+02:00");

describe("in Berlin", () => {
	test.each([
		["2026-11-21", "2026-11-21T00:00+01:00", "2026-11-22T00:00+01:00"],
		["2026-03-29", "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00"],
		["2026-11", "2026-11-01T00:00+01:00", "2026-12-01T00:00+01:00"],
		["2026-12", "2026-12-01T00:00+01:00", "2027-01-01T00:00+01:00"],
		["2026", "2026-01-01T00:00+01:00", "2027-01-01T00:00+01:00"],
		["2024-02-29", "2024-02-29T00:00+01:00", "2024-03-01T00:00+01:00"],
		["2026-11-01..2026-11-07", "2026-11-01T00:00+01:00", "2026-11-08T00:00+01:00"],
		["2026-11-21..2026-11-21", "2026-11-21T00:00+01:00", "2026-11-22T00:00+01:00"],
		["2025..2026-02", "2025-01-01T00:00+01:00", "2026-03-01T00:00+01:00"],
		["today", "2026-03-30T00:00+02:00", "2026-03-31T00:00+02:00"],
		["Yesterday", "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00"],
		["tomorrow", "2026-03-31T00:00+02:00", "2026-04-01T00:00+02:00"],
		["yesterday..2026-04", "2026-03-29T00:00+01:00", "2026-05-01T00:00+02:00"],
		["2026-03..today", "2026-03-01T00:00+01:00", "2026-03-31T00:00+02:00"],
		["+1d", "2026-03-30T00:00+02:00", "2026-04-01T00:00+02:00"],
		["+2W", "2026-03-30T00:00+02:00", "2026-04-14T00:00+02:00"],
		["+11m", "2026-03-30T00:00+02:00", "2027-03-01T00:00+01:00"],
		["+1y", "2026-03-30T00:00+02:00", "2027-03-31T00:00+02:00"],
	])("%s is from %s to before %s", (text, from, before) => {
		expect(moments(text, berlin, now)).toEqual({ from: seconds(from), before: seconds(before) });
	});

	test.each([
		[">2026-11", seconds("2026-12-01T00:00+01:00"), Infinity],
		[">=2026-11", seconds("2026-11-01T00:00+01:00"), Infinity],
		["<2026-11", -Infinity, seconds("2026-11-01T00:00+01:00")],
		["<=2026-11", -Infinity, seconds("2026-12-01T00:00+01:00")],
		["<today", -Infinity, seconds("2026-03-30T00:00+02:00")],
		[">=Tomorrow", seconds("2026-03-31T00:00+02:00"), Infinity],
		["+9999y", seconds("2026-03-30T00:00+02:00"), Infinity],
		["9999", seconds("9999-01-01T00:00+01:00"), Infinity],
		["9999-12-31", seconds("9999-12-31T00:00+01:00"), Infinity],
	])("%s is from %d to before %d", (text, from, before) => {
		expect(moments(text, berlin, now)).toEqual({ from, before });
	});

	test.each([
		["1h", "2026-03-30T09:15:30+02:00"],
		["36h", "2026-03-28T21:15:30+01:00"],
		["1d", "2026-03-29T10:15:30+02:00"],
		["2D", "2026-03-28T10:15:30+01:00"],
		["1w", "2026-03-23T10:15:30+01:00"],
		["1m", "2026-02-28T10:15:30+01:00"],
		["1y", "2025-03-30T10:15:30+02:00"],
	])("%s is since %s", (text, from) => {
		expect(moments(text, berlin, now)).toEqual({ from: seconds(from), before: Infinity });
	});
});

test("the longest spans reach into the distant past", () => {
	for (const unit of "hdwmy") expect(moments(`9999${unit}`, berlin, now)?.from, unit).toBeLessThan(now / 1000);
	expect(moments("9999y", berlin, now)?.from).toBeLessThan(-2e11);
});

test("a day begins at its first moment in the time zone, even if midnight is skipped", () => {
	expect(moments("2026-11-21", "Pacific/Kiritimati", now)?.from).toBe(seconds("2026-11-20T10:00Z"));
	expect(moments("2026-11-21", "America/New_York", now)?.from).toBe(seconds("2026-11-21T05:00Z"));
	expect(moments("2018-11-04", "America/Sao_Paulo", now)).toEqual({
		from: seconds("2018-11-04T01:00-02:00"),
		before: seconds("2018-11-05T00:00-02:00"),
	});
});

test.each([
	..."yesterday-ish 2026-13 2026-02-30 0000 2026-1-2 20261121 2026-11-21T10:00 2026- -2026 >".split(" "),
	..."=2026 ><2026 >7d 2026..7d 2026..2025 2026-11-07..2026-11-06 ..2026 2026.. 2026..2027..2028".split(" "),
	..."+24h +0d +7 7d+ >+7d today..+7d today..yesterday todays >>today".split(" "),
	..."0d 07d 7 d 7x 10000d -7d 7.5d 7dd 2026-13..2027 2026..2026-13".split(" "),
	"",
	"2026 ",
	" 2026",
])("%j is no time", (text) => {
	expect(moments(text, berlin, now)).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { Line } from "../../../../src/markup/read/line.js";

describe("indentation", () => {
	test.each([
		["a", 0],
		["   a", 3],
		["\ta", 4],
		["  \ta", 4],
		[" \t\t a", 9],
	])("of %j is %i columns", (text, columns) => {
		expect(new Line(text).indentation()).toBe(columns);
	});

	test("counts from the current offset", () => {
		const line = new Line("-\ta");
		line.pass(1);
		expect(line.indentation()).toBe(3);
	});
});

describe("skip", () => {
	test.each([
		["    a", 2, "  a"],
		["\ta", 4, "a"],
		["\ta", 1, "   a"],
		["\t\ta", 5, "   a"],
		[" a", 5, "a"],
		["a", 1, "a"],
	])("in %j by %i columns leaves %j", (text, columns, rest) => {
		const line = new Line(text);
		line.skip(columns);
		expect(line.rest()).toBe(rest);
	});

	test("continues within a tab", () => {
		const line = new Line("\ta");
		line.skip(1);
		line.skip(1);
		expect([line.indentation(), line.rest()]).toEqual([2, "  a"]);
		line.skip(2);
		expect(line.rest()).toBe("a");
	});
});

test.each([
	["***", true],
	[" - - -\t", true],
	["___", true],
	["**", false],
	["*-*", false],
	["***a", false],
	["===", false],
	["", false],
])("whether %j is a rule is %s", (text, isRule) => {
	expect(new Line(text).isRule()).toBe(isRule);
});

test.each([
	["", true],
	[" \t", true],
	["\u00a0", false],
	["\f", false],
])("whether %j is blank is %s", (text, isBlank) => {
	expect(new Line(text).isBlank()).toBe(isBlank);
});

test.each([
	["spaces", " "],
	["tabs", "\t"],
])("accepts any number of %s", (_, blank) => {
	for (const count of [4095, 4096, 4097, 10_000]) {
		const line = new Line(`${blank.repeat(count)}a b${blank.repeat(count)}`);
		expect(line.indentation()).toBe(count * (blank === "\t" ? 4 : 1));
		expect([line.contentStart(), line.content(), line.isBlank()]).toEqual([count, "a b", false]);
		expect(line.isBlankFrom(count + 2)).toBe(false);
		expect(line.isBlankFrom(count + 3)).toBe(true);
		const inner = new Line(`  ${blank.repeat(count)}a`);
		expect(inner.indentation()).toBe(blank === "\t" ? 4 * count : count + 2);
	}
});

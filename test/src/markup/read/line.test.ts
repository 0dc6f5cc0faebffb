import { expect, test } from "vitest";
import { Line } from "../../../../src/markup/read/line.js";

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

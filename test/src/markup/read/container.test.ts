import { describe, expect, test } from "vitest";
import { continues, Item, opens } from "../../../../src/markup/read/container.js";
import { Line } from "../../../../src/markup/read/line.js";

describe("opens", () => {
	test.each([
		["> a", { type: "quote" }, "a"],
		[">a", { type: "quote" }, "a"],
		["   >\ta", { type: "quote" }, "   a"],
		["- a", { type: "item", indentation: 2, marker: "", isBlank: false }, "a"],
		["  *   a", { type: "item", indentation: 6, marker: "", isBlank: false }, "a"],
		["+     a", { type: "item", indentation: 2, marker: "", isBlank: false }, "    a"],
		["-\ta", { type: "item", indentation: 4, marker: "", isBlank: false }, "a"],
		["-", { type: "item", indentation: 2, marker: "", isBlank: true }, ""],
		["12) a", { type: "item", indentation: 4, marker: "12)", isBlank: false }, "a"],
		["007. a", { type: "item", indentation: 5, marker: "007.", isBlank: false }, "a"],
	])("reads the marker of %j as %j", (text, opening, rest) => {
		const line = new Line(text);
		expect(opens(line, false)).toEqual(opening);
		expect(line.rest()).toBe(rest);
	});

	test.each(["a", "-a", "1.a", "1234567890. a", "    - a", "    > a", "---", "* * *", "1 a", "\\- a"])(
		"%j opens nothing",
		(text) => {
			const line = new Line(text);
			expect(opens(line, false)).toBeUndefined();
			expect(line.rest()).toBe(text);
		},
	);

	test.each([
		["-", false],
		["1.", false],
		["2. a", false],
		["1. a", true],
		["01) a", true],
		["- a", true],
		[">", true],
	])("whether %j interrupts a paragraph is %s", (text, interrupts) => {
		expect(opens(new Line(text), true) !== undefined).toBe(interrupts);
	});
});

describe("continues", () => {
	const item = (isBlank = false) => new Item({ type: "item", indentation: 2, marker: "", isBlank }, 0);

	test.each([
		["  a", true],
		["\ta", true],
		[" a", false],
		["a", false],
		["", true],
		[" ", true],
	])("an item with two columns, followed by %j: %s", (text, goesOn) => {
		expect(continues(item(), new Line(text))).toBe(goesOn);
	});

	test("ends an item that begins blank at a second blank line", () => {
		const blank = item(true);
		expect(["", "  a"].map((text) => continues(blank, new Line(text)))).toEqual([true, false]);
	});

	test("continues an item that begins blank in the next line", () => {
		const blank = item(true);
		expect(["  a", "", "  b"].map((text) => continues(blank, new Line(text)))).toEqual([true, true, true]);
	});

	test.each([
		["> a", true],
		["   >", true],
		["    > a", false],
		["a", false],
		["", false],
	])("a quote followed by %j: %s", (text, goesOn) => {
		expect(continues({ type: "quote", item: undefined }, new Line(text))).toBe(goesOn);
	});
});

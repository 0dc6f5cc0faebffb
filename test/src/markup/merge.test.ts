import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergedFragment, mergedText } from "../../../src/markup/merge.js";
import { finished } from "../../../src/pace.js";

describe("two edits of a text", () => {
	test.each<[base: string, ours: string, theirs: string, merged: string]>([
		["one two three", "ONE two three", "one two THREE", "ONE two THREE"],
		["one two", "ONE two", "one TWO", "ONE TWO"],
		["one two three", "one three", "one two three four", "one three four"],
		["one", "zero one", "one two", "zero one two"],
		["a\nb\nc", "a\nB\nc", "a\nb\nc\nd", "a\nB\nc\nd"],
		["京都と東京", "京都と大阪", "奈良と東京", "奈良と大阪"],
		["don't stop me now", "don't stop you now", "do stop me now", "do stop you now"],
		["one", "zeroone", "one two", "zeroone two"],
		["one", "zero one", "onetwo", "zero onetwo"],
		["<b>one</b>", "<b>zeroone</b>", "<b>one two</b>", "<b>zeroone two</b>"],
		["la la", "la la la", "a la la", "a la la la"],
		["same", "other", "other", "other"],
		["same", "same", "other", "other"],
		["same", "other", "same", "other"],
		["", "a", "", "a"],
	])("of other words merge: %j, %j and %j", (base, ours, theirs, merged) => {
		expect(mergedText(base, ours, theirs)).toBe(merged);
		expect(mergedText(base, theirs, ours)).toBe(merged);
	});

	test.each<[string, string, string]>([
		["one two three", "one TWO three", "one 2 three"],
		["one two", "one two three", "one two four"],
		["one two", "", "one two three"],
		["", "a", "b"],
		["milk", "milk bread", "milk eggs"],
		["milk", "buttermilk", "milks"],
		["aa", "aaa", "a a"],
		["call Ann", "call Bob", "call Ann today"],
		["京都", "大阪", "奈良"],
	])("of the same words don't: %j, %j and %j", (base, ours, theirs) => {
		expect(mergedText(base, ours, theirs)).toBeUndefined();
	});

	test("of a long text merge by sentences, and a text that is too long isn't compared", () => {
		const long = Array.from({ length: 400 }, (_, number) => `Sentence number ${number} has some words.`);
		const edited = (at: number, text: string) => long.with(at, text).join("\n");
		const base = long.join("\n");
		expect(mergedText(base, edited(3, "First."), edited(396, "Second."))).toBe(
			long.with(3, "First.").with(396, "Second.").join("\n"),
		);
		const huge = "word ".repeat(40_000);
		expect(mergedText(huge, `a ${huge}b`, `${huge}c`)).toBeUndefined();
	});

	test("have every word that one of them added, whatever they are", () => {
		const text = fc.array(fc.constantFrom("a", "b", " ", "\n", "<b>", "</b>", "&amp;", "ä"), { maxLength: 12 });
		fc.assert(
			fc.property(text, text, text, (base, ours, theirs) => {
				const [from, left, right] = [base, ours, theirs].map((parts) => parts.join("")) as [string, string, string];
				const merged = mergedText(from, left, right);
				expect(mergedText(from, right, left)).toBe(merged);
				if (left === from) expect(merged).toBe(right);
				if (left === right) expect(merged).toBe(left);
			}),
			{ numRuns: 2000 },
		);
	});
});

test.each<[string, string, string, string | undefined]>([
	["one two", "<b>one</b> two", "one two three", "<b>one</b> two three"],
	["<b>one</b> two", "one two", "<b>one</b> three", "one three"],
	["a &lt; b", "a &lt; c", "x &lt; b", "x &lt; c"],
	// Each alone is right, but together a tag would be left without its partner, or tags would cross.
	["one two three", "<b>one two</b> three", "one <i>two three</i>", undefined],
])("two edits of a name merge only into a name as it is stored: %j, %j and %j", (base, ours, theirs, merged) => {
	expect(finished(mergedFragment(base, ours, theirs))).toBe(merged);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editsBetween, mergeEdits, offsetAfter } from "../../../src/markup/edits.js";

describe("the edits between two texts", () => {
	test.each<[string, string, ReturnType<typeof editsBetween>]>([
		["same", "same", []],
		["one two", "one 2 two", [{ start: 4, end: 4, text: "2 " }]],
		["one two", "two", [{ start: 0, end: 4, text: "" }]],
		[
			"the middle of it",
			"At the middle of them",
			[
				{ start: 0, end: 0, text: "At " },
				{ start: 14, end: 16, text: "them" },
			],
		],
		[
			"abc",
			"a1b2c",
			[
				{ start: 1, end: 1, text: "1" },
				{ start: 2, end: 2, text: "2" },
			],
		],
		["a1b2c", "a3b4c", [{ start: 1, end: 4, text: "3b4" }]],
		[
			"ab",
			"a<b>b</b>",
			[
				{ start: 1, end: 1, text: "<b>" },
				{ start: 2, end: 2, text: "</b>" },
			],
		],
		["a&lt;b", "a&gt;b", [{ start: 1, end: 5, text: "&gt;" }]],
		["😀", "😁", [{ start: 0, end: 2, text: "😁" }]],
		["aa", "aaa", [{ start: 2, end: 2, text: "a" }]],
	])("of %j and %j are %j", (before, after, edits) => {
		expect(editsBetween(before, after)).toEqual(edits);
	});

	test("lead from the one to the other, and keep what they don't touch", () => {
		const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "<b>", "</b>", "&amp;", "😀"), maxLength: 20 });
		fc.assert(
			fc.property(text, text, (before, after) => {
				let [result, at] = ["", 0];
				for (const { start, end, text } of editsBetween(before, after)) {
					expect(start).toBeGreaterThanOrEqual(at);
					result += before.slice(at, start) + text;
					at = end;
				}
				expect(result + before.slice(at)).toBe(after);
			}),
			{ numRuns: 2000 },
		);
	});
});

test.each([
	["abc", "abc|def", "abc|def"],
	["what comes before it moves it", "one |two", "zero, one |two"],
	["what comes behind it doesn't", "one |two", "one |two three"],
	["what comes right there is behind it", "one|", "one| two"],
	["what changes on both sides at once leaves it between them", "the middle |of it", "At the middle |of them"],
	["what is deleted around it leaves it in the gap", "one tw|o six", "one |six"],
	["what is written over it keeps it as far in", "one tw|o", "one 12|345"],
	["but no farther than the new text", "one twenty|one!", "one 2|!"],
])("a place in a text stays between the same characters: %s", (_, before, after) => {
	const [from, to] = [before.replace("|", ""), after.replace("|", "")];
	expect(offsetAfter(editsBetween(from, to), before.indexOf("|"))).toBe(after.indexOf("|"));
});

describe("two edits of one text, merged by characters", () => {
	test.each([
		["each edit stays where it was made", "one two three", "one 2 two three", "one two three!", "one 2 two three!"],
		["what comes first may be theirs", "one two three", "one two three!", "one 2 two three", "one 2 two three!"],
		["what one alone has changed is what it is now", "abc", "abc", "aXc", "aXc"],
		["what both have done alike is done once", "abc", "abXc", "abXc", "abXc"],
		["of what is written at one place, what is mine comes first", "a ", "a mine", "a theirs", "a minetheirs"],
		["what one deletes is gone, what the other writes beside it is there", "one two", "two", "one two!", "two!"],
		["what both rewrite is there in either form", "the cat sat", "the dog sat", "the cow sat", "the dogcow sat"],
		["so is what one rewrites more of", "the cat sat", "the dog sat", "the mice sit", "the dog samice sit"],
		["edits at several places stay apart", "mb the middle", "mbX the middle", "amb the middle!", "ambX the middle!"],
		["tags stay whole", "a b", "a <b>b</b>", "a b <i>c</i>", "a <b>b</b> <i>c</i>"],
		["so do characters that are written by a name, and those of two units", "&lt;", "&amp;", "😀&lt;", "😀&amp;"],
	])("%s", (_, before, mine, theirs, both) => {
		expect(mergeEdits(before, mine, theirs)).toBe(both);
	});

	test("have all that the two typed, each in one piece", () => {
		const at = fc.nat({ max: 8 });
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."abc "), maxLength: 8 }), at, at, (before, left, right) => {
				const typed = (letters: string, place: number) => before.slice(0, place) + letters + before.slice(place);
				const both = mergeEdits(before, typed("123", left), typed("456", right));
				expect([...both].sort().join("")).toBe([..."123456", ...before].sort().join(""));
				expect(both).toContain("123");
				expect(both).toContain("456");
			}),
			{ numRuns: 1000 },
		);
	});

	test("have what the two typed at several places each, once", () => {
		const before = "the quick brown fox jumps over the lazy dog";
		const places = fc.array(fc.nat({ max: before.length }), { minLength: 3, maxLength: 3 });
		const typed = (letters: string, at: number[]) =>
			at.reduce((text, place, index) => text.slice(0, place) + letters[index] + text.slice(place), before);
		fc.assert(
			fc.property(places, places, (left, right) => {
				const both = [...mergeEdits(before, typed("123", left), typed("456", right))];
				for (const letter of "123456") expect(both.filter((each) => each === letter)).toHaveLength(1);
				expect(both.length).toBeLessThan(before.length + 20);
			}),
			{ numRuns: 1000 },
		);
	});
});

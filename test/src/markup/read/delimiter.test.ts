import { expect, test } from "vitest";
import { codeSpansOf } from "../../../../src/markup/read/code-span.js";
import { Delimiters } from "../../../../src/markup/read/delimiter.js";
import { finished } from "../../../../src/pace.js";

const delimitersOf = (text: string) => new Delimiters(text, finished(codeSpansOf(text)));

/** Reads a whole text, and returns whether nothing is open at its end. */
function isQuietAfter(text: string): boolean {
	const delimiters = delimitersOf(text);
	const next = (from: number) => delimiters.next(from, text.length);
	for (let at = next(0); at < text.length; ) at = next(delimiters.read(at).end);
	return delimiters.isQuiet;
}

test.each([
	"a",
	"*a*",
	"**a** *b*",
	"***a** b*",
	"a * b",
	"~~a~~",
	"a ~~ b",
	"~a",
	"[a]",
	"[a](b c)",
	"[a]] b",
	"`*[`",
	"\\*a",
	"<b x='*'>",
	"[2026-11-21]",
])("nothing is open after %j", (text) => {
	expect(isQuietAfter(text)).toBe(true);
});

test.each(["*a", "**a*", "~~a", "[a", "[a](b", "`*a", "<b x='*a"])("something is open after %j", (text) => {
	expect(isQuietAfter(text)).toBe(false);
});

test.each([
	["\\*", 2],
	["\\a", 1],
	["`a b` c", 5],
	["``a", 2],
	["<b c='d e'> f", 11],
	["<https://a.example/*> b", 21],
	["< b", 1],
	["***a", 3],
	["~~~ a", 3],
	["[2026-11-21 14:30] a", 18],
	["[2026-11-21](b)", 1],
	["](a", 2],
	["] (a", 1],
])("reads %j up to %i", (text, end) => {
	expect(delimitersOf(text).read(0).end).toBe(end);
});

test("reset forgets what is open", () => {
	const delimiters = delimitersOf("*a ~~b [c](d");
	for (const at of [0, 3, 7, 9]) delimiters.read(at);
	expect(delimiters.isQuiet).toBe(false);
	delimiters.reset();
	expect(delimiters.isQuiet).toBe(true);
});

import { expect, test } from "vitest";
import * as notes from "../../../../src/exchange/markdown/markdown-note.js";
import { completedMarker, withoutMarker } from "../../../../src/exchange/markdown/markdown-note.js";
import { normalizeText } from "../../../../src/markup/text.js";
import { finished } from "../../../../src/pace.js";

const markdownOfNote = (note: string) => finished(notes.markdownOfNote(note));
const noteOfMarkdown = (lines: readonly string[]) => finished(notes.noteOfMarkdown(lines));

test.each([
	// Headings
	["# a", "\\# a"],
	["#\ta", "\\#\ta"],
	["#", "\\#"],
	["###### a", "\\###### a"],
	["####### a", "####### a"],
	["#a", "#a"],
	["a # b", "a # b"],
	// Quotes and items
	["> a", "\\> a"],
	[">a", "\\>a"],
	["- a", "\\- a"],
	["+ a", "\\+ a"],
	["*\ta", "\\*\ta"],
	["-", "\\-"],
	["-a", "-a"],
	["a - b", "a - b"],
	["1. a", "1\\. a"],
	["12) a", "12\\) a"],
	["123456789. a", "123456789\\. a"],
	["1234567890. a", "1234567890. a"],
	["1.", "1\\."],
	["1.5", "1.5"],
	["1: a", "1: a"],
	["a 1. b", "a 1. b"],
	// Fences
	["```js", "\\```js"],
	["~~~", "\\~~~"],
	["``", "``"],
	["~~", "~~"],
	["a ```", "a ```"],
	// Rules, and lines below headings
	["---", "\\---"],
	["--\t", "\\--&#9;"],
	["=", "\\="],
	["=-= ", "\\=-=&#32;"],
	["= a", "= a"],
	["_ _ _", "\\_ _ _"],
	["*\t*\t*", "\\*\t*\t*"],
	["***", "\\***"],
	["__", "__"],
	["_ _ a", "_ _ a"],
	["_-_", "_-_"],
	// Escapes and references
	["\\*", "\\\\*"],
	["a\\", "a\\"],
	["\\a", "\\a"],
	["a\\ ", "a\\\\&#32;"],
	["\\\t", "\\\\&#9;"],
	["a\\ b", "a\\ b"],
	["a &amp; b &lt;", "a \\&amp; b \\&lt;"],
	["&#38;", "\\&#38;"],
	["a & b", "a & b"],
	["&;", "&;"],
	["&#;", "&#;"],
	["& amp;", "& amp;"],
	// Space at the ends
	[" a", "&#32;a"],
	["\ta b ", "&#9;a b&#32;"],
	["  a", "&#32; a"],
	// The mark of completed nodes
	[`a ${completedMarker} b ${completedMarker}`, `a \\${completedMarker} b \\${completedMarker}`],
])("writes the line %j of a note as %j in Markdown, and reads it again", (line, markdown) => {
	expect(markdownOfNote(line)).toEqual([markdown]);
	expect(noteOfMarkdown([markdown])).toBe(line);
	const lines = ["x", markdown, "y"];
	expect(markdownOfNote(`x\n${line}\ny`)).toEqual(lines);
	expect(noteOfMarkdown(lines)).toBe(`x\n${line}\ny`);
});

test.each([
	["", ["&#0;"]],
	["a\n\nb", ["a", "", "b"]],
	["a\n\n\nb", ["a", "&#0;", "&#0;", "b"]],
	["\na", ["&#0;", "a"]],
	["a\n", ["a", "&#0;"]],
	["\n", ["&#0;", "&#0;"]],
])("writes the blank lines of %j as %j, and reads them again", (note, lines) => {
	expect(markdownOfNote(note)).toEqual(lines);
	expect(normalizeText(noteOfMarkdown(lines))).toBe(note);
});

test.each([
	[[`a ${completedMarker}`], ["a"], true],
	[[`a\t${completedMarker}`], ["a"], true],
	[[`a  ${completedMarker}`], ["a "], true],
	[[`a b ${completedMarker}`], ["a b"], true],
	[["a", completedMarker], ["a"], true],
	[[completedMarker], [], true],
	[[`a${completedMarker}`], [`a${completedMarker}`], false],
	[[`a b${completedMarker}`], [`a b${completedMarker}`], false],
	[[`${completedMarker} a`], [`${completedMarker} a`], false],
	[[completedMarker, "a"], [completedMarker, "a"], false],
	[["a "], ["a "], false],
	[[], [], false],
])("splits the lines %j into the text %j and completed: %j", (lines, rest, completed) => {
	expect(withoutMarker(lines)).toEqual({ lines: rest, completed });
	expect(completedMarker).toBe("<!-- completed -->");
});

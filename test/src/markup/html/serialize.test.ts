import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHtml } from "../../../../src/markup/html/html.js";
import { serialization } from "../../../../src/markup/html/serialize.js";
import { type Inline, type InlineTag, literal } from "../../../../src/markup/inline.js";
import { finished } from "../../../../src/pace.js";
import { berlin } from "../berlin.js";
import { readFragment } from "../fragment.js";
import { soup } from "../soup.js";

const open = (tag: InlineTag, attribute?: string): Inline => ({
	type: "open",
	tag,
	attribute,
	source: `<${tag}!>`,
	sealed: false,
});
const close = (tag: InlineTag, suffix = ""): Inline => ({
	type: "close",
	tag,
	source: `</${tag}!>`,
	sealed: false,
	suffix,
});
const text = (value: string): Inline => ({ type: "text", value, dates: true });
const date = '<time datetime="2026-11-21">2026-11-21</time>';

test.each<[string, Inline[], string]>([
	["normalizes text across its parts", [literal("a\r"), literal("\n\0b\ud800")], "a\nb\ufffd"],
	["writes a suffix after its element", [open("a", "/u"), close("a", " t"), text("x")], '<a href="/u"></a> tx'],
	["omits the suffix of an element shown as typed", [open("a"), close("a", " t")], "&lt;a!&gt;&lt;/a!&gt;"],
	["finds dates in text", [text("[2026-11-21]")], date],
	["finds no dates in literals", [literal("[2026-11-21]")], "[2026-11-21]"],
	["finds no date made up of two texts", [text("[2026-"), text("11-21]")], "[2026-11-21]"],
])("%s", (_, inlines, html) => {
	expect(finished(serialization(inlines, berlin))).toBe(html);
});

/** Returns the error message if an HTML fragment is longer than allowed; undefined otherwise. */
function refusal(html: string, longest: number): string | undefined {
	try {
		parseHtml(html, { ...berlin, longest });
		return undefined;
	} catch (error) {
		return String(error);
	}
}

test.each([
	["a <b>&lt;b&gt;</b> &amp;", 7],
	["<b></b><i></i>", 0],
])("counts the text of %j as %i characters", (html, length) => {
	expect(refusal(html, length)).toBeUndefined();
	expect(refusal(html, length - 1)).toContain(`name has ${length} characters, and ${length - 1} are allowed.`);
});

test("counts only the text that a user sees", () => {
	fc.assert(
		fc.property(soup, (html) => {
			const { length } = readFragment(parseHtml(html, berlin)).text;
			// The length of a plain fragment isn't checked.
			if (parseHtml(html, berlin) === html) return;
			expect(refusal(html, length)).toBeUndefined();
			expect(refusal(html, length - 1)).toContain(`name has ${length} characters`);
		}),
		{ numRuns: 500 },
	);
});

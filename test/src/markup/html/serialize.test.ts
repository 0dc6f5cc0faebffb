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
	["escapes text", [literal(`<b> & "'`)], `&lt;b&gt; &amp; "'`],
	["escapes attributes", [open("a", `/?a&"<>'`), close("a")], `<a href="/?a&amp;&quot;&lt;&gt;'"></a>`],
	["normalizes text across its parts", [literal("a\r"), literal("\n\0b\ud800")], "a\nb\ufffd"],
	["shows tags without a partner as typed", [open("b"), close("i")], "&lt;b!&gt;&lt;/i!&gt;"],
	["shows a link without a target as typed", [open("a"), text("x"), close("a")], "&lt;a!&gt;x&lt;/a!&gt;"],
	["shows a time without a meaning as typed", [open("time"), close("time")], "&lt;time!&gt;&lt;/time!&gt;"],
	[
		"flattens an element within one of its kind",
		[open("b"), text("a"), open("i"), open("b"), text("c"), close("b"), close("i"), close("b")],
		"<b>a<i>c</i></b>",
	],
	[
		"shows a link within a link as typed",
		[open("a", "/u"), open("a", "/v"), text("x"), close("a"), close("a")],
		'<a href="/u">&lt;a!&gt;x&lt;/a!&gt;</a>',
	],
	[
		"shows a time within a time as typed",
		[open("time", "2026-11-21"), open("time", "2026-11-22"), close("time"), close("time")],
		'<time datetime="2026-11-21">&lt;time!&gt;&lt;/time!&gt;</time>',
	],
	["writes a suffix after its element", [open("a", "/u"), close("a", " t"), text("x")], '<a href="/u"></a> tx'],
	["omits the suffix of an element shown as typed", [open("a"), close("a", " t")], "&lt;a!&gt;&lt;/a!&gt;"],
	["finds dates in text", [text("[2026-11-21]")], date],
	["finds no dates in literals", [literal("[2026-11-21]")], "[2026-11-21]"],
	["finds no date made up of two texts", [text("[2026-"), text("11-21]")], "[2026-11-21]"],
	["finds dates in bold, italic and struck text", [open("b"), text("[2026-11-21]"), close("b")], `<b>${date}</b>`],
	["finds no dates in code", [open("code"), text("[2026-11-21]"), close("code")], "<code>[2026-11-21]</code>"],
	["finds no dates in links", [open("a", "/"), text("[2026-11-21]"), close("a")], '<a href="/">[2026-11-21]</a>'],
	["finds dates again after a link", [open("a", "/"), close("a"), text("[2026-11-21]")], `<a href="/"></a>${date}`],
	[
		"finds dates in a link that shows as typed",
		[open("a"), text("[2026-11-21]"), close("a")],
		`&lt;a!&gt;${date}&lt;/a!&gt;`,
	],
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
	['<a href="/u?a&amp;b&gt;">x</a>', 1],
	['<a href="&quot;">&amp;quot;</a>', 6],
	['<time datetime="2026-11-21">x</time>', 1],
	["&#x1f600;<b>", 5],
	["&#13;<i></i>&#10;", 2],
	["&#13;&#0;&#10;", 1],
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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/markup/html/html.js";
import { escapeText, normalizeText } from "../../../../src/markup/text.js";
import { toText } from "../../../../src/markup/write/to-text.js";
import naughtyStrings from "../../../vectors/blns.json" with { type: "json" };
import sanitizerCases from "../../../vectors/html5lib.sanitizer.json" with { type: "json" };
import { berlin } from "../berlin.js";
import { canonical, longCanonical } from "../canonical.js";
import { readFragment } from "../fragment.js";
import { soup } from "../soup.js";

describe("returns the text that a user reads in a name", () => {
	test.each([
		["", ""],
		["Buy milk", "Buy milk"],
		["<b>a</b> <i>b</i> <s>c</s> <code>d</code>", "a b c d"],
		["un<b>believ</b>able", "unbelievable"],
		['<a href="https://a.example/?b&amp;c">d <i>e</i></a>', "d e"],
		['<time datetime="2026-11-21">Sat, Nov 21, 2026</time>', "Sat, Nov 21, 2026"],
		["a &lt;b&gt; &amp;amp; &amp;lt;", "a <b> &amp; &lt;"],
		[' a "b"\n\tc ', ' a "b"\n\tc '],
		["<b></b>", ""],
	])("reads %j as %j", (name, text) => {
		expect(toText(name)).toBe(text);
	});

	test.each(["tel:1", "file:///a", "obsidian://b"])(
		"a link may have the scheme of %s, which some host allows",
		(href) => {
			expect(toText(`<a href="${href}">c</a>`)).toBe("c");
		},
	);
});

test.each([
	["a < b > c && d", "a < b > c && d"],
	["<b>a", "<b>a"],
	["<u>a</u>", "<u>a</u>"],
	["<STRONG>a</strong>", "a"],
	["&copy;&nbsp;&#65;&nope;", "©\u00a0A&nope;"],
	["<a href='javascript:1'>a</a>", "<a href='javascript:1'>a</a>"],
	["<a href='data:,b'>a</a>", "<a href='data:,b'>a</a>"],
	["<time startYear=2026 startMonth=11 startDay=21 startHour=9>a</time>", "a"],
	["**a** [2026-11-21]", "**a** [2026-11-21]"],
	["a\0\r\nb\ud83d", "a\nb\ufffd"],
])("reads a text that isn't a canonical fragment as an update does: %j is %j", (name, text) => {
	expect(toText(name)).toBe(text);
});

describe("for any name", () => {
	test("returns the text that a strict reader finds in a canonical fragment", () => {
		const check = (name: string) => {
			expect(toText(name)).toBe(readFragment(name).text);
		};
		fc.assert(fc.property(canonical, check), { numRuns: 1000 });
		fc.assert(fc.property(longCanonical, check), { numRuns: 50 });
	});

	test("returns, for any other text, the text of the fragment that an update stores", () => {
		const check = (source: string) => {
			expect(toText(source)).toBe(readFragment(parseHtml(normalizeText(source), berlin)).text);
		};
		fc.assert(fc.property(soup, check), { numRuns: 500 });
		fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: 300 });
		for (const source of naughtyStrings) check(source);
		for (const { input } of sanitizerCases) check(input);
	});

	test("returns an escaped text unescaped", () => {
		const check = (source: string) => {
			const text = normalizeText(source);
			expect(toText(escapeText(text))).toBe(text);
		};
		fc.assert(fc.property(soup, check), { numRuns: 500 });
		fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: 300 });
		for (const source of naughtyStrings) check(source);
	});

	test("refuses values that are no text", () => {
		for (const name of [undefined, null, 1, {}]) {
			expect(() => toText(name as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		}
	});
});

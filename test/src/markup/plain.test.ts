import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHtml } from "../../../src/markup/html/html.js";
import { parseMarkdown, readMarkdown } from "../../../src/markup/markdown.js";
import { isPlain, isPlainFragment } from "../../../src/markup/plain.js";
import { normalizeText } from "../../../src/markup/text.js";
import { finished } from "../../../src/pace.js";
import naughtyStrings from "../../vectors/blns.json" with { type: "json" };
import { berlin } from "./berlin.js";
import { soup } from "./soup.js";

test.each([
	"",
	"Buy milk",
	"a - b + c # d",
	"__init__.py ~x~ 50% (a) \"b\" 'c'!",
	"é \u{1f600}",
	"2026",
	"10 a",
	"\u00a0a\u00a0",
	"a\tb",
])("%j is plain", (text) => {
	expect(isPlain(text)).toBe(true);
});

test.each([
	" a",
	"a ",
	"a\t",
	"- a",
	"+a",
	"# a",
	"> a",
	"1. a",
	"1)",
	"a\nb",
	"a & b",
	"a < b",
	"a > b",
	"*",
	"`",
	"[",
	"\\",
	"~~",
])("%j isn't plain", (text) => {
	expect(isPlain(text)).toBe(false);
});

test("parsing a plain text returns the same text", () => {
	let tried = 0;
	let plain = 0;
	const check = (source: string) => {
		tried++;
		const text = normalizeText(source);
		if (!isPlain(text)) return;
		plain++;
		const { blocks } = finished(readMarkdown(text, undefined, berlin));
		expect(blocks).toEqual([{ name: text, layoutMode: "bullets", completed: false, depth: 0 }]);
		expect(parseMarkdown(text, berlin)).toEqual(blocks);
	};
	const unit = fc.constantFrom(..."a1 \t\u00a0\ufeff-+#=_~!|:.)]('\"^\u0001\f\u2028", "é", "\u{1f600}");
	fc.assert(fc.property(fc.string({ unit, maxLength: 8 }), check), { numRuns: 5000 });
	fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: 500 });
	fc.assert(fc.property(soup, check), { numRuns: 200 });
	for (const text of naughtyStrings) check(text);
	expect(plain).toBeGreaterThan(tried / 4);
});

test.each(["", "a", "a &amp; b", "&lt;b&gt;", "&amp;lt;", "&amp;amp;", " a\nb ", "* # [x] `"])(
	"%j is a plain fragment",
	(text) => {
		expect(isPlainFragment(text)).toBe(true);
	},
);

test.each(["<", ">", "&", "&amp", "&AMP;", "&quot;", "&#38;", "a &lt b", "<b>a</b>"])(
	"%j is no plain fragment",
	(text) => {
		expect(isPlainFragment(text)).toBe(false);
	},
);

test("parsing a plain fragment returns the same fragment", () => {
	const piece = fc.oneof(
		fc.constantFrom("&amp;", "&lt;", "&gt;", "&", "amp;", "lt;", "&quot;", "&#60;", ";", "<", ">", " ", "\n", "\u00a0"),
		fc.string({ unit: "binary", maxLength: 3 }),
	);
	let tried = 0;
	let plain = 0;
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
			tried++;
			const text = normalizeText(pieces.join(""));
			if (!isPlainFragment(text)) return;
			plain++;
			expect(parseHtml(text, berlin)).toBe(text);
			// With a tag after it, the parser must read it.
			expect(parseHtml(`${text}<b>x</b>`, berlin)).toBe(`${text}<b>x</b>`);
		}),
		{ numRuns: 3000 },
	);
	expect(plain).toBeGreaterThan(tried / 4);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LayoutMode, layoutModes } from "../../../../src/layout-mode.js";
import { parseHtml } from "../../../../src/markup/html/html.js";
import { parseMarkdown } from "../../../../src/markup/markdown.js";
import { piecesOf } from "../../../../src/markup/read/pieces.js";
import { escapeText, normalizeText } from "../../../../src/markup/text.js";
import { type ToMarkdownOptions, toMarkdown } from "../../../../src/markup/write/to-markdown.js";
import { toText } from "../../../../src/markup/write/to-text.js";
import naughtyStrings from "../../../vectors/blns.json" with { type: "json" };
import targets from "../../../vectors/href.schemes.json" with { type: "json" };
import sanitizerCases from "../../../vectors/html5lib.sanitizer.json" with { type: "json" };
import patterns from "../../../vectors/markdown.pathological.json" with { type: "json" };
import { berlin } from "../berlin.js";
import { canonical, longCanonical } from "../canonical.js";
import { soup } from "../soup.js";

const inlineModes = layoutModes.filter((mode) => mode !== "code-block");

/** Returns the blocks that a create makes of a name's Markdown. */
function blocksAfter(name: string, options: ToMarkdownOptions = {}) {
	return parseMarkdown(toMarkdown(name, options), berlin);
}

/** Checks that a create makes the same node from the Markdown of a name. */
function expectSame(name: string, options: ToMarkdownOptions = {}): void {
	const { layoutMode = "bullets", completed = false } = options;
	const markdown = toMarkdown(name, options);
	expect(markdown).not.toContain("\n");
	expect(parseMarkdown(markdown, berlin), markdown).toEqual([{ name, layoutMode, completed, depth: 0 }]);
}

describe("uses readable Markdown if possible", () => {
	test.each([
		["", ""],
		["Buy milk", "Buy milk"],
		["<b>a</b> <i>b</i> <s>c</s> <code>d</code>", "**a** *b* ~~c~~ `d`"],
		["un<b>believ</b>able", "un**believ**able"],
		["<b>a <i>b <s>c</s></i></b>", "**a *b ~~c~~***"],
		["<i><b>a</b> b</i>", "***a** b*"],
		["<i><b>a</b></i>", "***a***"],
		["“<b>a</b>” (<i>b.</i>) <b>c!</b>", "“**a**” (*b.*) **c!**"],
		["<b>。</b>", "**。**"],
		["<code>a`b</code> <code>``</code> <code> c </code> <code>  </code>", "``a`b`` ``` `` ``` `  c  ` `  `"],
		['<a href="https://a.example/b_c">d <b>e</b></a>', "[d **e**](https://a.example/b_c)"],
		['<a href="/a_(b)?c&amp;d=*">e</a>', "[e](/a_(b)?c&d=*)"],
		['<a href="https://a.example/">https://a.example/</a>', "<https://a.example/>"],
		['<time datetime="2026-11-21">2026-11-21</time> a', "[2026-11-21] a"],
		['<b><time datetime="2026-11-21">2026-11-21</time></b>', "**[2026-11-21]**"],
		["AT&amp;T, 2 * 3, a_b, C:\\dir, ~c, d - e # f &gt; g", "AT&T, 2 * 3, a_b, C:\\dir, ~c, d - e # f > g"],
		["~5 km ~", "~5 km ~"],
		["<b>Done!</b> (a) wow!", "**Done!** (a) wow!"],
		['<a href="/u">wow!</a>(b)', "[wow!](/u)(b)"],
		["a &lt; b &lt;= c, 1 &lt;3, [1] [x], wow!", "a < b <= c, 1 <3, [1] [x], wow!"],
	])("writes %s as %j", (name, markdown) => {
		expect(toMarkdown(name)).toBe(markdown);
		expectSame(name);
	});

	test("writes a date with a time in brackets if it has the same value in the time zone", () => {
		const date = '<time datetime="2026-11-21T14:30+01:00">2026-11-21 14:30</time>';
		expect(toMarkdown(date, { timeZone: "Europe/Berlin" })).toBe("[2026-11-21 14:30]");
		expectSame(date, { timeZone: "Europe/Berlin" });
		for (const timeZone of ["UTC", undefined]) expect(toMarkdown(date, { timeZone })).toBe(date);
		const summer = '<time datetime="2026-11-21T14:30+02:00">2026-11-21 14:30</time>';
		expect(toMarkdown(summer, { timeZone: "Europe/Berlin" })).toBe(summer);
		const more = '<time datetime="2026-11-21">2026-11-21] a</time>';
		expect(toMarkdown(more, { timeZone: "Europe/Berlin" })).toBe(more);
	});
});

test.each([
	["# x", "\\# x"],
	["#", "\\#"],
	["###### x", "\\###### x"],
	["#x", "#x"],
	["- [x] y", "\\- [x] y"],
	["+", "\\+"],
	["* * *", "\\* * \\*"],
	["---", "---"],
	["[x] y", "\\[x] y"],
	["1. z", "1\\. z"],
	["123456789) z", "123456789\\) z"],
	["1.5 z", "1.5 z"],
	["&gt; q", "\\> q"],
	["```", "\\`\\`\\`"],
	["~~~", "\\~\\~\\~"],
	["~~a~~", "\\~\\~a\\~\\~"],
	["**a** 2*3", "\\*\\*a\\*\\* 2\\*3"],
	["[2026-11-21] [2026-11-21 14:30]", "\\[2026-11-21] \\[2026-11-21 14:30]"],
	["[a](b) ![c](d)", "[a\\](b) \\![c\\](d)"],
	[
		"&lt;b&gt; &lt;/b&gt; &lt;!-- &lt;https://a.example&gt; &lt;3@a.example&gt;",
		"\\<b> \\</b> \\<!-- \\<https://a.example> \\<3@a.example>",
	],
	["&amp;amp; &amp;#10; &amp;nope", "\\&amp; \\&#10; &nope"],
	["\\ \\* a\\", "\\\\ \\\\\\* a\\\\"],
	["a\\\n", "a\\\\&#10;"],
])("escapes text that looks like markup: %s is %j", (name, markdown) => {
	expect(toMarkdown(name)).toBe(markdown);
	expectSame(name);
});

test.each([
	[" a\nb ", "&#32;a&#10;b&#32;"],
	["\t\ta\t", "&#9;\ta&#9;"],
	[" ", "&#32;"],
	["\n", "&#10;"],
	["<b> a</b> <i>b </i>c", "<b> a</b> <i>b </i>c"],
	["<b></b><i></i><s></s><code></code>", "<b></b><i></i><s></s><code></code>"],
	["a<b>“b”</b>", "a<b>“b”</b>"],
	["<b>a.</b>b", "<b>a.</b>b"],
	["<s>a.</s>b", "<s>a.</s>b"],
	["<b>a</b><b>b</b><b>c</b>", "**a**<b>b</b>**c**"],
	["<b>a</b><i>b</i>", "**a**<i>b</i>"],
	["<s>a</s><s>b</s>", "~~a~~<s>b</s>"],
	["<code>a</code><code>b</code>", "`a`<code>b</code>"],
	["<b><i>a</i></b>", "**<i>a</i>**"],
	["<code>a<b>*</b></code>", "<code>a<b>\\*</b></code>"],
	["<code>a\nb</code>", "<code>a&#10;b</code>"],
	['<a href="/u"></a>', '<a href="/u"></a>'],
	['<a href="/a b">c</a>', '<a href="/a b">c</a>'],
	['<a href="/(">c</a>', '<a href="/(">c</a>'],
	['<a href="/((a))">c</a>', '<a href="/((a))">c</a>'],
	['<a href="/&amp;copy;">c</a>', '<a href="/&amp;copy;">c</a>'],
	['<a href="https://a.example/\\*`&quot;">c</a>', '<a href="https://a.example/\\*`&quot;">c</a>'],
	['<a href="/u">[a]</a>', "[\\[a\\]](/u)"],
	['!<a href="/u">a</a>', "\\![a](/u)"],
	['!<time datetime="2026-11-21">2026-11-21</time>', "\\![2026-11-21]"],
	["&lt;1<b>a</b>@b.example&gt;", "\\<1**a**@b.example>"],
	["~<s>~a~</s>~", "\\~~~\\~a\\~~~\\~"],
	['<time datetime="2026-11-21">Sat</time>', '<time datetime="2026-11-21">Sat</time>'],
	['<time datetime="2026-11-22">2026-11-21</time>', '<time datetime="2026-11-22">2026-11-21</time>'],
	[
		'<a href="/u"><time datetime="2026-11-21">2026-11-21</time></a>',
		'[<time datetime="2026-11-21">2026-11-21</time>](/u)',
	],
	[
		'<code><time datetime="2026-11-21">2026-11-21</time></code>',
		'<code><time datetime="2026-11-21">2026-11-21</time></code>',
	],
	['<time datetime="2026-11-21">2026-11-21</time>(a)', "[2026-11-21]\\(a)"],
])("uses tags and character references if Markdown has no syntax: %j is %j", (name, markdown) => {
	expect(toMarkdown(name)).toBe(markdown);
	expectSame(name);
});

describe("writes the layout mode as a prefix", () => {
	test.each<[ToMarkdownOptions, string, string]>([
		[{}, "a", "a"],
		[{ layoutMode: "bullets" }, "a", "a"],
		[{ layoutMode: "todo" }, "a", "- [ ] a"],
		[{ layoutMode: "todo", completed: true }, "a", "- [x] a"],
		[{ layoutMode: "h1" }, "a", "# a"],
		[{ layoutMode: "h2" }, "<b>a</b>", "## **a**"],
		[{ layoutMode: "h3" }, " ", "### &#32;"],
		[{ layoutMode: "h1" }, "C#", "# C#"],
		[{ layoutMode: "h1" }, "a ##", "# a #\\#"],
		[{ layoutMode: "h1" }, "##a##", "# ##a##"],
		[{ layoutMode: "h1" }, "a\t#", "# a\t\\#"],
		[{ layoutMode: "quote-block" }, "a", "> a"],
		[{ layoutMode: "quote-block" }, "- a", "> \\- a"],
		[{ layoutMode: "todo" }, "", "- [ ] &#0;"],
		[{ layoutMode: "todo", completed: true }, "", "- [x] &#0;"],
		[{ layoutMode: "h2" }, "", "## &#0;"],
		[{ layoutMode: "quote-block" }, "", "> &#0;"],
	])("with %j, writes %j as %j", (options, name, markdown) => {
		expect(toMarkdown(name, options)).toBe(markdown);
		expectSame(name, options);
	});

	test("writes a check only for a todo", () => {
		for (const layoutMode of inlineModes.filter((mode) => mode !== "todo")) {
			expect(toMarkdown("a", { layoutMode, completed: true })).toBe(toMarkdown("a", { layoutMode }));
		}
	});

	test.each([
		["a", "```\na\n```"],
		["&lt;b&gt; *a*\n\n\tb \n", "```\n<b> *a*\n\n\tb \n\n```"],
		["```\na\n```", "````\n```\na\n```\n````"],
		["a `b`", "```\na `b`\n```"],
	])("writes the code-block %j as a fence", (name, markdown) => {
		expect(toMarkdown(name, { layoutMode: "code-block" })).toBe(markdown);
		const expected = { name, layoutMode: "code-block", completed: false, depth: 0 };
		expect(parseMarkdown(markdown, berlin)).toEqual([expected]);
		expect(parseMarkdown(markdown, { ...berlin, layoutMode: "code-block" })).toEqual([expected]);
	});

	test.each([
		["<b>a</b> <code>b</code>", "a b"],
		["", ""],
		[" \n ", ""],
	])("loses in a fence what it can't hold: %j", (name, kept) => {
		const blocks = blocksAfter(name, { layoutMode: "code-block" });
		expect(blocks).toEqual([{ name: kept, layoutMode: "code-block", completed: false, depth: 0 }]);
	});

	test("refuses values that are no text, and unknown layout modes and time zones", () => {
		expect(() => toMarkdown("", null as never)).toThrow("toMarkdown was given null");
		for (const name of [undefined, null, 1, {}]) {
			expect(() => toMarkdown(name as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		}
		expect(() => toMarkdown("a", { layoutMode: "h4" as LayoutMode })).toThrow(/layoutMode is "h4"/);
		expect(() => toMarkdown("a", { timeZone: "Mars/Base" })).toThrow(/timeZone is "Mars\/Base"/);
	});
});

describe("a create restores the same node", () => {
	const anyOptions = fc.record({
		layoutMode: fc.constantFrom(...inlineModes),
		timeZone: fc.constantFrom(undefined, "Europe/Berlin", "UTC"),
	});

	test("from canonical fragments in any order and nesting", () => {
		const check = (name: string, options: ToMarkdownOptions, completed: boolean) => {
			// The Markdown is read in Berlin. With another time zone, it would have other times.
			const timeZone = options.timeZone === "UTC" ? undefined : options.timeZone;
			expectSame(name, { ...options, timeZone, completed: completed && options.layoutMode === "todo" });
		};
		fc.assert(fc.property(canonical, anyOptions, fc.boolean(), check), { numRuns: 3000 });
	});

	test("from long fragments, which it reads in pieces", () => {
		let tried = 0;
		let several = 0;
		const check = (name: string) => {
			tried++;
			expectSame(name);
			if ([...piecesOf(toMarkdown(name))].length > 1) several++;
		};
		fc.assert(fc.property(longCanonical, check), { numRuns: 150 });
		expect(several).toBeGreaterThan(tried / 10);
	});

	test("from texts that look like markup", { timeout: 120_000 }, () => {
		const check = (source: string) => expectSame(escapeText(normalizeText(source)));
		fc.assert(fc.property(soup, check), { numRuns: 1000 });
		fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: 300 });
		for (const source of naughtyStrings) check(source);
		for (const { input } of sanitizerCases) check(input);
		for (const { href } of targets) check(`[a](${href})`);
		for (const { prefix, unit, middle, tailUnit } of patterns) {
			check(prefix + unit.repeat(200) + middle + (tailUnit ?? "").repeat(200));
		}
	});

	test("from the result of an update with markup", () => {
		const check = (source: string) => expectSame(parseHtml(normalizeText(source), berlin));
		fc.assert(fc.property(soup, check), { numRuns: 1000 });
		for (const source of naughtyStrings) check(source);
		for (const { input } of sanitizerCases) check(input);
		for (const { href } of targets) check(`<a href="${href.replaceAll('"', "&quot;")}">a</a>`);
	});

	test("from the result of a create with Markdown", () => {
		fc.assert(
			fc.property(soup, (source) => {
				for (const { name, layoutMode, completed } of parseMarkdown(normalizeText(source), berlin)) {
					if (layoutMode !== "code-block") expectSame(name, { layoutMode, completed });
				}
			}),
			{ numRuns: 1000 },
		);
	});

	test("from code", () => {
		const check = (source: string) => {
			const name = escapeText(normalizeText(source));
			fc.pre(name.trim() !== "");
			const expected = { name, layoutMode: "code-block", completed: false, depth: 0 };
			expect(blocksAfter(name, { layoutMode: "code-block" })).toEqual([expected]);
		};
		fc.assert(fc.property(soup, check), { numRuns: 500 });
		for (const source of naughtyStrings) if (source.trim() !== "") check(source);
	});
});

test("keeps a long name readable if a create splits it between elements", () => {
	for (const between of [" and ", " "]) {
		const name = `<b>bold words</b>${between}<i>more</i> `.repeat(100).trim();
		expect(toMarkdown(name)).toBe(`**bold words**${between}*more* `.repeat(100).trim());
		expectSame(name);
	}
});

test("accepts a link target of any length", () => {
	const href = `/${"a".repeat(10_000_000)}`;
	expect(toMarkdown(`<a href="${href}">b</a>`) === `[b](${href})`).toBe(true);
});

test("writes an element as a tag if a create would split it", () => {
	const name = `<b>${"<i>a</i> ".repeat(200)}b</b>`;
	expect(toMarkdown(name)).toBe(name);
	expectSame(name);
});

test("reads a text that isn't a canonical fragment as an update does", () => {
	expect(toMarkdown("<STRONG>a</strong> &copy; <u>\r\n")).toBe("**a** © \\<u>&#10;");
	expect(toMarkdown("<a href='javascript:1'>a</a>")).toBe("\\<a href='javascript:1'>a\\</a>");
	expect(toMarkdown('<a href="tel:1">a</a>')).toBe("[a](tel:1)");
	const time = "<time startYear=2026 startMonth=11 startDay=21 startHour=9>2026-11-21 09:00</time>";
	expect(toMarkdown(time, { timeZone: "Europe/Berlin" })).toBe("[2026-11-21 09:00]");
	expect(toMarkdown(time)).toBe('<time datetime="2026-11-21T09:00+00:00">2026-11-21 09:00</time>');
	fc.assert(
		fc.property(soup, (source) => {
			expect(toText(blocksAfter(source)[0]?.name ?? "")).toBe(toText(source));
		}),
	);
});

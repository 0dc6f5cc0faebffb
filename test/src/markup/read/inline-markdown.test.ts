import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { serialization } from "../../../../src/markup/html/serialize.js";
import type { Inline } from "../../../../src/markup/inline.js";
import type { MarkupOptions } from "../../../../src/markup/options.js";
import * as markdown from "../../../../src/markup/read/inline-markdown.js";
import { finished } from "../../../../src/pace.js";
import { berlin } from "../berlin.js";

const inlinesOfMarkdown = (text: string, options: MarkupOptions) => finished(markdown.inlinesOfMarkdown(text, options));

const html = (text: string) => finished(serialization(inlinesOfMarkdown(text, berlin), berlin));
const date = '<time datetime="2026-11-21">2026-11-21</time>';

test.each([
	["**text**", "<b>text</b>"],
	["*text*", "<i>text</i>"],
	["~~text~~", "<s>text</s>"],
	["`text`", "<code>text</code>"],
	["[text](url)", '<a href="url">text</a>'],
	["[2026-11-21]", date],
	["[2026-11-21 14:30]", '<time datetime="2026-11-21T14:30+01:00">2026-11-21 14:30</time>'],
	["***a***", "<i><b>a</b></i>"],
	["*a **b** c*", "<i>a <b>b</b> c</i>"],
	["**a *b* ~~c `d`~~**", "<b>a <i>b</i> <s>c <code>d</code></s></b>"],
	["a*b*c", "a<i>b</i>c"],
	["``a ` b``", "<code>a ` b</code>"],
	["**a **b** c**", "<b>a b c</b>"],
	["\ufeff*a*\ufeff", "\ufeff<i>a</i>\ufeff"],
])("§2.5 inline styles: %s becomes %s", (text, name) => {
	expect(html(text)).toBe(name);
});

test.each([
	...["_a_", "__a__", "__init__.py", "~a~", "~~~a~~~", "a * b * c", "**a", "a**", "2*3", "`a", "snake_case_*"],
	...[
		"![alt](url)",
		"![2026-11-21](url)",
		"![a [b](c)](d)",
		"[a][b]",
		"[a]",
		"[a] (b)",
		"[a](b c)",
		"[](a)",
		"[^1]",
		"#a",
	],
	...["[2026-1-2]", "[2026-02-30]", "[2026-11-21 25:00]"],
	...["a\\", "\\a", "www.a.example", "https://a.example", "a@b.example"],
])("other markup stays text: %j", (text) => {
	expect(html(text)).toBe(text);
});

describe("links", () => {
	test.each([
		["<https://a.example/b>", '<a href="https://a.example/b">https://a.example/b</a>'],
		["<a@b.example>", '<a href="mailto:a@b.example">a@b.example</a>'],
		["[a](<b c>)", '<a href="b c">a</a>'],
		["[a](/b?c&amp;d)", '<a href="/b?c&amp;d">a</a>'],
		["[a](b\\))", '<a href="b)">a</a>'],
		['[a](/b "c d")', '<a href="/b">a</a> "c d"'],
		["[a](/b 'c\"d')", '<a href="/b">a</a> "c"d"'],
		["[**a** `b`](/c)", '<a href="/c"><b>a</b> <code>b</code></a>'],
		["[2026-11-21](/c)", '<a href="/c">2026-11-21</a>'],
		["[a [2026-11-21]](/c)", '<a href="/c">a [2026-11-21]</a>'],
		["[![a](b)](/c)", '<a href="/c">![a](b)</a>'],
		["[a <https://b.example> c](/d)", '<a href="/d">a &lt;https://b.example&gt; c</a>'],
		["[a [b](/c) d](/e)", '[a <a href="/c">b</a> d](/e)'],
	])("%s becomes %s", (text, name) => {
		expect(html(text)).toBe(name);
	});

	test.each([
		"[*a*](javascript:1)",
		"[a](//b.example)",
		"[a](/\\b)",
		'[a](data:1 "b")',
		"[a](java&#115;cript:1)",
		"<javascript:alert(1)>",
		"[a]()",
		"[](/b)",
	])("%s stays as typed", (text) => {
		expect(html(text)).toBe(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
	});
});

describe("HTML tags", () => {
	test.each([
		["<b>a</b> <em>b</em>", "<b>a</b> <i>b</i>"],
		["<b>*a*</b>", "<b><i>a</i></b>"],
		["**a <b>b</b>**", "<b>a b</b>"],
		["<code>*a* [2026-11-21]</code>", "<code><i>a</i> [2026-11-21]</code>"],
		["<b>[2026-11-21]</b>", `<b>${date}</b>`],
		["<a href=https://a.example/b>c</a>", '<a href="https://a.example/b">c</a>'],
		['<a href=/u>[x](/v "t")</a>', '<a href="/u">[x](/v "t")</a>'],
		["<a href=/u><https://a.example></a>", '<a href="/u">&lt;https://a.example&gt;</a>'],
		["<u>*a*</u>", "&lt;u&gt;<i>a</i>&lt;/u&gt;"],
		["<u title='*a*'>", "&lt;u title='*a*'&gt;"],
		["<!-- *a* -->", "&lt;!-- *a* --&gt;"],
		["`<b>`</b>", "<code>&lt;b&gt;</code>&lt;/b&gt;"],
	])("%s becomes %s", (text, name) => {
		expect(html(text)).toBe(name);
	});

	test.each([
		["*<b>a*</b>", "<i>&lt;b&gt;a</i>&lt;/b&gt;"],
		["<b>*a</b>*", "&lt;b&gt;<i>a&lt;/b&gt;</i>"],
		["<b>*</b>a*</b>", "<b><i>&lt;/b&gt;a</i></b>"],
		["[<b>a](/u)</b>", '<a href="/u">&lt;b&gt;a</a>&lt;/b&gt;'],
	])("%s: a tag pairs only with a tag of the same Markdown parent", (text, name) => {
		expect(html(text)).toBe(name);
	});
});

test.each([
	["\\*a\\*", "*a*"],
	["\\[2026-11-21]", "[2026-11-21]"],
	["[2026\\-11-21]", "[2026-11-21]"],
	["&#91;2026-11-21]", "[2026-11-21]"],
	["\\<b>a</b>", "&lt;b&gt;a&lt;/b&gt;"],
	["&lt;b>a&lt;/b>", "&lt;b&gt;a&lt;/b&gt;"],
	["&copy; &amp;lt; &nope; &copy", "© &amp;lt; &amp;nope; &amp;copy"],
	["*a&#0;b&#xD800;&#13;&#10;c*", "<i>ab\ufffd\nc</i>"],
	["`&amp;\\*`", "<code>&amp;amp;\\*</code>"],
])("escapes and character references: %s becomes %j", (text, name) => {
	expect(html(text)).toBe(name);
});

test("finds the same emphasis, strikethrough, code and links as the full parser", () => {
	const tokens = [
		"*",
		"**",
		"***",
		"`",
		"``",
		"[",
		"](b)",
		"]",
		"!",
		"\\",
		"<i>",
		"<!-- ",
		"-->",
		"<",
		">",
		"<ab:c>",
		"a",
		"c",
		" ",
		".",
	];
	const texts = fc.array(fc.constantFrom(...tokens), { maxLength: 24 }).map((parts) => `x${parts.join("")}x`);
	const elements = (inlines: Inline[]) =>
		inlines.flatMap((inline) => (inline.type === "open" && inline.sealed ? [inline.tag] : []));
	const tags: Record<string, string> = { strong: "b", emphasis: "i", inlineCode: "code", link: "a" };

	fc.assert(
		fc.property(texts, (text) => {
			const expected: string[] = [];
			const visit = (node: object) => {
				if ("type" in node && typeof node.type === "string" && node.type !== "image") {
					const isEmpty =
						node.type === "link" && "children" in node && Array.isArray(node.children) && !node.children.length;
					const tag = tags[node.type];
					if (tag && !isEmpty) expected.push(tag);
					if ("children" in node && Array.isArray(node.children)) node.children.forEach(visit);
				}
			};
			visit(fromMarkdown(text, { extensions: [{ disable: { null: ["hardBreakEscape"] } }] }));
			const options = { ...berlin, linkSchemes: new Set([...berlin.linkSchemes, "ab"]) };
			expect(elements(inlinesOfMarkdown(text, options))).toEqual(expected);
		}),
		{ numRuns: 2000 },
	);
});

/** A reference at the end makes the full parser read the whole text, and decodes to a letter. */
const expectSameInFull = (tokens: readonly string[]) => {
	const text = `w${tokens.join("")}`;
	expect(html(`${text} z&#x7a;`)).toBe(`${html(`${text} z`)}z`);
};

test("reads text with stars and tildes the same with and without the full parser", () => {
	const token = fc.constantFrom(
		"*",
		"**",
		"***",
		"~~",
		"~",
		"~~~",
		"a",
		"b",
		" ",
		"\u00a0",
		"\u2003",
		".",
		"(",
		"\u{1f600}",
		"_",
		"[",
		"]",
		"<b>",
	);
	fc.assert(fc.property(fc.array(token, { maxLength: 12 }), expectSameInFull), { numRuns: 20_000 });
});

test("reads text with tags the same with and without the full parser", () => {
	const token = fc.constantFrom(
		"<b>",
		"</b>",
		"<i>",
		"</i>",
		"<em >",
		"</em>",
		"<code>",
		"</code>",
		"<a href='/x'>",
		'<a href="https://x.example/?a=b">',
		"</a>",
		"<br/>",
		"<u>",
		"<b",
		">",
		"<",
		"< b>",
		"<!-- c -->",
		"<!-- ",
		"-->",
		"<?x?>",
		"<!X>",
		"<![CDATA[y]]>",
		"word",
		" ",
		"  ",
		"[2026-11-21]",
		'<time datetime="2026-11-21">',
		"</time>",
		'"',
		"'",
		"=",
		"*",
		"`",
		"~~",
		"](",
		"\u00a0",
		"_x_",
	);
	fc.assert(fc.property(fc.array(token, { maxLength: 14 }), expectSameInFull), { numRuns: 3000 });
});

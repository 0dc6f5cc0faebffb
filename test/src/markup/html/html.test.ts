import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/markup/html/html.js";
import { normalizeText } from "../../../../src/markup/text.js";
import naughtyStrings from "../../../vectors/blns.json" with { type: "json" };
import sanitizerCases from "../../../vectors/html5lib.sanitizer.json" with { type: "json" };
import { berlin } from "../berlin.js";
import { readFragment } from "../fragment.js";
import { soup } from "../soup.js";

const parse = (fragment: string) => parseHtml(fragment, berlin);

test.each([
	["<b>a</b>", "<b>a</b>"],
	["<i>a</i><s>b</s><code>c</code>", "<i>a</i><s>b</s><code>c</code>"],
	['<a href="https://a.example">b</a>', '<a href="https://a.example">b</a>'],
	["<a href=/u>b</a>", '<a href="/u">b</a>'],
	["<a href=' /u '>b</a>", '<a href="/u">b</a>'],
	["<a target=_blank href='/u' href=/v>b</a>", '<a href="/u">b</a>'],
	["<STRONG class=x>a</Strong > <em>b</em> <del>c</del> <strike>d</strike>", "<b>a</b> <i>b</i> <s>c</s> <s>d</s>"],
	["<strong>a</b>", "<b>a</b>"],
	["<b></b>", "<b></b>"],
	['<time datetime="2026-11-21">x</time>', '<time datetime="2026-11-21">x</time>'],
	["<time datetime='2026&#45;11-21'>x</time>", '<time datetime="2026-11-21">x</time>'],
	["<time startYear=2026 startMonth=11 startDay=21>x</time>", '<time datetime="2026-11-21">x</time>'],
	[
		'<time startYear="2026" startMonth="11" startDay="21" startHour="9" startMinute="5">x</time>',
		'<time datetime="2026-11-21T09:05+01:00">x</time>',
	],
])("§2.1 the inline tags: %s is %s", (fragment, name) => {
	expect(parse(fragment)).toBe(name);
});

test.each([
	"<b>",
	"</b>",
	"<u>a</u>",
	"<constructor>a</constructor>",
	"<B/>a</B>",
	"<br>",
	"<b",
	"a < b > c",
	"<!-- <b>a</b> &amp; -->",
	"<!DOCTYPE html>",
	"<?php <b>a</b> ?>",
	"<![CDATA[<b>a</b>]]>",
	"<span title='<b>a</b>'>b</span>",
	"<a>b</a>",
	"<a href=''>b</a>",
	"<a href=javascript:1>b</a>",
	"<a href='java&#0;script:1'>b</a>",
	"<a href='/a&#13;b'>b</a>",
	"<time>a</time>",
	'<time datetime="2026-02-30">a</time>',
	"[2026-11-21]",
	"**a** `b` [c](/d) \\*",
	" a\n\n\tb  ",
])("all else appears as typed: %j", (fragment) => {
	expect(readFragment(parse(fragment))).toMatchObject({ text: fragment, hrefs: [], faults: [] });
});

test.each([
	["<b>a<i>b</b>c</i>", "<b>a&lt;i&gt;b</b>c&lt;/i&gt;"],
	["<b>a<b>b</b></b>", "<b>ab</b>"],
	["<a href=/u>a<a href=/v>b</a></a>", '<a href="/u">a&lt;a href=/v&gt;b&lt;/a&gt;</a>'],
])("tags pair: %s is %s", (fragment, name) => {
	expect(parse(fragment)).toBe(name);
});

test.each([
	["a&#0;b&#xD800;&#13;&#10;c&#13;", "ab\ufffd\nc\n"],
	['<a href="/?a&amp;b&quot;">c</a>', '<a href="/?a&amp;b&quot;">c</a>'],
])("character references are decoded: %s is %j", (fragment, name) => {
	expect(parse(fragment)).toBe(name);
});

describe("any input becomes a canonical fragment, which then stays unchanged", () => {
	const check = (fragment: string) => {
		const name = parse(normalizeText(fragment));
		expect(readFragment(name).faults).toEqual([]);
		expect(parse(name)).toBe(name);
	};

	test("with markup in any order", () => {
		fc.assert(fc.property(soup, check), { numRuns: 1000 });
	});

	test("with any text", () => {
		fc.assert(fc.property(fc.string({ unit: "binary" }), check), { numRuns: 500 });
	});

	test("with naughty strings", () => {
		for (const text of naughtyStrings) check(text);
	});

	test.each(sanitizerCases)("with the sanitizer case $name", ({ input }) => {
		check(input);
	});
});

test("shows a sanitizer case without allowed tags as typed", () => {
	const shown = sanitizerCases
		.map(({ input }) => normalizeText(input))
		.filter((input) => !/<\/?(?:a|b|i|s|em|strong|code|del|strike|time)\b|&|\r/i.test(input));
	expect(shown.length).toBeGreaterThan(40);
	for (const input of shown) expect(readFragment(parse(input)).text).toBe(input);
});

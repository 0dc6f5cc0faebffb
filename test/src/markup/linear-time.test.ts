import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../src/markup/html/html.js";
import { parseMarkdown } from "../../../src/markup/markdown.js";
import { normalizeText } from "../../../src/markup/text.js";
import patterns from "../../vectors/markdown.pathological.json" with { type: "json" };
import { berlin } from "./berlin.js";

interface Pattern {
	readonly name: string;
	readonly prefix: string;
	readonly unit: string;
	readonly middle: string;
	readonly tailUnit: string | null;
}

/** Repeats `unit`, and then `tail` as many times. */
function repeated(name: string, unit: string, prefix = "", middle = "", tailUnit: string | null = null): Pattern {
	return { name, prefix, unit, middle, tailUnit };
}

const deep = "- ".repeat(99);
const more = [
	repeated("nested bullets", "- "),
	repeated("nested plus", "+ "),
	repeated("nested numbers", "1. "),
	repeated("lazy lines of a quote", "b\n", "> a\n"),
	repeated("lazy headings", "- a\n# b\n"),
	repeated("lazy headings within an item", "  > a\n  # b\n", "- r\n"),
	repeated("blank lines of deep items", "\n", `${deep}a\n`),
	repeated("blank lines of a deep fence", "\n", `${deep}\`\`\`\n`),
	repeated("lines of deep items", `${" ".repeat(198)}- a\n`, `${deep}a\n`),
	repeated("deep quotes", `${">".repeat(90)}\n`),
	repeated("items", "- a\n"),
	repeated("numbered items", "1. a\n"),
	repeated("items of an item", "  - a\n", "- r\n"),
	repeated("fences", "```\n~~~\n"),
	repeated("an open fence", "b\n", "```\n"),
	repeated("a rule that isn't", "* ", "", "a"),
	repeated("closing hashes", " #", "#"),
	repeated("spaces within", " ", "*a", "b*"),
	repeated("tabs within", "\t", "*a", "b*"),
	repeated("open code spans", "`a ``b ```c "),
	repeated("open code spans far apart", `\\\`\`${"a".repeat(60)}`),
	repeated("open comments far apart", `<!--${"a".repeat(60)}`),
	repeated("code spans", "`a` "),
	repeated("open titles", "[a](b ("),
	repeated("open titles in quotes", '[a](b "'),
	repeated("open titles of all kinds", "[a](b ('"),
	repeated("links", "[a](b) "),
	repeated("links in brackets", "[", "", "[a](b)", "]"),
	repeated("images in links", "[![a](b"),
	repeated("brackets around much", "a ", `*b* ${"[".repeat(120)}`, "]".repeat(120)),
	repeated("nested strong", "**a ", "", "b", " a**"),
	repeated("bold words", "**a** "),
	repeated("stars and underscores", "*_"),
	repeated("stars in code", "*`a`"),
	repeated("stars at no-break spaces", "\u00a0*"),
	repeated("small paragraphs", "*a*\n\n"),
	repeated("escapes", "\\*"),
	repeated("backslashes", "\\"),
	repeated("ampersands", "&"),
	repeated("open references", "&aaaaaaa"),
	repeated("autolinks", "<http://a> "),
	repeated("open autolinks", "<http:a"),
	repeated("open addresses", "<a@a.a"),
	repeated("attributes", " a", "<b"),
	repeated("attributes of mixed quotes", '<b x=\'" y="'),
	repeated("an attribute over tags", '<b y="', "<b x='"),
	repeated("white space in a tag", " ", "<b"),
	repeated("equals signs in a tag", "= ", "<b x"),
	repeated("open tags", "<b><i>"),
	repeated("closing tags", "</b>"),
	repeated("nested tags", "<b><i>", "", "a", "</i></b>"),
	repeated("links in links", "<a href=b>"),
	repeated("comments", "<!-- --> "),
	repeated("dates with a time", "[2026-03-29 02:30] "),
];

function text({ prefix, unit, middle, tailUnit }: Pattern, length: number): string {
	const count = Math.ceil(length / (unit.length + (tailUnit?.length ?? 0)));
	return normalizeText(prefix + unit.repeat(count) + middle + (tailUnit ?? "").repeat(count));
}

/** Returns the CPU time of a function in milliseconds, independent of other processes. */
function duration(work: () => void): number {
	const start = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
}

/**
 * Checks that a text four times as long takes much less than 16 times as long. If the long text takes almost
 * no time, the check passes, because such a measurement proves nothing.
 */
function expectLinear(pattern: Pattern, length: number, work: (text: string) => void): void {
	const small = text(pattern, length / 4);
	const large = text(pattern, length);
	let growth = Number.POSITIVE_INFINITY;
	let longest = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < 5 && growth > 8 && longest > 20; attempt++) {
		const short = duration(() => work(small));
		longest = Math.min(
			longest,
			duration(() => work(large)),
		);
		growth = Math.min(growth, longest / short);
	}
	expect(longest > 20 ? growth : 0).toBeLessThan(8);
}

const read = (source: string) => {
	parseMarkdown(source, { ...berlin, longest: source.length });
};
const readHtml = (source: string) => parseHtml(source, { ...berlin, longest: source.length });

describe("the time grows in proportion to the text's length", () => {
	test.each(patterns)("for Markdown: $name", (pattern) => {
		expectLinear(pattern, 65_536, read);
	});

	test.each(more)("for Markdown: $name", (pattern) => {
		expectLinear(pattern, 32_768, read);
	});

	test.each([...patterns, ...more])("for HTML: $name", (pattern) => {
		expectLinear(pattern, 65_536, readHtml);
	});
});

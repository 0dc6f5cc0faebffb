import { expect, test } from "vitest";
import { elementOfTag } from "../../../../src/markup/html/element.js";
import { tagAt } from "../../../../src/markup/html/tag.js";
import { berlin } from "../berlin.js";

function read(source: string) {
	const tag = tagAt(source, 0);
	return tag && elementOfTag(tag, source, berlin);
}

test.each([
	["<b>", "b"],
	["<Strong>", "b"],
	["<i class=x>", "i"],
	["<em>", "i"],
	["<s>", "s"],
	["<del>", "s"],
	["<strike>", "s"],
	["<code>", "code"],
	["<a href='/u'>", "a"],
	["<time datetime=2026-11-21>", "time"],
])("%s opens %s", (source, tag) => {
	expect(read(source)).toMatchObject({ type: "open", tag, source, sealed: false });
});

test("</STRONG> closes b", () => {
	expect(read("</STRONG>")).toEqual({ type: "close", tag: "b", source: "</STRONG>", sealed: false });
});

test.each(["<u>", "</u>", "<script>", "<b/>", "<br>", "<constructor>"])("%s is text", (source) => {
	expect(read(source)).toEqual({ type: "text", value: source, dates: false });
});

test.each([
	["<a href='/?a&amp;b'>", "/?a&b"],
	["<a href=' /u '>", "/u"],
	["<a href='java&#0;script:1'>", undefined],
	["<a href='/a&#13;b'>", undefined],
	["<a name='/u'>", undefined],
	["<time startYear=2026 startMonth=3 startDay=29 startHour=2 startMinute=30>", "2026-03-29T03:30+02:00"],
	["<time datetime='2026&#45;11-21'>", "2026-11-21"],
	["<time>", undefined],
])("the attribute of %s is %s", (source, attribute) => {
	expect(read(source)).toMatchObject({ type: "open", attribute });
});

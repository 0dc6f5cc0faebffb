import { describe, expect, test } from "vitest";
import { createMarkupReader, tagAt } from "../../../../src/markup/html/tag.js";

describe("tagAt", () => {
	test.each([
		["<b>", { name: "b", closing: false, selfClosing: false, attributes: {} }],
		["</B >", { name: "b", closing: true, selfClosing: false, attributes: {} }],
		["<br />", { name: "br", closing: false, selfClosing: true, attributes: {} }],
		["<x-y1 a b = c>", { name: "x-y1", closing: false, selfClosing: false, attributes: { a: "", b: "c" } }],
		["<a HREF='b\"<>'>", { name: "a", closing: false, selfClosing: false, attributes: { href: 'b"<>' } }],
		['<a\n href\t=\n"b&amp;c"\n>', { name: "a", closing: false, selfClosing: false, attributes: { href: "b&amp;c" } }],
		["<a href=/b/c?d>", { name: "a", closing: false, selfClosing: false, attributes: { href: "/b/c?d" } }],
		["<a x=1 X=2>", { name: "a", closing: false, selfClosing: false, attributes: { x: "1" } }],
	])("%j is a tag", (text, expected) => {
		const tag = tagAt(text, 0);
		expect(tag && { ...tag, attributes: Object.fromEntries(tag.attributes) }).toEqual({
			...expected,
			end: text.length,
		});
	});

	test.each([
		"<",
		"<>",
		"</>",
		"< b>",
		"<1>",
		"<b",
		"<b x=>",
		'<b x="1"y>',
		'<b "x">',
		"</b x>",
		"</b/>",
		"<b x=a'b>",
		"<b\u00a0x>",
	])("%j is no tag", (text) => {
		expect(tagAt(text, 0)).toBeUndefined();
	});

	test("reads a tag within the start of an incomplete tag", () => {
		const text = '<b x="<i y>';
		expect(tagAt(text, 0)).toBeUndefined();
		expect(tagAt(text, 6)?.end).toBe(text.length);
	});
});

describe("createMarkupReader", () => {
	test.each([
		"<b>",
		"</b>",
		"<!-- a -- b <i> -->",
		"<!---->",
		"<!-->",
		"<!--->",
		"<?a > b?>",
		"<!DOCTYPE html>",
		"<![CDATA[ ]> ]]>",
	])("finds the end of %j", (text) => {
		expect(createMarkupReader(`a${text}b`)(1)?.end).toBe(1 + text.length);
	});

	test.each(["<!-- a", "<!- a ->", "<? a >", "<!1>", "<![CDATA[ ]>", "<"])("%j has no end", (text) => {
		expect(createMarkupReader(text)(0)).toBeUndefined();
	});
});

import { describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/markup/html/html.js";
import { permittedHref } from "../../../../src/markup/html/link.js";
import { parseMarkdown } from "../../../../src/markup/markdown.js";
import { escapeAttribute, normalizeText } from "../../../../src/markup/text.js";
import targets from "../../../vectors/href.schemes.json" with { type: "json" };
import { berlin } from "../berlin.js";
import { readFragment } from "../fragment.js";

const { linkSchemes } = berlin;

describe("permittedHref", () => {
	test.each([
		["https://a.example/b?c#d", "https://a.example/b?c#d"],
		["MAILTO:a@b.example", "MAILTO:a@b.example"],
		[" \t\n/a\f\r", "/a"],
		["b", "b"],
		["#c", "#c"],
		["?d:e", "?d:e"],
		["a#b:c", "a#b:c"],
		["./a:b", "./a:b"],
		["/a//b", "/a//b"],
	])("returns %j as %j", (target, href) => {
		expect(permittedHref(target, linkSchemes)).toBe(href);
	});

	test.each([
		"",
		" ",
		"javascript:1",
		"tel:1",
		"//a.example",
		"\\a",
		"/\\a",
		"a:b",
		"1:b",
		"&#106avascript:1",
		"/a\u0001",
		"/a\nb",
		"/a\u007f",
	])("refuses %j", (target) => {
		expect(permittedHref(target, linkSchemes)).toBeUndefined();
	});

	test("accepts the schemes that the host adds", () => {
		expect(permittedHref("TEL:1", new Set([...linkSchemes, "tel"]))).toBe("TEL:1");
	});
});

describe("the vectors", () => {
	test("contain many targets", () => {
		expect(targets.map(({ expect: expected }) => expected)).toEqual(
			expect.arrayContaining(["reject", "reject-when-html-decoded", "keep-escaped"]),
		);
	});

	test.each(targets)("an HTML fragment with %j", ({ href, expect: expected }) => {
		const source = expected === "keep-escaped" ? escapeAttribute(href) : href;
		const tag = `<a href="${source}">x</a>`;
		const { text, hrefs } = readFragment(parseHtml(normalizeText(tag), berlin));
		if (expected === "keep-escaped") expect({ text, hrefs }).toEqual({ text: "x", hrefs: [href] });
		else expect({ text, hrefs }).toEqual({ text: normalizeText(tag), hrefs: [] });
	});

	test.each(targets)("Markdown with %j", ({ href, expect: expected }) => {
		const target = expected === "keep-escaped" ? href.replace(/[\\<>]/g, "\\$&") : href;
		const link = normalizeText(`[x](<${target}>)`);
		const fragments = parseMarkdown(link, berlin).map(({ name }) => readFragment(name));
		const hrefs = fragments.flatMap((fragment) => fragment.hrefs);
		if (expected === "keep-escaped") expect(hrefs).toEqual([href]);
		else expect(hrefs).toEqual([]);
	});
});

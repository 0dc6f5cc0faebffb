import fc from "fast-check";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { codeSpansOf } from "../../../../src/markup/read/code-span.js";
import { LeafReader } from "../../../../src/markup/read/leaf.js";
import { type Link, linksOf } from "../../../../src/markup/read/links.js";
import { finished } from "../../../../src/pace.js";
import { berlin } from "../berlin.js";

function read(text: string): readonly Link[] {
	return finished(linksOf(text, new LeafReader(text, berlin, finished(codeSpansOf(text)))));
}

const sources = (text: string) => read(text).map(({ start, end }) => text.slice(start, end));

describe("linksOf", () => {
	test("returns the offsets of a link, its label and its target", () => {
		expect(read('a [b](/c "d") ![e](<f g>)')).toEqual([
			{ isImage: false, start: 2, labelEnd: 4, end: 13, url: "/c", title: "d" },
			{ isImage: true, start: 14, labelEnd: 17, end: 25, url: "f g", title: "" },
		]);
	});

	test.each([
		["[a](b) [c](d)", ["[a](b)", "[c](d)"]],
		["[a [b](c) d](e)", ["[b](c)"]],
		["![a [b](c) d](e)", ["![a [b](c) d](e)", "[b](c)"]],
		["[a ![b](c) d](e)", ["[a ![b](c) d](e)", "![b](c)"]],
		["[a [b] c](d)", ["[a [b] c](d)"]],
		["[a](b) c](d)", ["[a](b)"]],
		["\\[a](b)", []],
		["!\\[a](b)", []],
		["\\![a](b)", ["[a](b)"]],
		["[a\\](b)", []],
		["[`a](b)`](c)", ["[`a](b)`](c)"]],
		["[a](`b) c`", ["[a](`b)"]],
		["[<b c='](d)'>](e)", ["[<b c='](d)'>](e)"]],
		["[<http://a](b)>](c)", ["[<http://a](b)>](c)"]],
		["[a](b c)", []],
		["[a] (b)", []],
		["[a]", []],
		["a](b)", []],
		["a](b", []],
	])("finds in %j the links %j", (text, links) => {
		expect(sources(text)).toEqual(links);
	});

	test("reads a text in parts, which may end within other markup", () => {
		for (const inner of ["", "`", "\\", "<b c='", "a"]) {
			for (let before = 4090; before < 4099; before++) {
				const text = `${"[".repeat(before)}${inner}x](/y) ${"[a](/b) ".repeat(3000)}`;
				const expected = inner === "\\" || inner === "a" || inner === "" ? 3001 : undefined;
				const found = sources(text);
				if (expected !== undefined) expect(found.length).toBeGreaterThan(2995);
				expect(found.filter((link) => link === "[a](/b)").length).toBeGreaterThan(inner === "`" ? 2995 : 2990);
			}
		}
	});
});

/** Returns the links and images of micromark in their order, with the properties both agree on. */
function expectedLinks(text: string): Link[] {
	const links: Link[] = [];
	const visit = (node: Nodes) => {
		const start = node.position?.start.offset ?? 0;
		const end = node.position?.end.offset ?? 0;
		if ((node.type === "link" && text[start] === "[") || node.type === "image") {
			links.push({ isImage: node.type === "image", start, end, labelEnd: 0, url: node.url, title: node.title ?? "" });
		}
		if ("children" in node) node.children.forEach(visit);
	};
	visit(fromMarkdown(text, { extensions: [{ disable: { null: ["hardBreakEscape"] } }] }));
	return links;
}

test("finds the same links and images as micromark in the whole text", () => {
	const tokens = [
		...["[", "[", "![", "]", "](/a)", "](/b 't')", '](<c d> "e\\"f")', "](g(h)i)", "](j(k)", "](l\tm)", "](", "]( n )"],
		...["](&amp;)", "](\\))", "](<\\>>)", "](<>)", "]()", "](o (p))", "](q (r\\)s))", "](t 'u)", '](v "w'],
		...["*", "`", "``", "\\", "<", ">", "<i>", "<!--", "-->", "(", ")", "!", " ", "x", "http:y>"],
	];
	const texts = fc.array(fc.constantFrom(...tokens), { maxLength: 20 }).map((parts) => `x${parts.join("")}x`);
	fc.assert(
		fc.property(texts, (text) => {
			// An image in micromark's tree has no children. The links in its label are removed from ours.
			const images = read(text).filter(({ isImage }) => isImage);
			const isInImage = ({ start }: Link) => images.some((image) => image.start < start && start < image.labelEnd);
			const found = read(text).filter((link) => !isInImage(link));
			expect(found.map((link) => ({ ...link, labelEnd: 0 }))).toEqual(expectedLinks(text));
		}),
		{ numRuns: 3000 },
	);
});

import type { PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { inlineSyntax, literalNodes } from "../../src/markup/inline-syntax.js";

function read(text: string): PhrasingContent[] {
	const root = fromMarkdown(text, { extensions: [inlineSyntax(text)], mdastExtensions: [literalNodes] });
	return root.children.flatMap((node) => (node.type === "paragraph" ? node.children : []));
}

const types = (text: string) => read(text).map(({ type }) => type);

test.each(["# a", "- a", "1. a", "> a", "```", "---", "[a]: b", "_a_ __b__", "`a", "<!-- a", "a &nope; b"])(
	"%j is text alone",
	(text) => {
		expect(read(text)).toMatchObject([{ type: "text", value: text }]);
	},
);

test.each([
	["*a*", ["emphasis"]],
	["**a**", ["strong"]],
	["`a`", ["inlineCode"]],
	["[a](b)", ["link"]],
	["![a](b)", ["image"]],
	["<ab:c>", ["link"]],
	["<i><!-- b --></i>", ["html", "html", "html"]],
	["<a href=/b/c>", ["html"]],
])("%j is %j", (text, expected) => {
	expect(types(text)).toEqual(expected);
});

test("an escape or a character reference is a literal of its own", () => {
	expect(read("a\\*b&amp;c")).toMatchObject([
		{ type: "text", value: "a" },
		{ type: "literal", value: "*" },
		{ type: "text", value: "b" },
		{ type: "literal", value: "&" },
		{ type: "text", value: "c" },
	]);
});

test("a literal in a link target is part of it", () => {
	expect(read("[a](\\(b&amp;c)")).toMatchObject([{ type: "link", url: "(b&c" }]);
});

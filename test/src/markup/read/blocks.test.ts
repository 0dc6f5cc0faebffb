import fc from "fast-check";
import type { Nodes, Parents, PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import * as blocks from "../../../../src/markup/read/blocks.js";

type TextBlock = blocks.TextBlock;

function blocksOf(text: string): TextBlock[] {
	return [...blocks.blocksOf(text)].filter((block) => block !== undefined);
}

describe("blocksOf", () => {
	test("returns every block without markers, with its depth and container", () => {
		const plain = { level: 0, depth: 0, container: undefined, isItemNode: false, marker: "", hasLanguage: false };
		expect(blocksOf("# A #\n1. b\n   c\n\n   > d")).toEqual([
			{ ...plain, type: "heading", lines: ["A"], level: 1, line: 1 },
			{ ...plain, type: "paragraph", lines: ["b", "c"], container: "item", isItemNode: true, marker: "1.", line: 2 },
			{ ...plain, type: "paragraph", lines: ["d"], depth: 1, container: "quote", line: 5 },
		]);
	});

	test.each([
		["an indented code block", "    # a\n      b\n\n    c", [["# a", "b"], ["c"]]],
		["a setext underline", "a\n===", [["a", "==="]]],
		["a setext underline that is a thematic break", "a\n---", [["a"], ["---"]]],
		["a thematic break", "* * *\n___", [["* * *"], ["___"]]],
		["a reference definition", "[a]: /b", [["[a]: /b"]]],
		["an HTML block", "<div>\n*a*\n\n</div>", [["<div>", "*a*"], ["</div>"]]],
		["a table", "| a |\n|---|\n| b |", [["| a |", "|---|", "| b |"]]],
	])("keeps the characters of %s as text", (_, text, lines) => {
		expect(blocksOf(text).map((block) => block.lines)).toEqual(lines);
	});

	test.each([
		["```\n a\n\n\tb \n```", [" a", "", "\tb "]],
		["  ~~~~ js\n   a\n  ~~~\n ~~~~~", [" a", "~~~"]],
		["```\na\n\n", ["a"]],
		["- ```\n  a\n\n  b\nc", ["a", "", "b"]],
		["> ```\n> a\nb", ["a"]],
		[">\t```\n>\t\ta", ["\ta"]],
		["- ```\n\ta", ["  a"]],
	])("reads the fence of %j as %j", (text, lines) => {
		expect(blocksOf(text).find(({ type }) => type === "fence")?.lines).toEqual(lines);
	});

	test("nests a hundred containers, and keeps deeper markers as text", () => {
		const blocks = blocksOf(`${"- ".repeat(120)}a`);
		expect(blocks.length).toBe(100);
		expect(blocks.at(-1)).toMatchObject({ depth: 99, lines: [`${"- ".repeat(20)}a`] });
	});
});

const unread = [
	...["attention", "autolink", "characterEscape", "characterReference", "codeText", "hardBreakEscape", "htmlText"],
	...["labelEnd", "labelStartImage", "labelStartLink"],
	...["definition", "htmlFlow", "setextUnderline"],
];

/** The properties of a block that both parsers should agree on. */
interface Agreed extends Omit<TextBlock, "lines" | "line"> {
	readonly text: string;
}

interface ReferenceItem {
	readonly depth: number;
	readonly marker: string;
	hasNode: boolean;
}

/** Returns the blocks that micromark finds; undefined if it finds indented code, which is text here. */
function referenceBlocks(text: string): Agreed[] | undefined {
	const blocks: Agreed[] = [];
	let hasIndentedCode = false;
	const sourceOf = (node: Nodes) => text.slice(node.position?.start.offset, node.position?.end.offset);

	const add = (
		type: TextBlock["type"],
		level: number,
		shown: string,
		item: ReferenceItem | undefined,
		parent: Parents,
		hasLanguage = false,
	) => {
		if (type === "fence" && item && !item.hasNode && item.marker !== "") add("item", 0, "", item, parent);
		const isItemNode = item !== undefined && !item.hasNode;
		const depth = item === undefined ? 0 : item.depth + (isItemNode ? 0 : 1);
		const container =
			type === "item" || parent.type === "root" ? undefined : parent.type === "blockquote" ? "quote" : "item";
		const marker = isItemNode ? item.marker : "";
		blocks.push({ type, level, text: shown, depth, container, isItemNode, marker, hasLanguage });
		if (item) item.hasNode = true;
	};
	const walk = (node: Nodes, item: ReferenceItem | undefined, parent: Parents) => {
		if (node.type === "blockquote") for (const child of node.children) walk(child, item, node);
		else if (node.type === "list") {
			for (const child of node.children) {
				if (item && !item.hasNode) add("item", 0, "", item, parent);
				const marker = node.ordered ? (/^\d+[.)]/.exec(sourceOf(child))?.[0] ?? "") : "";
				const inner: ReferenceItem = { depth: item ? item.depth + 1 : 0, marker, hasNode: false };
				for (const block of child.children) walk(block, inner, child);
				if (!inner.hasNode) add("item", 0, "", inner, child);
			}
		} else if (node.type === "paragraph") add("paragraph", 0, lineOf(node.children), item, parent);
		else if (node.type === "heading") add("heading", node.depth, lineOf(node.children), item, parent);
		else if (node.type === "thematicBreak") add("paragraph", 0, sourceOf(node).trim(), item, parent);
		else if (node.type === "code") {
			hasIndentedCode ||= !/^[`~]{3}/.test(sourceOf(node));
			add("fence", 0, node.value.trimEnd(), item, parent, typeof node.lang === "string");
		} else throw new Error(`micromark found a ${node.type}`);
	};
	const root = fromMarkdown(text, { extensions: [{ disable: { null: unread } }] });
	for (const node of root.children) walk(node, undefined, root);
	return hasIndentedCode ? undefined : blocks;
}

function lineOf(nodes: PhrasingContent[]): string {
	return nodes
		.map((node) => ("value" in node ? node.value : "\n"))
		.join("")
		.replace(/[ \t]*\n[ \t]*/g, " ");
}

function foundBlocks(text: string): Agreed[] {
	return blocksOf(text).map(({ lines, line: _, ...block }) => ({
		...block,
		text: block.type === "fence" ? lines.join("\n").trimEnd() : lines.join(" "),
		container: block.type === "item" ? undefined : block.container,
	}));
}

describe("finds the same blocks as micromark", () => {
	const tokens = [
		...[
			"- ",
			"-",
			"* ",
			"+ ",
			"1. ",
			"2) ",
			"10. ",
			"> ",
			">",
			"#",
			"# ",
			"## ",
			"###### ",
			"=== ",
			"---",
			"***",
			"* * *",
			"___",
		],
		...["```", "~~~", "````", "``` js", "`", "[ ] ", "a", "b c", "x", "1", ".", "  ", "   ", " ", "    ", "\t"],
		...["\n", "\n", "\n", "\n\n", "\n  ", "\n   ", "\n\t", "\n> ", "\n- ", "\n  - "],
	];

	test.each([12, 40])("in texts of up to %i tokens", (maxLength) => {
		const texts = fc.array(fc.constantFrom(...tokens), { maxLength }).map((parts) => parts.join(""));
		let tried = 0;
		let compared = 0;
		fc.assert(
			fc.property(texts, (text) => {
				tried++;
				const expected = referenceBlocks(text);
				if (expected === undefined) return;
				compared++;
				expect(foundBlocks(text)).toEqual(expected);
			}),
			{ numRuns: 2000 },
		);
		expect(compared).toBeGreaterThan(tried / 2);
	});
});

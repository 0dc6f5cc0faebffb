import { describe, expect, test } from "vitest";
import type { TextFormat } from "../../../src/index.js";
import { toMarkdown, toText } from "../../../src/markup/index.js";
import { service } from "../../adapters/http/service.js";
import { codeOf, exported, newOutline } from "../../support/outline.js";

const written = "- [x] **a** <i>b</i> &lt;\n\nc";

describe("the format of a name", () => {
	test("says what create reads: Markdown unless told otherwise", async () => {
		const outline = newOutline();
		const names = async (format?: TextFormat) => {
			const { id } = await outline.create({ name: written, format });
			const { nodes } = await outline.list(id);
			const { name, layoutMode, completed } = await outline.get(id);
			return [name, layoutMode, completed, nodes.map((node) => node.name)];
		};
		const markdown = ["<b>a</b> <i>b</i> &lt;", "todo", true, ["c"]];
		expect(await names()).toEqual(markdown);
		expect(await names("markdown")).toEqual(markdown);
		expect(await names("html")).toEqual(["- [x] **a** <i>b</i> &lt;\n\nc", "bullets", false, []]);
		expect(await names("text")).toEqual(["- [x] **a** &lt;i&gt;b&lt;/i&gt; &amp;lt;\n\nc", "bullets", false, []]);
	});

	test("says what update reads: HTML unless told otherwise", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		const updated = async (name: string, format?: TextFormat) => {
			const node = await outline.update(id, { name, format });
			return [node.name, node.layoutMode, node.completed];
		};
		expect(await updated("**a** <b>b</b>")).toEqual(["**a** <b>b</b>", "bullets", false]);
		expect(await updated("<b>b</b>", "text")).toEqual(["&lt;b&gt;b&lt;/b&gt;", "bullets", false]);
		expect(await updated("**a**", "markdown")).toEqual(["<b>a</b>", "bullets", false]);
		expect(await updated("- [x] a", "markdown")).toEqual(["a", "todo", true]);
		expect(await updated("b", "markdown")).toEqual(["b", "todo", true]);
		expect(await updated("- [ ] b", "markdown")).toEqual(["b", "todo", false]);
		expect(await updated("# c", "markdown")).toEqual(["c", "h1", false]);
		expect(await codeOf(outline.update(id, { name: "a\n\nb", format: "markdown" }))).toBe("invalid_argument");
	});

	test("is one of the three, everywhere", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "x" });
		const format = "rtf" as TextFormat;
		expect(await codeOf(outline.create({ name: "a", format }))).toBe("invalid_argument");
		expect(await codeOf(outline.update(id, { name: "a", format }))).toBe("invalid_argument");
		expect(await codeOf(outline.createTree({ name: "a", children: [{ name: "b", format }] }))).toBe("invalid_argument");
		expect(await codeOf(outline.batch([{ type: "create", name: "a", format }]))).toBe("invalid_argument");
	});

	test("holds for each node of a tree, in a batch and over HTTP", async () => {
		const outline = newOutline();
		const tree = await outline.createTree({ name: "# a", children: [{ name: "# b", format: "text" }] });
		expect([tree.name, tree.children[0]?.name]).toEqual(["a", "# b"]);
		const { results } = await outline.batch([{ type: "update", ref: tree.id, name: "*c*", format: "markdown" }]);
		expect(results[0]?.name).toBe("<i>c</i>");
		const { ann } = service();
		const id = await ann.create({ name: "<b>", format: "text" });
		expect((await ann.node(id)).name).toBe("&lt;b&gt;");
		await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "**d**", format: "markdown", layoutMode: null });
		expect((await ann.node(id)).name).toBe("<b>d</b>");
		expect((await ann.node(await ann.create({ name: "# e", format: null }))).data.layoutMode).toBe("h1");
	});
});

test("what a node shows as Markdown and as text makes the same node again", async () => {
	const outline = newOutline();
	await outline.create({
		name: "# Trip\n- [x] **book** the `ferry` [here](https://x.example) [2026-12-01]\n> quote\n```\na *b*\n```",
	});
	await outline.create({ name: "- [x] 1. <not a tag> \\# *", format: "text" });
	for (const node of await exported(outline)) {
		const again = newOutline();
		const made = await again.create({ name: toMarkdown(node.name, node) });
		expect(await exported(again)).toHaveLength(1);
		expect([made.name, made.layoutMode, made.completed]).toEqual([node.name, node.layoutMode, node.completed]);
		const plain = await again.create({ name: toText(node.name), format: "text" });
		expect(toText(plain.name)).toBe(toText(node.name));
	}
});

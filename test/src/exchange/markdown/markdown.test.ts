import { describe, expect, test } from "vitest";
import { newOutline } from "../../../support/outline.js";
import { exportedFile, fileOf, rowsOf, sketch, streamed } from "../files.js";

async function read(text: string): Promise<string> {
	const outline = newOutline();
	expect((await outline.import(text, { format: "markdown" })).lost).toEqual({});
	return sketch(outline);
}

describe("importing Markdown", () => {
	test("turns headings into a hierarchy, with nested lists within it", async () => {
		const text = `
Intro
of two lines

# One
text
### Three
- a
  - b
    c
* [ ] task
  1. first
+ [X] done
#### Four
> quote
## Two
\`\`\`
code

  more
\`\`\`
# Last #
`;
		expect(await read(text)).toBe(
			`Intro of two lines
h1: One
  text
  h3: Three
    a
      b c
    todo: task
      1. first
    x todo: done
    <b>Four</b>
      quote-block: quote
  h2: Two
    code-block: code⏎⏎  more
h1: Last`,
		);
	});

	test("adds the later paragraphs of an item to its note, and turns every other block into a node", async () => {
		expect(
			await read(
				"- a\n\n  note *1*\n  note 2\n\n  note \\*3\\* &copy;\n  - b\n\n    note b\n\n  more of a\n\n  > quote\n- c\n\npara",
			),
		).toBe("a // note *1*⏎note 2⏎⏎note *3* ©⏎⏎more of a\n  b // note b\n  quote-block: quote\nc\npara");
	});

	test("turns headings in items and quotes into nodes without a hierarchy", async () => {
		expect(await read("- # a\n  - ## b\n- c\n\n> # d\n\ne")).toBe("h1: a\n  h2: b\nc\nh1: d\ne");
	});

	test("keeps front matter as a code block, and rules as text", async () => {
		expect(await read("---\ntitle: x\ntags: [a]\n---\n# A\ntext")).toBe(
			"code-block: title: x⏎tags: [a]\nh1: A\n  text",
		);
		expect(await read("---\na\n\n---")).toBe("code-block: a⏎");
		expect(await read("---\na")).toBe("---\na");
		expect(await read("a\n\n---\nb")).toBe("a\n---\nb");
	});

	test("counts the languages of fences, and keeps the code", async () => {
		const outline = newOutline();
		const text =
			"```js\na\n```\n~~~\nb\n~~~\n- c\n  ~~~ts title=x\n  ```no\n  ~~~\n- ```\t \n  d\n  ```\n\n``` e ```\n~~~py";
		const { lost } = await outline.import(text, { format: "markdown" });
		expect(await sketch(outline)).toBe(
			"code-block: a\ncode-block: b\nc\n  code-block: ```no\ncode-block: d\n<code>e</code>\ncode-block: ",
		);
		expect(lost).toEqual({ codeLanguage: 3 });
	});

	test("doesn't count the info of a fence that decodes to no text, which an export writes for an empty code block", async () => {
		expect(await read("```&#0;\n```\n~~~ &#x00; &#0000000;\na\n~~~")).toBe("code-block: \ncode-block: a");
		const outline = newOutline();
		await outline.create({ name: "", layoutMode: "code-block" });
		expect(await read(await fileOf(outline, "markdown"))).toBe("code-block: ");
		const info = await newOutline().import("```&#0;js\n```", { format: "markdown" });
		expect(info.lost).toEqual({ codeLanguage: 1 });
	});

	test("keeps the lines of a table", async () => {
		const table = "| a | b |\n|---|:-:|\n| *1* | 2 |";
		const lines = "| a | b |⏎|---|:-:|⏎| <i>1</i> | 2 |";
		expect(await read(`${table}\n\ntext\nmore\n`)).toBe(`${lines}\ntext more`);
		expect(await read(`text\n${table}\n# h\n> ${table.replaceAll("\n", "\n> ")}`)).toBe(
			`text⏎${lines}\nh1: h\n  quote-block: ${lines}`,
		);
		const indented = table.replaceAll("\n", "\n  ");
		expect(await read(`- [x] ${indented}\n- c\n\n  ${indented}`)).toBe(
			`x todo: ${lines}\nc // ${table.replaceAll("\n", "⏎")}`,
		);
		expect(await read("a | b\n- | -\nc | d")).toBe("a | b\n| - c | d");
		expect(await read("a | b\n-|-\nc | d")).toBe("a | b⏎-|-⏎c | d");
		for (const row of ["|---", "| :-:", "|---|", "---|", "|-|-", "-|-|", "| - | - "]) {
			expect(await read(`|a\n${row}\n|1`)).toBe(`|a⏎${row.trim()}⏎|1`);
		}
		for (const row of ["--", "|", "||", "-||-", "|-||", "|::-", "|-::", "|- -", "|- x", "|:", "|:|", "||-"]) {
			expect(await read(`|a\n${row}\n|1`)).toBe(`|a ${row} |1`);
		}
		for (const row of ["|--", "|:|", "| - | x |", "| - - |", "-|-||"]) {
			expect(await read(`a\nb | c\n| ${row}`)).toBe(`a b | c | ${row}`);
		}
		const outline = newOutline();
		await outline.import(table, { format: "markdown" });
		const copy = newOutline();
		await copy.import(await fileOf(outline, "markdown"), { format: "markdown" });
		expect(await sketch(copy)).toBe(lines);
	});

	test("writes a table in its lines, and any other name with lines in one", async () => {
		const written = async (name: string, completed = false) => {
			const outline = newOutline();
			const { id } = await outline.create({ name: "" });
			await outline.update(id, { name, completed });
			const file = await fileOf(outline, "markdown");
			const copy = newOutline();
			await copy.import(file, { format: "markdown" });
			expect(await sketch(copy)).toBe(await sketch(outline));
			return file;
		};
		expect(await written("| a\\ | b |\n|---|:-:|\n| <b>1</b> | &amp;#10; |")).toBe(
			"- | a\\\\ | b |\n  |---|:-:|\n  | **1** | \\&#10; |\n",
		);
		expect(await written("| a\\\n|---|\n| 1 |")).toBe("- | a\\\\&#10;|---|&#10;| 1 |\n");
		expect(await written("| a |\n|---|\n| 1 |", true)).toMatch(/^- \| a \|&#10;.*<!-- completed -->\n$/);
		for (const name of [
			"| <code>a |&amp;#10;|---|&amp;#10;| b</code> |",
			"| a |\n| b |",
			"| a |\n# |---|\n| 1 |",
			"| a |\n|---|\n| 1 | ",
			"a | b\n|-|-|\n| c | d |",
		]) {
			expect((await written(name)).split("\n")).toHaveLength(2);
		}
	});

	test("refuses a table with millions of columns as any other name that is too long", async () => {
		const text = `|a\n${"|-".repeat(5_000_000)}x`;
		await expect(newOutline().import(text, { format: "markdown" })).rejects.toMatchObject({ code: "invalid_argument" });
	});

	test("turns blank items into blank nodes", async () => {
		expect(await read("-\n- a\n  -\n-\n  - b\n")).toBe("\na -\n\n  b");
		expect(await read("")).toBe("");
	});

	test("reads many lists, fences and quotes, which pieces split anywhere", async () => {
		const fence = `\`\`\`\n- x\n\n- y ${"z".repeat(3000)}\n\`\`\`\n`;
		const part = (number: number) =>
			`# ${number}\n\n- a\n\n  note\n  - ~~~\n    - b\n\n    ~~~\n- c\n\n${fence}\n> q\n\n> r\n`;
		const text = Array.from({ length: 60 }, (_, number) => part(number)).join("\n");
		const rows = (number: number) =>
			`h1: ${number}\n  a // note\n    code-block: - b⏎\n  c\n  code-block: - x⏎⏎- y ${"z".repeat(3000)}\n  quote-block: q\n  quote-block: r`;
		expect(await read(text)).toBe(Array.from({ length: 60 }, (_, number) => rows(number)).join("\n"));
		// A fence longer than many pieces.
		const long = `\`\`\`\n${"- x\n\n".repeat(30_000)}\`\`\`\n- y`;
		expect(await read(long)).toBe(`code-block: ${"- x⏎⏎".repeat(30_000).slice(0, -1)}\ny`);
	});

	test("refuses a name or note that is too long, with the line", { timeout: 120_000 }, async () => {
		const outline = newOutline({ limits: { name: 5, note: 5 } });
		for (const [text, line] of [
			["a\n\nb\n\n- c\n  - 123456\n- d", 6],
			["# a\nb\n```\n123\n456\n```", 3],
			["- a\n- b\n\n  123\n\n  456", 6],
			["---\n123456\n---\n", 1],
			[`${"- a\n".repeat(20_000)}- 123456`, 20_001],
		] as const) {
			const source = streamed([text.slice(0, 3), text.slice(3)]);
			await expect(outline.import(source, { format: "markdown" })).rejects.toThrow(new RegExp(`^Line ${line}: `));
		}
	});
});

describe("exporting Markdown", () => {
	test("writes a nested list, with notes in paragraphs and few escapes", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "# Trip", note: "at *9*\n\n- not later\n1. no\n---" });
		await outline.create({ parent: id, name: "- [x] **book**", position: "bottom" });
		const ferry = await outline.create({ parent: id, name: "ferry", position: "bottom", note: " in\n\n\nspace " });
		await outline.complete(ferry.id);
		const code = await outline.create({ parent: ferry.id, name: "```\na\n\n b\n```" });
		await outline.complete(code.id);
		await outline.create({ parent: ferry.id, name: "" });
		await outline.create({ parent: id, name: "---", position: "bottom" });
		await outline.create({ parent: id, name: "> said", position: "bottom" });
		expect(await fileOf(outline, "markdown")).toBe(`- # Trip

  at *9*

  \\- not later
  1\\. no
  \\---
  - [x] **book**
  - ferry <!-- completed -->

    &#32;in
    &#0;
    &#0;
    space&#32;

    -
    - \`\`\`
      a

       b
      \`\`\`

      <!-- completed -->
  - \\---
  - > said
`);
		const copy = newOutline();
		await copy.import(await fileOf(outline, "markdown"), { format: "markdown" });
		expect(await sketch(copy)).toBe(await sketch(outline));
	});

	test.each([98, 99])("nests as many levels as the parser reads, including quotes: %i levels", async (levels) => {
		const outline = newOutline();
		const chain = Array.from({ length: levels }, (_, depth) => `${"\t".repeat(depth)}x`).join("\n");
		await outline.import(chain, { format: "text" });
		let deepest = (await outline.list()).nodes[0]!;
		for (let { nodes } = await outline.list(deepest.id); nodes.length > 0; { nodes } = await outline.list(deepest.id)) {
			deepest = nodes[0]!;
		}
		await outline.create({ parent: deepest.id, name: "> quote" });
		const { text, lost } = await exportedFile(outline, "markdown");
		expect(lost).toEqual(levels === 98 ? {} : { depth: 1 });
		const copy = newOutline();
		await copy.import(text, { format: "markdown" });
		expect((await rowsOf(copy)).at(-1)).toMatchObject({ depth: 98, name: "quote", layoutMode: "quote-block" });
	});

	test("counts the losses", async () => {
		const outline = newOutline();
		const html = await outline.create({ name: "<b>a</b>", format: "html", layoutMode: "code-block" });
		await outline.create({ name: "  ", format: "text", layoutMode: "code-block" });
		await outline.mirror(html.id, { parent: (await outline.create({ name: "m" })).id });
		const { lost } = await exportedFile(outline, "markdown");
		expect(lost).toEqual({ formatting: 2, mirror: 1, whiteSpace: 1 });
	});
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { soak } from "../../../setup/soak.js";
import { newOutline } from "../../../support/outline.js";
import { fileOf, rowsOf } from "../files.js";

const head = "| a | b |\n|---|:-:|\n";

/** Imports Markdown, and returns the rows and the Markdown that an export writes. */
async function imported(text: string) {
	const outline = newOutline();
	await outline.import(text, { format: "markdown" });
	return { rows: await rowsOf(outline), file: await fileOf(outline, "markdown") };
}

/** Returns the Markdown of a node with this name, after a check that an import restores the node. */
async function written(name: string, format: "html" | "text" = "html") {
	const outline = newOutline();
	await outline.create({ name, format });
	const file = await fileOf(outline, "markdown");
	expect((await imported(file)).rows, file).toEqual(await rowsOf(outline));
	return file;
}

const item = (lines: string) => `- ${lines.replaceAll("\n", "\n  ")}\n`;

describe("a table in Markdown", () => {
	test.each([
		["2 \\| 3", "2 \\| 3"],
		["`x \\| y`", "<code>x \\| y</code>"],
		["`x \\\\| y`", "<code>x \\\\| y</code>"],
		["[a \\| b](/c\\|d)", '<a href="/c|d">a \\| b</a>'],
		["**a** \\| *b*", "<b>a</b> \\| <i>b</i>"],
		["# 1. - \\|", "# 1. - \\|"],
		["\\`", "`"],
		["`a\\` ", "<code>a\\</code> "],
	])("keeps the cell %s", async (cell, name) => {
		const table = `${head}| ${cell} | c |\n| d |`;
		const { rows, file } = await imported(table);
		expect(rows[0]!.name).toBe(`${head}| ${name} | c |\n| d |`);
		expect(file).toBe(item(table));
	});

	test("reads each cell as Markdown of its own, as other programs do", async () => {
		const { rows, file } = await imported(`${head}| \` | \` |\n| **c | d** |\n|e&#92;|f\\\\|g|`);
		expect(rows[0]!.name).toBe(`${head}| \` | \` |\n| **c | d** |\n|e\\ |f\\|g|`);
		expect((await imported(file)).rows).toEqual(rows);
		expect((await imported("1. | a |\n   |---|\n   | b |")).rows[0]!.name).toBe("1. | a |\n|---|\n| b |");
	});

	test("writes a name whose markup reaches over a border in one line", async () => {
		expect(await written(`${head}| <b>c \\| d</b> | e |`)).toBe(item(`${head}| **c \\| d** | e |`));
		for (const name of [`${head}| <b>c | d</b> |`, `${head}| <i>c |\n|</i> d |`]) {
			expect((await written(name)).split("\n")).toHaveLength(2);
		}
	});

	test("keeps the escaped pipes of a table in a note", async () => {
		const table = "| a | b |\n|---|---|\n| 2 \\| 3 | `c \\| d` |";
		const outline = newOutline();
		await outline.create({ name: "a", note: `\\|\n\n${table}\n\n\n\\|` });
		const file = await fileOf(outline, "markdown");
		expect(file).toContain(table.replaceAll("\n", "\n  "));
		expect((await imported(file)).rows).toEqual(await rowsOf(outline));
		expect((await imported(item(`a\n\n${table}`))).rows[0]!.note).toBe(table);
		expect((await imported(item(`a\n\n${head}|\\*\\\\|`))).rows[0]!.note).toBe(`${head}|*\\|`);
	});

	test("refuses a name that is too long only together", async () => {
		const outline = newOutline({ limits: { name: 28 } });
		await outline.import(`${head}|*1*|  |*|`, { format: "markdown" });
		await expect(outline.import(`${head}|*1*|   |*|`, { format: "markdown" })).rejects.toThrow(/^Line 1: /);
	});

	const token = fc.constantFrom(
		..."|\\`*~ a[]()<>&_#-",
		"\\|",
		"``",
		"**",
		"](/u",
		"<b>",
		"</b>",
		"<code>",
		"&#124;",
		"&#92;",
	);
	const cell = fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join(""));
	const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
	const table = rows.map((lines) => head + lines.map((cells) => `|${cells.join("|")}|`).join("\n"));

	test("survives an export, whatever its cells are", async () => {
		await fc.assert(
			fc.asyncProperty(table, fc.constantFrom("html" as const, "text" as const), async (name, format) => {
				await written(name, format);
			}),
			{ numRuns: 300 * soak },
		);
	});

	const bordersOf = (text: string) =>
		text
			.trimEnd()
			.split("\n")
			.map((line) => line.split(/(?<!\\)\|/).length);

	test("has the same cells after an import, an export and another import, in a name and in a note", async () => {
		await fc.assert(
			fc.asyncProperty(table, async (text) => {
				for (const source of [item(text), item(`a\n\n${text}`)]) {
					const first = await imported(source);
					expect(bordersOf(first.file)).toEqual(bordersOf(source));
					const second = await imported(first.file);
					expect(second).toEqual(first);
				}
			}),
			{ numRuns: 300 * soak },
		);
	});
});

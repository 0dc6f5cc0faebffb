import type { Settings } from "../../engine/settings.js";
import type { Block } from "../../markup/block.js";
import { blockOf } from "../../markup/markdown.js";
import type { TextBlock } from "../../markup/read/blocks.js";
import { assertLength } from "../../markup/text.js";
import { markdownOfName, plainMarkdown } from "../../markup/write/to-markdown.js";
import { textOfName } from "../../markup/write/to-text.js";
import type { Steps } from "../../pace.js";

/*
 * A table is a name with lines. As in the file, `|` in it is the border of a cell, and `\|` is a `|` in a cell,
 * also in code. Markup doesn't reach over a border.
 */

/** The line between the head and the body of a table, with at least one `|`. */
const delimiterRow = /^(?=[^|]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;
/** The maximum length of that line. The pattern needs memory for each cell, and throws for millions of them. */
const longestDelimiterRow = 65_536;
/** Matches a line of a table that begins no other block, and ends without white space. */
const row = /^\|.*\|$/;
const border = /(?<!\\)\|/;
const tag = /(<[^>]*>)/;
/** The maximum number of cells of a line read or written in a step. */
const cellsInStep = 1024;

/** Whether the lines of a paragraph are a table, or a text and a table. */
export function isTable(lines: readonly string[]): boolean {
	return lines.some((line, index) => index > 0 && line.length <= longestDelimiterRow && delimiterRow.test(line));
}

/** Returns the node of a table. */
export function* blockOfTable(block: TextBlock, depth: number, settings: Settings): Steps<Block> {
	const { marker } = block;
	const rows: string[] = [];
	let first: Block | undefined;
	function* read(cell: string): Steps<string> {
		const isItemNode = block.isItemNode && marker === "" && first === undefined;
		const own = yield* blockOf({ ...block, lines: [cell], marker: "", isItemNode }, depth, settings);
		first ??= own;
		return replaced(own.name, "text", "\\|");
	}
	for (const line of block.lines) {
		yield;
		rows.push(yield* readRow(line, read));
	}
	const name = (marker === "" ? "" : `${marker} `) + rows.join("\n");
	const longest = settings.limits.name;
	if (name.length > longest) assertLength("name", (yield* textOfName(name)).length, longest);
	return { ...first!, name };
}

/**
 * Returns the line of a table in a name or note.
 *
 * @param read - returns the text of a cell, with a backslash before each `|`
 */
export function* readRow(line: string, read: (cell: string) => Steps<string>): Steps<string> {
	const cells: string[] = [];
	for (const cell of line.split(border)) {
		if (cells.length % cellsInStep === cellsInStep - 1) yield;
		const text = yield* read(cell.replaceAll("\\|", "|"));
		// A border directly behind a backslash would belong to the cell.
		cells.push(text.endsWith("\\") ? `${text} ` : text);
	}
	return cells.join("|");
}

/** Returns the lines of a table, so that other programs show it as one; undefined for any other name. */
export function* linesOfTable(name: string, timeZone: string): Steps<string[] | undefined> {
	if (!name.startsWith("|")) return undefined;
	const rows = name.split("\n");
	if (!isTable(rows) || !rows.every((line) => row.test(line)) || hasBorderInElement(name)) return undefined;
	const lines: string[] = [];
	for (const line of rows) {
		yield;
		const cells: string[] = [];
		for (const cell of replaced(line, "tags", "&#124;").split(border)) {
			if (cells.length % cellsInStep === cellsInStep - 1) yield;
			// The borders around it spare escapes that only the start or the end of a block needs.
			const enclosed = `|${cell.replaceAll("\\|", "|")}|`;
			const markdown = plainMarkdown(enclosed, {}) ?? (yield* markdownOfName(enclosed, { timeZone }));
			cells.push(markdown.slice(1, -1).replaceAll("|", "\\|"));
		}
		lines.push(cells.join("|"));
	}
	return lines;
}

function hasBorderInElement(name: string): boolean {
	let depth = 0;
	return name.split(tag).some((part, index) => {
		if (index % 2 === 1) depth += part.startsWith("</") ? -1 : 1;
		return index % 2 === 0 && depth > 0 && (part.includes("\n") || border.test(part));
	});
}

/** Replaces each `|` in the tags of a fragment, or in all other parts of it. */
function replaced(html: string, where: "tags" | "text", to: string): string {
	const kept = where === "tags" ? 0 : 1;
	return html
		.split(tag)
		.map((part, index) => (index % 2 === kept ? part : part.replaceAll("|", to)))
		.join("");
}

/** The line below the head of a table. */
const delimiters = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const fence = /^[ \t]*(?:```|~~~)/;
/** The beginning of a line that would make another block of it. */
const blockStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+*](?=[ \t]|$)|`{3}|~{3}|\d{1,9}(?=[.)][ \t]))/;

/**
 * Returns Markdown in which each row of a table is a paragraph, so that it becomes a node. Text without a table
 * stays the same.
 */
export function withRowsOfTables(markdown: string): string {
	const lines = markdown.split("\n");
	const written: string[] = [];
	let isCode = false;
	for (let index = 0; index < lines.length; index++) {
		const line = lines[index]!;
		if (fence.test(line)) isCode = !isCode;
		if (isCode || !beginsTable(line, lines[index + 1])) {
			written.push(line);
			continue;
		}
		written.push("", rowOf(line));
		for (index += 2; index < lines.length && lines[index]!.includes("|"); index++) {
			written.push("", rowOf(lines[index]!));
		}
		written.push("");
		index -= 1;
	}
	return written.length === lines.length ? markdown : written.join("\n");
}

function beginsTable(line: string, next: string | undefined): boolean {
	if (!line.includes("|") || next === undefined || !next.includes("|") || !delimiters.test(next)) return false;
	return cellsOf(line).length === cellsOf(next).length;
}

function cellsOf(line: string): string[] {
	const row = line
		.trim()
		.replace(/^\|/, "")
		.replace(/(?<!\\)\|$/, "");
	return row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function rowOf(line: string): string {
	const indent = /^[ \t]*/.exec(line)![0];
	return (
		indent + joinedCells(cellsOf(line)).replace(blockStart, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
	);
}

/** Returns text with the cells of a spreadsheet, which tabs divide, as the cells of other tables. */
export function withCells(text: string): string {
	return text.replace(
		/^([^\S\n]*)(\S.*\t.*)$/gm,
		(_, indent: string, row: string) => indent + joinedCells(row.split("\t")),
	);
}

/** The cells of a row as one text, without the blank ones at the end. */
function joinedCells(cells: readonly string[]): string {
	return cells
		.map((cell, index) => `${index === 0 ? "" : cell.trim() === "" ? " |" : " | "}${cell.trim()}`)
		.join("")
		.replace(/(?: \|)+$/, "");
}

/** The sign before an entry in a text of a word processor, a mail or a chat. */
const foreignSign = /^([ \t]*)(?:[•◦▪‣⁃●○■][ \t]+|o\t+)/gm;
const entry = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** The beginning of a line that is neither an entry nor the title of a list. */
const otherBlock = /^[ \t]*(?:#|>|\||```|~~~)/;

/**
 * Returns a list with the signs and indents of Markdown. The level of an entry follows from its indent, of
 * any width. Markdown would take an entry behind a tab for more text of the line before. A line before deeper
 * entries is their parent. In a text with other lines, only the signs change.
 */
export function withEntriesOfLists(text: string): string {
	const signed = text.replace(foreignSign, "$1- ");
	const lines = signed.split("\n");
	const filled = lines.filter((line) => line.trim() !== "");
	const isList = filled.every((line, index) => entry.test(line) || isTitle(line, filled[index + 1]));
	if (!isList || filled.length === 0) return signed;
	/** The indents of the entries that the next one may be below. */
	const above: number[] = [];
	const written = lines.map((line) => {
		const content = line.trim();
		if (content === "") return content;
		const indent = indentOf(line);
		while (above.length > 0 && above.at(-1)! >= indent) above.pop();
		const level = above.push(indent) - 1;
		return `${"    ".repeat(level)}${entry.test(line) ? "" : "- "}${content}`;
	});
	return written.join("\n");
}

function isTitle(line: string, next: string | undefined): boolean {
	return !otherBlock.test(line) && next !== undefined && entry.test(next) && indentOf(next) > indentOf(line);
}

/** The columns before a line. A tab goes on to the next multiple of four. */
function indentOf(line: string): number {
	let columns = 0;
	for (const char of /^[ \t]*/.exec(line)![0]) columns += char === "\t" ? 4 - (columns % 4) : 1;
	return columns;
}

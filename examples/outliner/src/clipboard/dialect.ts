import type { ImportDialect } from "outlinekit";

/** A line of Logseq: a block, a line within one, or a property of the page. */
const logseqLine = /^(?:-(?: |$)|\s|$|[^\s:]{1,64}::(?: |$))/;
/** A mark that only Logseq has: a property, a task, a block below another, a link to a page or block. */
const logseqMark =
	/^\s*(?:- )?[a-z][\w.-]*::(?: |$)|^\s*- (?:TODO|DOING|DONE|LATER|NOW|WAITING|CANCELL?ED)(?: |$)|^\t+- |\[\[[^\]\n]+\]\]|\(\([\da-f-]{36}\)\)/im;
/** A block of Logseq alone, as one copies it: its text, and its properties. */
const logseqBlock = /^(?!- )[^\n]+\n(?:[^\n]+\n)*?[a-z][\w.-]*::(?: |\n|$)/;
/** A date of Dynalist. */
const dynalistDate = /!\(\d{4}-\d\d-\d\d/;

/** Whether a text is a page of Logseq, or a part of one: blocks alone, with some of its marks. */
export function isLogseq(text: string): boolean {
	return logseqMark.test(text) && text.split("\n").every((line) => logseqLine.test(line));
}

/** A text with the marks of another outliner, in the form in which it can be imported. */
export interface MarkedText {
	readonly text: string;
	readonly format: "markdown" | "text";
	readonly dialect: ImportDialect;
}

/** Returns a text of the clipboard with the marks of Logseq or Dynalist; undefined for other texts. */
export function markedText(text: string): MarkedText | undefined {
	if (isLogseq(text)) return { text, format: "markdown", dialect: "logseq" };
	if (logseqBlock.test(text)) {
		return { text: `- ${text.replaceAll("\n", "\n  ")}`, format: "markdown", dialect: "logseq" };
	}
	if (!dynalistDate.test(text)) return undefined;
	return { text: text.replace(/^(\s*)[-*] /gm, "$1"), format: "text", dialect: "dynalist" };
}

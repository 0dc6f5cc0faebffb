import type { Settings } from "../../engine/settings.js";
import { markdownOfName, plainMarkdown } from "../../markup/write/to-markdown.js";
import { contentOf } from "../../node.js";
import type { Steps } from "../../pace.js";
import type { NodeRecord } from "../../storage.js";
import type { ExportedTree } from "../exported-tree.js";
import type { FormatReader, ImportDialect, Written } from "../format-module.js";
import type { LossCount } from "../loss.js";
import { completedMarker, markdownOfNote } from "./markdown-note.js";
import { MarkdownReader } from "./markdown-reader.js";
import { linesOfTable } from "./table.js";

/*
 * Markdown: one nested list. Each node is an item: text, `[ ]` or `[x]` of a task, `# heading`, `> quote` or
 * a fence. A completed node that isn't a task has a comment, which Markdown doesn't show. The note follows
 * in paragraphs:
 *
 * - Trip
 *
 *   at the *old* harbour
 *   - [x] book
 *   - ferry <!-- completed -->
 */

/** The maximum number of nested levels: the parser's limit for lists, with room for a quote. */
const deepestList = 98;
/** Matches a name that would turn its item into a rule. */
const dashes = /^-[- \t]*$/;

/** Returns a reader of Markdown. */
export function createReader(settings: Settings, lost: LossCount, dialect?: ImportDialect): FormatReader {
	return new MarkdownReader(settings, lost, dialect);
}

/** Writes a tree as Markdown. */
export function* written({ nodes }: ExportedTree, lost: LossCount, timeZone: string): Written {
	/** Whether a paragraph is open. An item without text can't end it. */
	let isOpen = false;
	let before = -1;
	for (const { node, depth } of nodes) {
		const content = contentOf(node);
		if (node.record.originId !== null) lost.add("mirror");
		if (content.properties !== null) lost.add("properties");
		if (depth > deepestList) lost.add("depth");
		const level = Math.min(depth, deepestList);
		const lines = yield* itemOf(content, lost, timeZone);
		const isBlank = lines[0] === "";
		const indentation = "  ".repeat(level);
		const gap = isBlank && isOpen && level > before ? "\n" : "";
		yield `${gap}${indentation}${isBlank ? "-" : `- ${lines[0]}`}\n`;
		for (let index = 1; index < lines.length; index++) {
			yield lines[index] === "" ? "\n" : `${indentation}  ${lines[index]}\n`;
		}
		isOpen = !isBlank;
		before = level;
	}
}

/** Returns the lines of an item, without its marker and indentation. */
function* itemOf(
	{ name, note, layoutMode, completedAt }: NodeRecord,
	lost: LossCount,
	timeZone: string,
): Steps<string[]> {
	const isCode = layoutMode === "code-block";
	const completed = completedAt !== null;
	if (isCode && name.includes("<")) lost.add("formatting");
	if (isCode && name !== "" && name.trim() === "") lost.add("whiteSpace");
	const options = { layoutMode, completed, timeZone };
	const table = completed || layoutMode !== "bullets" ? undefined : yield* linesOfTable(name, timeZone);
	const markdown = table ? "" : (plainMarkdown(name, options) ?? (yield* markdownOfName(name, options)));
	const lines = table ?? markdown.replace(/^- /, "").split("\n");
	if (dashes.test(lines[0]!)) lines[0] = `\\${lines[0]}`;
	// An item that begins with an empty line can't contain anything after it.
	if (lines[0] === "" && (note !== null || completed)) lines[0] = "&#0;";
	if (completed && layoutMode !== "todo") {
		if (isCode) lines.push("", completedMarker);
		else lines[0] += ` ${completedMarker}`;
	}
	if (note !== null) {
		lines.push("");
		for (const line of yield* markdownOfNote(note)) lines.push(line);
	}
	return lines;
}

import { unescaped } from "../../markup/html/character-reference.js";
import { joined } from "../../markup/long-text.js";
import type { Steps } from "../../pace.js";
import { isTable, readRow } from "./table.js";

/** The number of lines written or read in a step. */
const linesInStep = 256;

/** Marks a node as completed that isn't a task. */
export const completedMarker = "<!-- completed -->";

/** A character reference that the reader decodes to the empty text. */
const nothing = "&#0;";
// A space at the end is escaped too, because it becomes a reference, which begins with punctuation.
const escapable = /\\(?=[!-/:-@[-`{-~]|[ \t]$)|&(?=#?[A-Za-z0-9]+;)/g;
/** The number of escapes written in a step. */
const escapesInStep = 4096;
const blockStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+*](?=[ \t]|$)|`{3}|~{3}|[-=]+[ \t]*$|([-_*])(?:[ \t]*\1){2,}[ \t]*$)/;
const orderedStart = /^\d{1,9}(?=[.)](?:[ \t]|$))/;

/** Returns a plain text note as lines of Markdown paragraphs, with as few escapes as possible. */
export function* markdownOfNote(note: string): Steps<string[]> {
	const lines = note.split("\n");
	const written: string[] = [];
	for (const [index, line] of lines.entries()) {
		if (index % linesInStep === linesInStep - 1) yield;
		const isBetween = line === "" && lines[index - 1] !== "" && lines[index + 1] !== "";
		if (line === "") written.push(isBetween && index > 0 && index < lines.length - 1 ? "" : nothing);
		else written.push(yield* markdownOfLine(line));
	}
	if (!note.includes("\\|")) return written;
	for (let start = 0, end = 0; start < written.length; start = end + 1) {
		end = written.indexOf("", start);
		if (end === -1) end = written.length;
		if (!isTable(written.slice(start, end))) continue;
		for (let at = start; at < end; at++) written[at] = written[at]!.replaceAll("\\\\|", "\\|");
	}
	return written;
}

function* markdownOfLine(line: string): Steps<string> {
	return (yield* escaped(line))
		.replace(blockStart, "\\$&")
		.replace(orderedStart, "$&\\")
		.replaceAll(completedMarker, `\\${completedMarker}`)
		.replace(/^[ \t]|[ \t]$/g, (space) => `&#${space.charCodeAt(0)};`);
}

function* escaped(line: string): Steps<string> {
	const parts: string[] = [];
	let start = 0;
	for (const { index } of line.matchAll(escapable)) {
		parts.push(line.slice(start, index), "\\");
		start = index;
		if (parts.length % escapesInStep === 0) yield;
	}
	return parts.join("") + line.slice(start);
}

/**
 * Returns the text of a note's paragraph. It only decodes escapes and character references. In a table, `\|`
 * stays, because `|` is the border of a cell.
 */
export function* noteOfMarkdown(lines: readonly string[]): Steps<string> {
	const decoded: string[] = [];
	const isOfTable = isTable(lines);
	for (const [index, line] of lines.entries()) {
		if (index % linesInStep === linesInStep - 1) yield;
		decoded.push(yield* isOfTable ? readRow(line, decodedCell) : unescaped(line));
	}
	return yield* joined(decoded, "\n");
}

function* decodedCell(cell: string): Steps<string> {
	return (yield* unescaped(cell)).replaceAll("|", "\\|");
}

/** Returns the lines of a paragraph without the marker at their end, and whether the marker was there. */
export function withoutMarker(lines: readonly string[]): { lines: readonly string[]; completed: boolean } {
	const last = lines.at(-1) ?? "";
	const text = last.endsWith(completedMarker) ? last.slice(0, -completedMarker.length) : undefined;
	if (text === undefined || !/(?:^|[ \t])$/.test(text)) return { lines, completed: false };
	const rest = text.replace(/[ \t]$/, "");
	return { lines: rest === "" ? lines.slice(0, -1) : [...lines.slice(0, -1), rest], completed: true };
}

import { decodeReferences } from "../markup/character-reference.js";

/** What marks a node as completed that is no task. */
export const completedMarker = "<!-- completed -->";

/** What decodes to no text at all. */
const nothing = "&#0;";
// A space at the end becomes a reference, which begins with punctuation too.
const escapable = /\\(?=[!-/:-@[-`{-~]|[ \t]$)|&(?=#?[A-Za-z0-9]+;)/g;
const escaped = /\\([!-/:-@[-`{-~])|(&#?[A-Za-z0-9]+;)/g;
const blockStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+*](?=[ \t]|$)|`{3}|~{3}|[-=]+[ \t]*$|([-_*])(?:[ \t]*\1){2,}[ \t]*$)/;
const orderedStart = /^\d{1,9}(?=[.)](?:[ \t]|$))/;

/** A note, which is plain text, as lines of paragraphs: its own, with as few escapes as will do. */
export function markdownOfNote(note: string): string[] {
	const lines = note.split("\n");
	return lines.map((line, index) => {
		const isBetween = line === "" && lines[index - 1] !== "" && lines[index + 1] !== "";
		if (line === "") return isBetween && index > 0 && index < lines.length - 1 ? "" : nothing;
		return line
			.replace(escapable, "\\$&")
			.replace(blockStart, "\\$&")
			.replace(orderedStart, "$&\\")
			.replaceAll(completedMarker, `\\${completedMarker}`)
			.replace(/^[ \t]|[ \t]$/g, (space) => `&#${space.charCodeAt(0)};`);
	});
}

/** The text of a paragraph of a note: as it was typed, but for escapes and character references. */
export function noteOfMarkdown(lines: readonly string[]): string {
	const decoded = (line: string) =>
		line.replace(escaped, (source, character?: string) => character ?? decodeReferences(source));
	return lines.map(decoded).join("\n");
}

/** The lines of a paragraph without the marker at their end, if it is there. */
export function withoutMarker(lines: readonly string[]): { lines: readonly string[]; completed: boolean } {
	const last = lines.at(-1) ?? "";
	const text = last.endsWith(completedMarker) ? last.slice(0, -completedMarker.length) : undefined;
	if (text === undefined || !/(?:^|[ \t])$/.test(text)) return { lines, completed: false };
	const rest = text.replace(/[ \t]$/, "");
	return { lines: rest === "" ? lines.slice(0, -1) : [...lines.slice(0, -1), rest], completed: true };
}

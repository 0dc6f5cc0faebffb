import { datesIn, urlsIn, type WordsOfDate } from "outlinekit/markup";
import { spanIn } from "./caret.js";
import { proseOf } from "./pieces.js";

/** A text that is being typed, and may be completed or replaced: the caret is at its end. */
export interface Typed {
	/** The offset of its beginning in the field. */
	readonly start: number;
	readonly text: string;
}

const beginning = /(?<=^|[\s\p{P}])[#@＃＠][\p{L}\p{N}\p{M}_/-]*$/u;
const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

/** The tag that is being typed in a field, with its sign. */
export function typedTag(field: HTMLElement): Typed | undefined {
	const before = textBefore(field, proseOf(field));
	const match = before === undefined ? null : beginning.exec(before);
	if (before === undefined || match === null) return undefined;
	if (urlsIn(before).some(({ start, end }) => start <= match.index && match.index < end)) return undefined;
	return { start: match.index, text: match[0] };
}

/** More than the longest words that mean a date. */
const longestDate = 100;

/** The words that are being typed in a field and mean a date, such as `fri 14:30`. */
export function typedDate(field: HTMLElement, today: string): (Typed & WordsOfDate) | undefined {
	const before = textBefore(field, proseOf(field, "a, code, time"));
	if (before === undefined) return undefined;
	const from = Math.max(0, before.length - longestDate);
	const words = datesIn(before.slice(from), { today }).at(-1);
	if (words === undefined || from + words.end < before.length) return undefined;
	const start = from + words.start;
	// The closing bracket makes a date of it.
	if (before[start - 1] === "[") return undefined;
	return { ...words, start, text: before.slice(start) };
}

/** A text up to the caret of its field; undefined if something is selected, or if a word goes on behind. */
function textBefore(field: HTMLElement, text: string): string | undefined {
	const span = spanIn(field);
	if (span === undefined || span.start !== span.end || wordCharacter.test(text.charAt(span.start))) return undefined;
	return text.slice(0, span.start);
}

/** The most tags to offer. */
const most = 7;

/** The tags that begin with a typed one, without it. Expects the most frequent first. */
export function completionsOf(typed: string, tags: readonly string[]): string[] {
	const wanted = plain(typed);
	return tags.filter((tag) => plain(tag).startsWith(wanted) && plain(tag) !== wanted).slice(0, most);
}

/** Whether a tag is typed completely. */
export function isComplete(typed: string, tags: readonly string[]): boolean {
	return tags.some((tag) => plain(tag) === plain(typed));
}

/** A tag without letter case and accents. */
function plain(tag: string): string {
	return tag.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

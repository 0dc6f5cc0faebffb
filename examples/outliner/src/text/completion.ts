import { urlsIn } from "outlinekit/markup";
import { spanIn } from "./caret.js";
import { proseOf } from "./pieces.js";

/** A tag that is being typed: the caret is at its end. */
export interface TypedTag {
	/** The offset of its sign in the field. */
	readonly start: number;
	/** The tag as far as it is typed, with its sign. */
	readonly text: string;
}

const beginning = /(?<=^|[\s\p{P}])[#@＃＠][\p{L}\p{N}\p{M}_/-]*$/u;
const tagCharacter = /[\p{L}\p{N}\p{M}_]/u;

/** The tag that is being typed in a field. */
export function typedTag(field: HTMLElement): TypedTag | undefined {
	const span = spanIn(field);
	if (span === undefined || span.start !== span.end) return undefined;
	const prose = proseOf(field);
	const before = prose.slice(0, span.start);
	const match = beginning.exec(before);
	if (match === null || tagCharacter.test(prose.charAt(span.start))) return undefined;
	if (urlsIn(before).some(({ start, end }) => start <= match.index && match.index < end)) return undefined;
	return { start: match.index, text: match[0] };
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

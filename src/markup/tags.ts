import { assertText } from "./text.js";

/** A tag in a text. */
export interface TagInText {
	/** The tag as written, with its `#` or `@`. */
	readonly tag: string;
	/** The offset at which it begins, in UTF-16 code units. */
	readonly start: number;
	/** The offset behind its last character. */
	readonly end: number;
}

/**
 * Matches a tag, its first group. Also matches web addresses, so that a `#` or `@` in them begins no tag.
 * Linear in time.
 */
export const tagOrUrl =
	/[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|(?<=^|[\s\p{P}])([#@＃＠]_*[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200c]*(?:[_/-]+[\p{L}\p{N}\p{M}\u200c]+)*)/gu;

/**
 * Returns the tags of a text in their order, as `outline.tags()` counts them. A tag begins with `#` or `@`,
 * at the start or after white space or punctuation. Letters and digits follow, joined by `_`, `-` and `/`.
 * Web addresses have no tags. Linear in time.
 *
 * The outline finds no tags in code and in the labels of links. To read the same tags of a name, put U+FFFC in
 * place of these: `tagsIn` doesn't read markup.
 *
 * @param text - a note, or the visible text of a name
 * @throws `invalid_argument` if it isn't a text
 */
export function tagsIn(text: string): TagInText[] {
	assertText("tagsIn", text);
	const found: TagInText[] = [];
	for (const { 1: tag, index } of text.matchAll(tagOrUrl)) {
		if (tag !== undefined) found.push({ tag, start: index, end: index + tag.length });
	}
	return found;
}

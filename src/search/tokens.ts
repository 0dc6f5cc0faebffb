import { fold } from "./fold.js";

const ascii = /^[\0-\x7f]*$/;
const asciiWord = /[a-z0-9]+/g;
const spacelessScripts =
	"\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}";

/** A letter of a script without spaces; a pictograph, or half of a flag; a word of any other script. */
const word = new RegExp(
	`(?=[\\p{L}\\p{N}])[${spacelessScripts}]\\p{M}*` +
		"|\\p{Extended_Pictographic}|\\p{Regional_Indicator}" +
		`|[\\p{L}\\p{N}](?:(?![${spacelessScripts}])[\\p{L}\\p{N}]|\\p{M})*`,
	"gu",
);

const tagStart = /[#@＃＠]/;
/** Web addresses are passed over: their `#` and `@` begin no tags. */
const tag =
	/[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|(?<=^|[\s\p{P}])([#@＃＠]_*[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200c]*(?:[_/-]+[\p{L}\p{N}\p{M}\u200c]+)*)/gu;

/**
 * The words of a text in their order, folded (see {@link fold}). A word is a run of letters, digits and their marks. In
 * scripts that are written without spaces (Chinese, Japanese, Korean, Thai and the like) each letter is one, and so is each
 * emoji: whatever stretch of such a text is looked for, its words follow one another. Linear in time.
 */
export function words(text: string): string[] {
	const folded = fold(text);
	return folded.match(ascii.test(folded) ? asciiWord : word) ?? [];
}

/**
 * The tags of a text in their order, as they are written: `#` or `@` at the start or after white space or punctuation,
 * then letters and digits, joined by `_`, `-` and `/`. To compare tags, {@link fold} them. Linear in time.
 */
export function tags(text: string): string[] {
	if (!tagStart.test(text)) return [];
	return Array.from(text.matchAll(tag), ([, written]) => written).filter((written) => written !== undefined);
}

/** Whether a text is one tag and nothing else. */
export function isTag(text: string): boolean {
	return tags(text)[0] === text;
}

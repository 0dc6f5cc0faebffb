import { finished, type Steps } from "../pace.js";
import { fold, foldedInPieces } from "./fold.js";
import { atOnce } from "./rest.js";

const none: readonly never[] = [];
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

/** The number of characters whose words or tags are found in one go. */
const piece = 8192;

/**
 * The words of a text in their order, folded (see {@link fold}). A word is a run of letters, digits and their marks. In
 * scripts that are written without spaces (Chinese, Japanese, Korean, Thai and the like) each letter is one, and so is each
 * emoji: whatever stretch of such a text is looked for, its words follow one another. Linear in time.
 */
export function words(text: string): readonly string[] {
	return wordsOf(fold(text));
}

/** Calls `visit` for each of the {@link words} of a text: at once, or with the steps that it returns. */
export function eachWord(text: string, visit: (word: string) => void): Iterable<undefined> {
	if (text.length > piece) return eachWordInPieces(text, visit);
	for (const word of words(text)) visit(word);
	return atOnce;
}

function* eachWordInPieces(text: string, visit: (word: string) => void): Steps<void> {
	const folded = yield* foldedInPieces(text);
	for (let start = 0, size = piece; start < folded.length; ) {
		const stretch = folded.slice(start, pieceEnd(folded, start + size));
		const found = wordsOf(stretch);
		const last = found.at(-1);
		// A word at the end of a stretch may go on. If it is all of it, a longer one is tried.
		const rest =
			last !== undefined && start + stretch.length < folded.length && stretch.endsWith(last) ? last.length : 0;
		const count = rest === 0 ? found.length : found.length - 1;
		for (let place = 0; place < count; place++) visit(found[place]!);
		start += stretch.length - rest;
		size = rest === stretch.length ? 2 * size : piece;
		yield;
	}
}

function wordsOf(folded: string): readonly string[] {
	return folded.match(ascii.test(folded) ? asciiWord : word) ?? none;
}

/** Where a piece ends that is to end at a place: not between the halves of a surrogate pair. */
function pieceEnd(text: string, end: number): number {
	return end < text.length && /[\udc00-\udfff]/.test(text.charAt(end)) ? end + 1 : Math.min(end, text.length);
}

/**
 * The tags of a text in their order, as they are written: `#` or `@` at the start or after white space or punctuation,
 * then letters and digits, joined by `_`, `-` and `/`. To compare tags, {@link fold} them. Linear in time.
 */
export function tags(text: string): string[] {
	const found: string[] = [];
	finished(eachTagInSlices(text, (written) => found.push(written)));
	return found;
}

/** Calls `visit` for each of the {@link tags} of a text: at once, or with the steps that it returns. */
export function eachTag(text: string, visit: (written: string) => void): Iterable<undefined> {
	return tagStart.test(text) ? eachTagInSlices(text, visit) : atOnce;
}

function* eachTagInSlices(text: string, visit: (written: string) => void): Steps<void> {
	let count = 0;
	for (const [, written] of text.matchAll(tag)) {
		if (written !== undefined) visit(written);
		if (++count % 256 === 0) yield;
	}
}

/** Whether a text is one tag and nothing else. */
export function isTag(text: string): boolean {
	return tags(text)[0] === text;
}

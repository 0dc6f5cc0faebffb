import { tagOrUrl } from "../../markup/tags.js";
import { spacelessScripts } from "../../markup/text.js";
import { finished, type Steps } from "../../pace.js";
import { fold, foldedInPieces } from "./fold.js";

const none: readonly never[] = [];
const ascii = /^[\0-\x7f]*$/;
const asciiWord = /[a-z0-9]+/g;

/** Matches a letter of a script without spaces, a pictograph or half a flag, or any other word. */
const word = new RegExp(
	`(?=[\\p{L}\\p{N}])[${spacelessScripts}]\\p{M}*` +
		"|\\p{Extended_Pictographic}|\\p{Regional_Indicator}" +
		`|[\\p{L}\\p{N}](?:(?![${spacelessScripts}])[\\p{L}\\p{N}]|\\p{M})*`,
	"gu",
);

const tagStart = /[#@＃＠]/;

/** The number of characters that are searched for words in a step. */
const piece = 8192;

/**
 * Returns the words of a text in their order, folded (see {@link fold}). A word is a sequence of letters,
 * digits and their marks. In scripts without spaces (Chinese, Japanese, Korean, Thai and similar ones), each
 * letter is a word, and so is each emoji. So the words of any part of such a text follow one another in the
 * text. Linear in time.
 */
export function words(text: string): readonly string[] {
	return wordsOf(fold(text));
}

/**
 * Calls `visit` for each of the {@link words} of a text. Returns the remaining steps: none for a short text,
 * because a generator per text would cost too much.
 */
export function eachWord(text: string, visit: (word: string) => void): Iterable<undefined> {
	if (text.length > piece) return eachWordInPieces(text, visit);
	for (const word of words(text)) visit(word);
	return [];
}

function* eachWordInPieces(text: string, visit: (word: string) => void): Steps<void> {
	const folded = yield* foldedInPieces(text);
	for (let start = 0, size = piece; start < folded.length; ) {
		const stretch = folded.slice(start, pieceEnd(folded, start + size));
		const found = wordsOf(stretch);
		const last = found.at(-1);
		// A word at the end of a part may continue. If it fills the whole part, a longer part is tried.
		const rest =
			last !== undefined && start + stretch.length < folded.length && stretch.endsWith(last) ? last.length : 0;
		const count = rest === 0 ? found.length : found.length - 1;
		for (let index = 0; index < count; index++) visit(found[index]!);
		start += stretch.length - rest;
		size = rest === stretch.length ? 2 * size : piece;
		yield;
	}
}

/** Calls `visit` for each word of a folded text, with its offset, in steps. */
export function* eachWordAt(folded: string, visit: (word: string, at: number) => void): Steps<void> {
	let count = 0;
	for (const { 0: found, index } of folded.matchAll(ascii.test(folded) ? asciiWord : word)) {
		visit(found, index);
		if (++count % 1024 === 0) yield;
	}
}

function wordsOf(folded: string): readonly string[] {
	return folded.match(ascii.test(folded) ? asciiWord : word) ?? none;
}

/** Returns the end of a piece near an offset, so that it doesn't split a surrogate pair. */
function pieceEnd(text: string, end: number): number {
	return end < text.length && /[\udc00-\udfff]/.test(text.charAt(end)) ? end + 1 : Math.min(end, text.length);
}

/**
 * Returns the tags of a text in their order, as written (see `tagsIn` of the markup). To compare tags, {@link
 * fold} them. Linear in time.
 */
export function tags(text: string): string[] {
	const found: string[] = [];
	finished(eachTagInSlices(text, (written) => found.push(written)));
	return found;
}

/**
 * Calls `visit` for each of the {@link tags} of a text, with its offset. Returns the remaining steps, often none.
 */
export function eachTag(text: string, visit: (written: string, at: number) => void): Iterable<undefined> {
	return tagStart.test(text) ? eachTagInSlices(text, visit) : [];
}

function* eachTagInSlices(text: string, visit: (written: string, at: number) => void): Steps<void> {
	let count = 0;
	for (const { 1: written, index } of text.matchAll(tagOrUrl)) {
		if (written !== undefined) visit(written, index);
		if (++count % 256 === 0) yield;
	}
}

/** Whether the whole text is one tag. */
export function isTag(text: string): boolean {
	return tags(text)[0] === text;
}

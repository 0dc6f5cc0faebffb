import { diff3Merge } from "node-diff3";
import type { Steps } from "../pace.js";
import { canonicalFragment } from "./html/fragment.js";
import { commonEnds, spacelessScripts } from "./text.js";
import { textOfName } from "./write/to-text.js";

/** The parts that are compared: tags, references such as `&amp;`, words, white space, and other characters. */
const words = new RegExp(
	`<[^>]*>|&\\w+;|[${spacelessScripts}]\\p{M}*|(?:(?![${spacelessScripts}])[\\p{L}\\p{N}\\p{M}_])+|\\s+|.`,
	"gsu",
);

/** Larger parts, for longer texts: sentences and lines. */
const sentences = /[^.!?\n]+[.!?\n]*|[.!?\n]+/g;

/** The most parts that are compared, and the most characters in which they are looked for. */
const limits = { parts: 500, characters: 100_000 };

/**
 * Merges two edits of a plain text, word by word. Returns undefined if they change the same words, replace
 * words side by side, or insert at one place.
 *
 * @param base - the text that both edits began from
 */
export function mergedText(base: string, ours: string, theirs: string): string | undefined {
	if (ours === theirs || theirs === base) return ours;
	if (ours === base) return theirs;
	const typed = mergedInsertions(base, ours, theirs);
	if (typed !== undefined) return typed;
	const start = commonStart(base, ours, theirs);
	const end = commonEnd(start, base, ours, theirs);
	const changed = [ours, base, theirs].map((text) => text.slice(start, text.length - end));
	if (Math.max(...changed.map(({ length }) => length)) > limits.characters) return undefined;
	const merged = mergedParts(changed, words) ?? mergedParts(changed, sentences);
	return merged === undefined ? undefined : base.slice(0, start) + merged + base.slice(base.length - end);
}

/** The text that an edit inserts. The place in the base may be any one from `low` to `high`. */
interface Insertion {
	readonly low: number;
	readonly high: number;
	readonly text: string;
}

/** Characters that are part of a word. */
const inWord = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Merges two edits that only insert, each at a place of its own, as while two people type. One may begin a
 * new word beside a word that the other changes. Returns undefined if both may have changed one word.
 */
function mergedInsertions(base: string, ours: string, theirs: string): string | undefined {
	const [left, right] = [insertionIn(base, ours), insertionIn(base, theirs)];
	if (left === undefined || right === undefined) return undefined;
	const [first, second] = left.high < right.low ? [left, right] : [right, left];
	if (first.high >= second.low || isInMarkup(base, first.high) || isInMarkup(base, second.high)) return undefined;
	const between = base.slice(first.high, second.high);
	const joined = first.text.at(-1)! + between + second.text[0]!;
	if ([...joined].every((character) => inWord.test(character))) return undefined;
	return base.slice(0, first.high) + first.text + between + second.text + base.slice(second.high);
}

function insertionIn(base: string, edited: string): Insertion | undefined {
	const { head, tail } = commonEnds(base, edited);
	if (head + tail < base.length) return undefined;
	const text = edited.slice(head, edited.length - tail);
	let low = head;
	while (low > 0 && base[low - 1] === edited[low - 1 + text.length]) low -= 1;
	return { low, high: head, text };
}

/** Whether a place is in a tag or in a character reference. */
function isInMarkup(text: string, at: number): boolean {
	const before = text.slice(0, at);
	return before.lastIndexOf("<") > before.lastIndexOf(">") || /&#?\w*$/.test(before);
}

/** {@link mergedText} of canonical fragments. Returns undefined also if the result isn't canonical. */
export function* mergedFragment(base: string, ours: string, theirs: string): Steps<string | undefined> {
	const merged = mergedText(base, ours, theirs);
	if (merged === undefined || merged === ours || merged === theirs) return merged;
	return (yield* canonicalFragment(merged)) === merged ? merged : undefined;
}

/**
 * Merges two edits of a name or a note. Returns undefined if they don't go together, or are too long together.
 * An empty note is `null` if one of the two is.
 *
 * @param longest - the most characters of a merged text, without markup
 */
export function* mergedField<Text extends string | null>(
	field: "name" | "note",
	base: Text,
	ours: Text,
	theirs: Text,
	longest: number,
): Steps<Text | undefined> {
	const texts = [base ?? "", ours ?? "", theirs ?? ""] as const;
	const merged = field === "name" ? yield* mergedFragment(...texts) : mergedText(...texts);
	if (merged !== undefined && merged !== texts[1] && merged !== texts[2] && merged.length > longest) {
		const { length } = field === "name" ? yield* textOfName(merged) : merged;
		if (length > longest) return undefined;
	}
	return (merged === "" && (ours === null || theirs === null) ? null : merged) as Text | undefined;
}

/** Returns undefined for a conflict, and for too many parts. */
function mergedParts(texts: readonly string[], part: RegExp): string | undefined {
	const [ours = [], base = [], theirs = []] = texts.map((text) => text.match(part) ?? []);
	if (Math.max(ours.length, base.length, theirs.length) > limits.parts) return undefined;
	let merged = "";
	for (const { ok } of diff3Merge<string>(ours, base, theirs)) {
		if (ok === undefined) return undefined;
		merged += ok.join("");
	}
	return merged;
}

/** Returns the length of the text that all begin with, up to the end of a word. */
function commonStart(...texts: readonly string[]): number {
	const [first = ""] = texts;
	let length = 0;
	while (length < first.length && texts.every((text) => text[length] === first[length])) length += 1;
	while (length > 0 && !/[\s>;]/.test(first[length - 1]!)) length -= 1;
	return length;
}

/** Returns the length of the text that all end with, from the beginning of a word, behind the common start. */
function commonEnd(start: number, ...texts: readonly string[]): number {
	const [first = ""] = texts;
	const most = Math.min(...texts.map(({ length }) => length)) - start;
	let length = 0;
	while (length < most && texts.every((text) => text.at(-1 - length) === first.at(-1 - length))) length += 1;
	while (length > 0 && !/[\s<&]/.test(first.at(-length)!)) length -= 1;
	return length;
}

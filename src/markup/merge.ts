import { diff3Merge } from "node-diff3";
import type { Steps } from "../pace.js";
import { canonicalFragment } from "./html/fragment.js";
import { spacelessScripts } from "./text.js";

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
 * Merges two edits of a plain text, word by word. Returns undefined if they change the same words, or words
 * side by side.
 *
 * @param base - the text that both edits began from
 */
export function mergedText(base: string, ours: string, theirs: string): string | undefined {
	if (ours === theirs || theirs === base) return ours;
	if (ours === base) return theirs;
	const start = commonStart(base, ours, theirs);
	const end = commonEnd(start, base, ours, theirs);
	const changed = [ours, base, theirs].map((text) => text.slice(start, text.length - end));
	if (Math.max(...changed.map(({ length }) => length)) > limits.characters) return undefined;
	const merged = mergedParts(changed, words) ?? mergedParts(changed, sentences);
	return merged === undefined ? undefined : base.slice(0, start) + merged + base.slice(base.length - end);
}

/** {@link mergedText} of canonical fragments. Returns undefined also if the result isn't canonical. */
export function* mergedFragment(base: string, ours: string, theirs: string): Steps<string | undefined> {
	const merged = mergedText(base, ours, theirs);
	if (merged === undefined || merged === ours || merged === theirs) return merged;
	return (yield* canonicalFragment(merged)) === merged ? merged : undefined;
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

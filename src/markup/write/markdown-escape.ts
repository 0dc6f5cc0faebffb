import type { Steps } from "../../pace.js";

/** What stands around a text in Markdown. */
export interface Surroundings {
	/** The character before it, if it is Markdown's own; else empty. */
	readonly before: string;
	/** The character that may come after it, if it is Markdown's own; else empty. */
	readonly after: string;
	/** Whether it is part of a link's label, where any bracket could count. */
	readonly isInLink: boolean;
}

const candidate = /[\\`*~![\](<&\n]/g;
const date = /\[\d{4}-\d\d-\d\d/y;
const tagOrAutolink = /<(?:[A-Za-z/!?]|[^\s<>:@]*(?:[:@]|$))/y;
const characterReference = /&#?[A-Za-z0-9]+;/y;
const blockStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+](?=[ \t]|$)|\[(?=[ \txX]\]))/;
const orderedStart = /^\d{1,9}(?=[.)](?:[ \t]|$))/;
const closingHashes = /(?:^|[ \t])#+$/;

/** How many characters that may need an escape are looked at in a step. */
const candidatesInStep = 4096;

/** A text as Markdown that means this text. It has no line endings. */
export function* escapeInline(text: string, surroundings: Surroundings): Steps<string> {
	const parts: string[] = [];
	let start = 0;
	let count = 0;
	for (const { 0: character, index: at } of text.matchAll(candidate)) {
		if (++count % candidatesInStep === 0) yield;
		if (character !== "\n" && !isMarkup(text, at, surroundings)) continue;
		parts.push(text.slice(start, at), character === "\n" ? "&#10;" : `\\${character}`);
		start = at + 1;
	}
	return parts.join("") + text.slice(start);
}

/** Whether the character at an offset could begin or end markup, or be taken for part of it. */
function isMarkup(text: string, at: number, { before, after, isInLink }: Surroundings): boolean {
	const previous = at === 0 ? before : text.charAt(at - 1);
	const next = at === text.length - 1 ? after : text.charAt(at + 1);
	switch (text[at]) {
		case "\\":
			return !/[A-Za-z0-9\u0080-\uffff]/.test(next);
		case "*":
			return previous !== " " || next !== " ";
		case "~":
			return previous === "~" || next === "~";
		case "!":
			return next === "[";
		case "[":
			return isInLink || isAt(date, text, at);
		case "]":
			return isInLink || next === "(";
		case "(":
			return at === 0 && before === "]";
		case "<":
			return isAt(tagOrAutolink, text, at);
		case "&":
			return isAt(characterReference, text, at);
		default:
			return true;
	}
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
	pattern.lastIndex = at;
	return pattern.test(text);
}

/** Inline Markdown that begins with text, as it can stand where a block begins. */
export function escapeStart(markdown: string): string {
	return markdown
		.replace(/^[ \t]/, reference)
		.replace(blockStart, "\\$&")
		.replace(orderedStart, "$&\\");
}

/** Inline Markdown that ends with text, as it can stand where a block ends. */
export function escapeEnd(markdown: string): string {
	return markdown.replace(/[ \t]$/, reference);
}

/** Inline Markdown as it can stand where a heading ends: hashes there would close it. */
export function escapeHeadingEnd(markdown: string): string {
	return closingHashes.test(markdown) ? `${markdown.slice(0, -1)}\\#` : markdown;
}

/** White space that would be cut off, as a character reference. */
function reference(character: string): string {
	return `&#${character.charCodeAt(0)};`;
}

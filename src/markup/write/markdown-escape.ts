import type { Steps } from "../../pace.js";

/** The Markdown around a text. */
export interface Surroundings {
	/** The Markdown character before the text; empty if there is none. */
	readonly before: string;
	/** The Markdown character that may come after the text; empty if there is none. */
	readonly after: string;
	/** Whether the text is part of a link's label, in which every bracket is escaped. */
	readonly isInLink: boolean;
}

const candidate = /[\\`*~![\](<&\n]/g;
const date = /\[\d{4}-\d\d-\d\d/y;
const tagOrAutolink = /<(?:[A-Za-z/!?]|[^\s<>:@]*(?:[:@]|$))/y;
const characterReference = /&#?[A-Za-z0-9]+;/y;
const blockStart = /^(?:#{1,6}(?=[ \t]|$)|>|[-+](?=[ \t]|$)|\[(?=[ \txX]\]))/;
const orderedStart = /^\d{1,9}(?=[.)](?:[ \t]|$))/;
const closingHashes = /(?:^|[ \t])#+$/;

/** The number of characters examined in a step. */
const candidatesInStep = 4096;

/** Escapes a text for inline Markdown. The result has no line endings. */
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

/** Whether the character at an offset could begin or end markup, or be read as part of it. */
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

/** Escapes inline Markdown that begins with text, for the start of a block. */
export function escapeStart(markdown: string): string {
	return markdown
		.replace(/^[ \t]/, reference)
		.replace(blockStart, "\\$&")
		.replace(orderedStart, "$&\\");
}

/** Escapes inline Markdown that ends with text, for the end of a block. */
export function escapeEnd(markdown: string): string {
	return markdown.replace(/[ \t]$/, reference);
}

/** Escapes inline Markdown for the end of a heading, where hashes would close it. */
export function escapeHeadingEnd(markdown: string): string {
	return closingHashes.test(markdown) ? `${markdown.slice(0, -1)}\\#` : markdown;
}

/** Returns white space as a character reference, so that a reader doesn't remove it. */
function reference(character: string): string {
	return `&#${character.charCodeAt(0)};`;
}

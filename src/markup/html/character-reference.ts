import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { Steps } from "../../pace.js";

/** The number of parts of a text that are decoded in a step. */
const partsInStep = 4096;

/** The character references of CommonMark. Create and update use the same ones. */
const form = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{0,30}));/;
const references = new RegExp(form, "g");
const reference = new RegExp(form, "y");
const escapesAndReferences = /\\([!-/:-@[-`{-~])|(&#?[A-Za-z0-9]+;)/g;

/**
 * Decodes the character references of a text, named and numeric, if they end in a semicolon. An unknown name
 * stays as it is. A surrogate or a number beyond Unicode becomes U+FFFD. `normalizeText` handles control
 * characters later.
 */
export function decodeReferences(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(
		references,
		(source: string, decimal?: string, hex?: string, name?: string) => meaning(decimal, hex, name) ?? source,
	);
}

/** Returns the end and the text of the character reference at an offset; undefined if none begins there. */
export function referenceAt(text: string, at: number): { end: number; value: string } | undefined {
	reference.lastIndex = at;
	const match = reference.exec(text);
	const value = match === null ? undefined : meaning(match[1], match[2], match[3]);
	return value === undefined ? undefined : { end: reference.lastIndex, value };
}

/** Decodes the character references and backslash escapes of a text. */
export function* unescaped(text: string): Steps<string> {
	const parts: string[] = [];
	let start = 0;
	for (const { 0: source, 1: character, index } of text.matchAll(escapesAndReferences)) {
		parts.push(text.slice(start, index), character ?? decodeReferences(source));
		start = index + source.length;
		if (parts.length % partsInStep === 0) yield;
	}
	return start === 0 ? text : parts.join("") + text.slice(start);
}

/** Returns undefined for an unknown name. */
function meaning(decimal: string | undefined, hex: string | undefined, name: string | undefined): string | undefined {
	if (decimal !== undefined) return character(Number.parseInt(decimal, 10));
	if (hex !== undefined) return character(Number.parseInt(hex, 16));
	return decodeNamedCharacterReference(name ?? "") || undefined;
}

function character(code: number): string {
	const isSurrogate = code >= 0xd800 && code <= 0xdfff;
	return isSurrogate || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

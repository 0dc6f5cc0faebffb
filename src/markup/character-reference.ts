import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** What CommonMark takes for a character reference, so that create and update decode the same ones. */
const reference = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{0,30}));/g;

/**
 * The text with its character references decoded, named and numeric; only those that end in a semicolon. An unknown name
 * stays as it is; a surrogate or a number beyond Unicode is U+FFFD. Control characters are left to `normalizeText`.
 */
export function decodeReferences(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(reference, (source: string, decimal?: string, hex?: string, name?: string) => {
		if (decimal !== undefined) return character(Number.parseInt(decimal, 10));
		if (hex !== undefined) return character(Number.parseInt(hex, 16));
		return decodeNamedCharacterReference(name ?? "") || source;
	});
}

function character(code: number): string {
	const isSurrogate = code >= 0xd800 && code <= 0xdfff;
	return isSurrogate || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

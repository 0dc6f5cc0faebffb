/** A set of ASCII characters. Maps the code of a character to its kind, or to 0 if it isn't in the set. */
export type CharacterSet = Uint8Array;

/** Matches ASCII punctuation: the characters that a backslash escapes. */
export const punctuation = /[!-/:-@[-`{-~]/;

/**
 * Returns the set of the characters in these texts. The characters of the first text have the kind 1, those
 * of the second 2, and so on.
 */
export function characterSet(...texts: readonly string[]): CharacterSet {
	const kinds = new Uint8Array(128);
	for (const [index, text] of texts.entries()) {
		for (let at = 0; at < text.length; at++) kinds[text.charCodeAt(at)] = index + 1;
	}
	return kinds;
}

/** Returns the offset of a set's first character within a range; the end of the range if there is none. */
export function firstOf(set: CharacterSet, text: string, from: number, before: number): number {
	for (let at = from; at < before; at++) {
		const code = text.charCodeAt(at);
		if (code < 128 && set[code] !== 0) return at;
	}
	return before;
}

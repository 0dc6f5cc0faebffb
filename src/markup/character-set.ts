/** Some characters of ASCII: by its code, what a character is, or 0 if it isn't among them. */
export type CharacterSet = Uint8Array;

/** The set of these characters, which are all alike, or those of several texts, which are 1, 2 and so on. */
export function characterSet(...texts: readonly string[]): CharacterSet {
	const kinds = new Uint8Array(128);
	for (const [index, text] of texts.entries()) {
		for (let at = 0; at < text.length; at++) kinds[text.charCodeAt(at)] = index + 1;
	}
	return kinds;
}

/** Where the first character of a set is, from one offset on and before another; the second if there is none. */
export function firstOf(set: CharacterSet, text: string, from: number, before: number): number {
	for (let at = from; at < before; at++) {
		const code = text.charCodeAt(at);
		if (code < 128 && set[code] !== 0) return at;
	}
	return before;
}

import type { Steps } from "../../pace.js";

const ascii = /^[\0-\x7f]*$/;

/**
 * Matches characters that don't distinguish words: diacritics, and characters that only control the display
 * of other characters (soft hyphens, joiners, byte order marks). It omits the marks of Indic and South East
 * Asian scripts, because these are vowels. It omits the voicing marks of kana, because they make other
 * letters.
 */
const ignored =
	/\p{Cf}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

/** Matches more marks than any script stacks. JavaScript engines need quadratic time to normalize them. */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * Returns a text in the form that searches compare: without letter case, diacritics and variant forms.
 * Variant forms are `ﬁ` and `fi`, full width and half width, composed and decomposed. Linear in time.
 */
export function fold(text: string): string {
	if (ascii.test(text)) return text.toLowerCase();
	const bare = text.replace(excessMarks, "$1").normalize("NFKD").replace(ignored, "");
	// Lower case comes first, because `ẞ` has no upper case. Upper case comes next, because it turns `ß` into
	// ss and `ı` into i.
	return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** The number of characters folded in a step. */
const piece = 8192;

/** Characters that folding may combine with the character before them. */
const joining = /[\p{M}\p{Cf}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc\ud7b0-\ud7ff\u{16d67}\u{16d68}]*/uy;

/** Applies {@link fold} in steps. */
export function* foldedInPieces(text: string): Steps<string> {
	let folded = "";
	for (let start = 0; start < text.length; ) {
		const end = pieceEnd(text, start + piece);
		folded += fold(text.slice(start, end));
		start = end;
		yield;
	}
	return folded;
}

/** Returns the first offset, from this one on, at which a text can be split before folding. */
export function pieceEnd(text: string, from: number): number {
	if (from >= text.length) return text.length;
	// If the offset is within a surrogate pair, a pattern with `u` examines the whole pair.
	joining.lastIndex = from;
	joining.test(text);
	return joining.lastIndex;
}

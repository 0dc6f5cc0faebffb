import type { Steps } from "../pace.js";

const ascii = /^[\0-\x7f]*$/;

/**
 * What tells no two words apart: characters that only direct how others are shown (soft hyphens, joiners, byte order marks),
 * and diacritics. The marks of Indic and South East Asian scripts are vowels, and the voicing of kana makes other letters.
 */
const ignored =
	/\p{Cf}|(?![\u3099\u309a])(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

/** No writing stacks that many marks, and the engines' normalisation takes quadratic time to sort them. */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * The text as searches compare it: without letter case, diacritics, and differences of mere form (`ﬁ` and `fi`, full width
 * and half width, composed and decomposed). Linear in time.
 */
export function fold(text: string): string {
	if (ascii.test(text)) return text.toLowerCase();
	const bare = text.replace(excessMarks, "$1").normalize("NFKD").replace(ignored, "");
	// To lower case first, for `ẞ` has no upper case of its own; then by upper case, which makes `ß` ss and `ı` i.
	return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** The number of characters that are folded in one go. */
const piece = 8192;

/** Characters that may combine with the character before them when they are folded. */
const joining = /[\p{M}\p{Cf}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc\ud7b0-\ud7ff\u{16d67}\u{16d68}]*/uy;

/** {@link fold} in slices. */
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

/** Where a piece of a text may end, from a place on: there the text can be folded in two parts. */
export function pieceEnd(text: string, from: number): number {
	if (from >= text.length) return text.length;
	// Between the halves of a surrogate pair, a pattern with `u` looks at the whole pair.
	joining.lastIndex = from;
	joining.test(text);
	return joining.lastIndex;
}

/** A text with highlighted beginnings of the searched words. */
export function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
	const pieces = marked(text, words);
	return <>{pieces.map(({ text, isFound }, place) => (isFound ? <mark key={place}>{text}</mark> : text))}</>;
}

/** The words of a query to find in names, without letter case and accents. */
export function wordsOf(query: string): string[] {
	const terms = query.split(/\s+/).filter((term) => !term.startsWith("-") && !/^\w+:/.test(term) && term !== "OR");
	return terms.flatMap(
		(term) =>
			folded(term)
				.join("")
				.match(/[\p{L}\p{N}]+/gu) ?? [],
	);
}

/** A text, cut at the beginnings of searched words, and at the ends of the matches. */
function marked(text: string, words: readonly string[]): { text: string; isFound: boolean }[] {
	const letters = [...text];
	const plain = folded(text);
	const pieces: { text: string; isFound: boolean }[] = [];
	for (let at = 0; at < letters.length; ) {
		const begins = at === 0 || !/[\p{L}\p{N}]/u.test(letters[at - 1]!);
		const length = begins ? Math.max(0, ...words.map((word) => lengthOf(plain, at, word))) : 0;
		const isFound = length > 0;
		const piece = letters.slice(at, at + (length || 1)).join("");
		const last = pieces.at(-1);
		if (last?.isFound === isFound && !isFound) last.text += piece;
		else pieces.push({ text: piece, isFound });
		at += length || 1;
	}
	return pieces;
}

/** The number of letters that match a word at an offset; 0 without a match. */
function lengthOf(letters: readonly string[], from: number, word: string): number {
	let left = word;
	for (let at = from; left !== ""; at++) {
		const letter = letters[at];
		if (letter === undefined || !left.startsWith(letter)) return 0;
		left = left.slice(letter.length);
		if (left === "") return at - from + 1;
	}
	return 0;
}

/** The letters of a text without case and accents. */
function folded(text: string): string[] {
	return [...text].map((letter) => letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
}

/** A stretch of a text. */
export interface Stretch {
	/** The offset of its first character. */
	readonly start: number;
	/** The offset behind its last character. */
	readonly end: number;
}

/** The words and phrases of a query to find in texts, without letter case and accents. */
export function wordsOf(query: string): string[] {
	const terms = query.match(/-?"[^"]*"?|\S+/g) ?? [];
	return terms
		.filter((term) => !term.startsWith("-") && !/^\w+:/.test(term) && term !== "OR")
		.flatMap((term) => {
			const text = folded([...term]).join("");
			return term.startsWith('"') ? text.replaceAll('"', "").trim() : (text.match(/[\p{L}\p{N}]+/gu) ?? []);
		})
		.filter((word) => word !== "");
}

/** The stretches of a text that match words from {@link wordsOf}, each where a word of the text begins. */
export function foundIn(text: string, words: readonly string[]): Stretch[] {
	if (words.length === 0) return [];
	const letters = [...text];
	const plain = folded(letters);
	const found: Stretch[] = [];
	let start = 0;
	for (let at = 0; at < letters.length; ) {
		const begins = at === 0 || !/[\p{L}\p{N}]/u.test(letters[at - 1]!);
		const count = begins ? Math.max(0, ...words.map((word) => countOf(plain, at, word))) : 0;
		const { length } = letters.slice(at, at + (count || 1)).join("");
		if (count > 0) found.push({ start, end: start + length });
		start += length;
		at += count || 1;
	}
	return found;
}

/** The number of letters that match a word, from an index on; 0 without a match. */
function countOf(letters: readonly string[], from: number, word: string): number {
	let left = word;
	for (let at = from; left !== ""; at++) {
		const letter = letters[at];
		if (letter === undefined || !left.startsWith(letter)) return 0;
		left = left.slice(letter.length);
		if (left === "") return at - from + 1;
	}
	return 0;
}

/** Letters without case and accents. */
function folded(letters: readonly string[]): string[] {
	return letters.map((letter) => letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
}

/** The kind of the character at one side of a delimiter, by the classes of CommonMark. */
export type Flank = "space" | "punctuation" | "other";

const space = /\s/;
const punctuation = /[\p{P}\p{S}]/u;

/** The kinds of ASCII characters by code. Almost all characters next to delimiters are ASCII. */
const flanks: readonly Flank[] = Array.from({ length: 128 }, (_, code) => flankOfCharacter(String.fromCharCode(code)));

/** Returns the kind of the character at an offset; space beyond the ends of a text. */
export function flankAt(text: string, at: number): Flank {
	const code = text.charCodeAt(at);
	if (code < flanks.length) return flanks[code]!;
	return Number.isNaN(code) ? "space" : flankOfCharacter(text.charAt(at));
}

/** Whether a delimiter can begin or end its element here. */
export function delimits(inside: Flank, outside: Flank): boolean {
	return inside !== "space" && (inside === "other" || outside !== "other");
}

function flankOfCharacter(character: string): Flank {
	if (space.test(character)) return "space";
	return punctuation.test(character) ? "punctuation" : "other";
}

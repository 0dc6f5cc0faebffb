import type { FragmentNode } from "../html/fragment.js";

/** What stands at one side of a delimiter, as CommonMark tells characters apart. */
export type Flank = "space" | "punctuation" | "other";

const space = /\s/;
const punctuation = /[\p{P}\p{S}]/u;

/** By code, what the characters of ASCII are: nearly all that stand beside delimiters. */
const flanks: readonly Flank[] = Array.from({ length: 128 }, (_, code) => flankOfCharacter(String.fromCharCode(code)));

/** What the first or last character of a node of a fragment is as Markdown. The markup of an element is punctuation. */
export function flankOf(node: FragmentNode, end: "first" | "last"): Flank {
	return typeof node === "string" ? flankAt(node, end === "first" ? 0 : node.length - 1) : "punctuation";
}

/** What the character at an offset is; beyond the ends of a text, space. */
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

import type { FragmentNode } from "./fragment.js";

/** What stands at one side of a delimiter, as CommonMark tells characters apart. */
export type Flank = "space" | "punctuation" | "other";

/** What the first or last character of a node of a fragment is as Markdown. The markup of an element is punctuation. */
export function flankOf(node: FragmentNode, end: "first" | "last"): Flank {
	if (typeof node !== "string") return "punctuation";
	const character = node.charAt(end === "first" ? 0 : node.length - 1);
	if (/\s/.test(character)) return "space";
	return /[\p{P}\p{S}]/u.test(character) ? "punctuation" : "other";
}

/** Whether a delimiter can begin or end its element here. */
export function delimits(inside: Flank, outside: Flank): boolean {
	return inside !== "space" && (inside === "other" || outside !== "other");
}

import type { Lost } from "outlinekit";
import { nodes } from "../text/count.js";

/** The texts about lost things, by the kinds that the package counts: for one, and for several. */
const words: { readonly [kind: string]: (count: number) => string } = {
	formatting: (count) => `bold, italic, links and the like in ${nodes(count)}`,
	layoutMode: (count) =>
		`that ${nodes(count)} ${count === 1 ? "is a heading, quote or code" : "are headings, quotes or code"}`,
	completed: (count) => `that ${nodes(count)} ${count === 1 ? "is" : "are"} completed`,
	depth: (count) => `how deep ${nodes(count)} ${count === 1 ? "stands" : "stand"}: the format goes less deep`,
	character: (count) => `${count === 1 ? "a character" : `${count} characters`} that the format can't hold`,
	whiteSpace: (count) => `spaces or line breaks in ${nodes(count)}`,
	id: (count) => `the ${count === 1 ? "address of a node" : `addresses of ${count} nodes`}, taken by others here`,
	key: (count) => `${count === 1 ? "a shortcut or day" : `${count} shortcuts or days`} that the outline has already`,
	codeLanguage: (count) => `the language of ${count === 1 ? "a code block" : `${count} code blocks`}`,
	logbook: (count) => `the times of ${count === 1 ? "a task" : `${count} tasks`}`,
	repetition: (count) => `that ${count === 1 ? "a date repeats" : `${count} dates repeat`}`,
	property: (count) => `${count === 1 ? "a property" : `${count} properties`} for which a node has no room`,
	name: (count) => `what names can't hold, in ${nodes(count)}`,
};

/** The things that an export lost, in words for the user. Empty if there are none. */
export function exportLosses(lost: Lost): string[] {
	return told(
		lost,
		(count) => `that ${nodes(count)} ${count === 1 ? "is a mirror: a copy" : "are mirrors: copies"} instead`,
	);
}

/** The things that an import lost, in words for the user. Empty if there are none. */
export function importLosses(lost: Lost): string[] {
	const { priority: _, ...others } = lost;
	// Outermost nodes behind other nodes are still in the same order.
	return told(
		others,
		(count) => `that ${nodes(count)} ${count === 1 ? "is a mirror" : "are mirrors"} of what isn't here`,
	);
}

function told(lost: Lost, mirror: (count: number) => string): string[] {
	return Object.entries(lost).map(([kind, count]) => {
		if (kind === "mirror") return mirror(count);
		if (Object.hasOwn(words, kind)) return words[kind]!(count);
		return `${kind.replace(/^head /, "what the file says about itself: ")}${count === 1 ? "" : ` (${count} times)`}`;
	});
}

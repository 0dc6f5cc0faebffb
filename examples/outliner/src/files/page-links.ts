import { datesIn, fromMarkdown } from "outlinekit/markup";
import { contentsOf, fragmentOf, textsIn } from "../text/fragment.js";

/** Finds the targets of links, as fragments. Undefined for a target that isn't there. */
export interface PageLinks {
	page(name: string, label: string | undefined): string | undefined;
	/** Of a block of Logseq, by its id. */
	block(id: string, label: string | undefined): string | undefined;
}

const id = "[\\da-f]{8}-[\\da-f-]{27}";
const link = new RegExp(
	`#?\\[\\[([^\\[\\]\\n]+)\\]\\]|\\(\\((${id})\\)\\)|\\[([^\\[\\]\\n]*)\\]\\((?:\\[\\[([^\\[\\]\\n]+)\\]\\]|\\(\\((${id})\\)\\))\\)`,
	"gi",
);

/** A name with its links to pages and blocks, and the number of links that lead nowhere. */
export function withPageLinks(name: string, links: PageLinks): { readonly name: string; readonly missing: number } {
	if (!name.includes("[[") && !name.includes("((")) return { name, missing: 0 };
	const contents = contentsOf(name);
	let missing = 0;
	for (const text of textsIn(contents)) {
		if (text.parentElement?.closest("a, code, time")) continue;
		const parts: (string | DocumentFragment)[] = [];
		let end = 0;
		for (const { 0: whole, 1: bare, 2: block, 3: label, 4: labelled, 5: labelledBlock, index } of text.data.matchAll(
			link,
		)) {
			const blockId = block ?? labelledBlock;
			// Obsidian writes a label behind the page, and a heading.
			const [page = "", own] = (bare ?? labelled ?? "").split("|");
			const found = blockId === undefined ? links.page(page, label ?? own) : links.block(blockId, label);
			if (found === undefined) missing += 1;
			parts.push(text.data.slice(end, index), found === undefined ? whole : contentsOf(found));
			end = index + whole.length;
		}
		text.replaceWith(...parts, text.data.slice(end));
	}
	return { name: fragmentOf(contents), missing };
}

/** The date that the name of a page is, such as `2026_12_01` or `Dec 1st, 2026`, as `YYYY-MM-DD`. */
export function dayOfPage(name: string): string | undefined {
	const text = name.trim().replace(/^(\d{4})_(\d\d)_(\d\d)$/, "$1-$2-$3");
	if (!/\d{4}/.test(text)) return undefined;
	const [date] = datesIn(text, { today: "2000-01-01" });
	return date?.start === 0 && date.end === text.length && date.time === undefined ? date.date : undefined;
}

/** A date as a fragment. */
export function dateFragment(day: string): string {
	return fromMarkdown(`[${day}]`)[0]!.name;
}

import type { LayoutMode } from "outlinekit";
import { fromMarkdown } from "outlinekit/markup";
import { escaped } from "./fragment.js";

/** The characters that end some Markdown, by what it begins with. */
const beginnings: { readonly [end: string]: string } = { "*": "*", _: "_", "`": "`", "~": "~", "]": "[", ")": "[" };

/** Markdown that has just been ended: where it begins in the text, and the fragment that it is. */
export interface Finished {
	readonly start: number;
	readonly fragment: string;
}

/**
 * The Markdown element at the end of a text, if the last character completes one. The outline's own parser
 * reads it; this function only finds its possible start.
 *
 * @param text - a stretch of text up to the caret
 */
export function finishedMarkdown(text: string): Finished | undefined {
	const end = text.at(-1);
	const beginning = end === undefined ? undefined : beginnings[end];
	if (beginning === undefined) return undefined;
	for (let start = text.lastIndexOf(beginning, text.length - 2); start >= 0; start = before(text, beginning, start)) {
		// Of two stars the first begins what they begin.
		if (text[start - 1] === beginning || text[start - 1] === "\\") continue;
		// Between two digits stars multiply.
		if (beginning === "*" && /^\d\*+\d/.test(text.slice(Math.max(start - 1, 0)))) continue;
		// Stars in code are stars. The backtick that ends it may be still to come.
		if (beginning !== "`" && /(?:^|[\s(])`(?!\s)[^`]*$/.test(text.slice(0, start))) continue;
		const prefix = start > 0 && /[\p{L}\p{N}]/u.test(text[start - 1]!) ? "x" : "";
		const [block, another] = fromMarkdown(prefix + text.slice(start));
		const fragment = block?.name.slice(prefix.length);
		if (another === undefined && block?.layoutMode === "bullets" && isOneElement(fragment!)) {
			// An image is a link here.
			const isImage = text[start - 1] === "!" && fragment!.startsWith("<a ");
			return { start: isImage ? start - 1 : start, fragment: fragment! };
		}
	}
	return undefined;
}

function before(text: string, beginning: string, start: number): number {
	return start === 0 ? -1 : text.lastIndexOf(beginning, start - 1);
}

/** Whether a fragment is an element from its first to its last character, and nothing beside it. */
function isOneElement(fragment: string): boolean {
	const tag = /^<(\w+)/.exec(fragment)?.[1];
	return tag !== undefined && fragment.indexOf(`</${tag}>`) === fragment.length - tag.length - 3;
}

/** A layout mode that has just been typed at the beginning of a name, and the rest of the name. */
export interface TypedLayout {
	readonly length: number;
	readonly layoutMode: LayoutMode;
	readonly completed: boolean;
}

/** The layout of a name by its beginning up to the caret, as in Markdown; `[] ` is short for `- [ ] `. */
export function typedLayout(text: string): TypedLayout | undefined {
	if (!/^(?:#{1,3}|>|(?:- )?\[[ x]?\]|```) $/.test(text)) return undefined;
	const markdown = text.replace(/^(?:- )?\[([ x]?)\]/, (_, check: string) => `- [${check === "x" ? "x" : " "}]`);
	if (text === "``` ") return { length: text.length, layoutMode: "code-block", completed: false };
	const { layoutMode, completed } = fromMarkdown(`${markdown}${escaped("x")}`)[0]!;
	return { length: text.length, layoutMode, completed };
}

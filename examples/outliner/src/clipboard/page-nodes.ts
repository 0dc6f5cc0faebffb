import { toText } from "outlinekit/markup";
import { keptStyle } from "../text/inert.js";
import type { CopiedNode } from "./copied-node.js";
import { imageEdge, PageReader } from "./page-reader.js";

/** Without any of these a page says no more than its text. */
const telling = `li, h1, h2, h3, h4, h5, h6, blockquote, pre, td, b, strong, i, em, s, del, code, a[href], img, [${keptStyle}*=mso-list]`;
/** The text of a marker before an item of a list. */
const mark = /^\s*(?:[-*+\u00b7\u2022-\u2043\u2500-\u27bf\uf0a7\uf0b7]|\[[ xX]?\]|o(?=\t)|\p{L}[.)]|\d+[.)])\s+/gmu;

/**
 * The nodes of a page of several lines, with the formatting that names may have. Undefined if the page has no
 * more than its text, or other words than the text: then a part is hidden, and the text is safer.
 */
export function nodesOfPage({ body }: Document, text: string): CopiedNode[] | undefined {
	if (body.querySelector(telling) === null) return undefined;
	const reader = readerOf(body);
	return isText(reader.text, lettersOf(text)) ? reader.nodes : undefined;
}

/** The text of a page that comes without one: a line for each of its nodes. */
export function textOfPage({ body }: Document): string {
	return readerOf(body)
		.nodes.map(({ name }) => toText(name))
		.join("\n");
}

function readerOf(body: HTMLElement): PageReader {
	const reader = new PageReader();
	reader.read(body);
	reader.endLine();
	return reader;
}

/** Whether a page has these letters. Not all browsers copy the descriptions of images as text. */
function isText(page: string, letters: string): boolean {
	// Every second part is the description of an image.
	const parts = page.replace(mark, "").split(imageEdge).map(lettersOf);
	if (parts.filter((_, index) => index % 2 === 0).join("") === letters) return true;
	let end = 0;
	for (const [index, part] of parts.entries()) {
		if (letters.startsWith(part, end)) end += part.length;
		else if (index % 2 === 0) return false;
	}
	return end === letters.length;
}

function lettersOf(text: string): string {
	return text.replace(mark, "").replace(/\P{L}/gu, "");
}

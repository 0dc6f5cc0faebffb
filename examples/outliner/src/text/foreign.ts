import { attributes, tags } from "./fragment.js";

/** What isn't text, although there is text in it. */
const unseen = "script, style, head, template, title, noscript, iframe, object, textarea, select";
const schemes: readonly string[] = ["http:", "https:", "mailto:"];

/** A page as the clipboard has it, which neither runs nor loads anything. */
export function parsed(html: string): Document {
	return new DOMParser().parseFromString(html, "text/html");
}

/**
 * What of a foreign page may come into a name: text and the elements that a name may hold, made anew. Undefined unless that
 * shows exactly the text which the page is said to show: then something is hidden, or drawn by styles, and the text is safer.
 */
export function formattedText(page: Document, text: string): DocumentFragment | undefined {
	const shown = plain(text);
	const reduced = (isCollapsed: boolean) => {
		const contents = document.createDocumentFragment();
		reduce(page.body, contents, isCollapsed);
		return contents;
	};
	return [reduced(false), trimmed(reduced(true))].find((contents) => plain(contents.textContent!) === shown);
}

/** Text as it is compared: pages keep spaces as such that don't break. */
function plain(text: string): string {
	return text.replaceAll("\u00a0", " ");
}

/** Puts what of a node's contents may come into a name into something. Parsers of HTML nest no deeper than some hundred levels. */
function reduce(parent: Node, into: DocumentFragment | Element, isCollapsed: boolean): void {
	for (const node of parent.childNodes) {
		if (node.nodeType === Node.TEXT_NODE) {
			const { data } = node as Text;
			into.append(isCollapsed ? data.replace(/[\t\n\f\r ]+/g, " ") : data);
		} else if (node.nodeType === Node.ELEMENT_NODE && !(node as Element).matches(unseen)) {
			const element = formatOf(node as Element);
			if (element !== undefined) into.append(element);
			reduce(node, element ?? into, isCollapsed);
		}
	}
}

/** An element that formats as another one does; undefined if that is nothing a name may hold. */
function formatOf(element: Element): Element | undefined {
	const tag = tags[element.tagName];
	// Some wrap all that they copy in bold text that isn't.
	if (tag === undefined || (tag === "b" && /^(?:normal|400)$/.test((element as HTMLElement).style.fontWeight))) return;
	const made = document.createElement(tag);
	const attribute = attributes[tag];
	if (attribute === undefined) return made;
	const value = element.getAttribute(attribute);
	if (value === null || (tag === "a" && !isSafe(value))) return;
	made.setAttribute(attribute, value);
	return made;
}

function isSafe(href: string): boolean {
	return URL.canParse(href) && schemes.includes(new URL(href).protocol);
}

function trimmed(contents: DocumentFragment): DocumentFragment {
	const texts = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT);
	const all: Text[] = [];
	while (texts.nextNode() !== null) all.push(texts.currentNode as Text);
	let wasSpace = true;
	for (const text of all) {
		if (wasSpace) text.data = text.data.replace(/^ /, "");
		if (text.data !== "") wasSpace = text.data.endsWith(" ");
	}
	for (const text of all.toReversed()) {
		text.data = text.data.replace(/ $/, "");
		if (text.data !== "") break;
	}
	return contents;
}
